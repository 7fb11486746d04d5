"""Tests of Figure 1 of the Countdown paper."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from countdown_by_hand import steps
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.countdown.space import count_states, state_bound
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.study import Workbench, studies


@given(st.lists(st.integers(0, 12), min_size=1, max_size=4))
def test_the_count_is_that_of_the_definition(numbers: list[int]) -> None:
    layer, sizes = {tuple(sorted(map(Fraction, numbers)))}, [1]
    while len(sizes) < len(numbers):
        layer = {after for state in layer for after in steps(state)}
        sizes.append(len(layer))
    assert count_states(numbers) == sizes
    assert sum(sizes) <= state_bound(len(numbers))


def test_the_bound_is_that_of_the_paper() -> None:
    """Four numbers have layers of 1, 36, 36 * 18 and 36 * 18 * 6 states."""
    assert state_bound(1) == 1
    assert state_bound(4) == 1 + 36 + 36 * 18 + 36 * 18 * 6


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(InputError, match="found -1"):
        count_states([3, -1])


def test_the_study(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, number=2, sizes_given=range(3, 5))
    findings = studies()["countdown-figure1"].run(bench)
    (bound,) = findings.comparisons
    assert (bound.paper[0].value, bound.ours[0].value) == (4500, 4573)
    assert (bound.decision.test, bound.verdict, bound.is_fit) == ("exact", "agrees", True)
    rows = {row[0]: row for row in findings.tables[0].table.rows}
    assert [rows[size][2] for size in ("2", "3", "4", "5")] == ["0", "2", "2", "0"]
    assert rows["4"][3] == "1025"
    counted, bound_of_all = findings.charts
    assert [{point.x for point in series.points} for series in counted.series] == [{3, 4}] * 2
    assert {point.x for point in bound_of_all.series[0].points} == set(range(2, 51))
