"""The chi-square test against tables and a calculation by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.scoring.chi_square import compare_counts, tail


@pytest.mark.parametrize(
    ("degrees", "critical"),
    [(1, 3.841), (2, 5.991), (3, 7.815), (4, 9.488), (9, 16.919), (10, 18.307), (11, 19.675)],
)
def test_the_5_percent_points_of_tables(degrees: int, critical: float) -> None:
    assert tail(critical, degrees) == pytest.approx(0.05, abs=5e-5)
    assert tail(0, degrees) == 1


def test_two_by_two_by_hand() -> None:
    """30 and 10 against 20 and 20: 40 * 2 * (30*20 - 10*20)^2 / (50 * 30 * 40 * 40)."""
    found = compare_counts({2: 30, 4: 10}, {2: 20, 4: 20})
    assert found is not None
    assert found.degrees == 1
    assert found.statistic == pytest.approx(80 * 400**2 / (50 * 30 * 40 * 40))


def test_rare_numbers_go_with_their_neighbours() -> None:
    found = compare_counts({1: 1, 2: 50, 3: 49, 9: 1}, {2: 50, 3: 50, 8: 1})
    assert found is not None
    assert found.degrees == 1
    assert compare_counts({1: 3}, {2: 3}) is None


@given(st.lists(st.integers(1, 6), min_size=40), st.integers(1, 4))
def test_samples_of_equal_shares_do_not_differ(numbers: list[int], factor: int) -> None:
    counts = Counter(numbers)
    found = compare_counts(counts, {number: factor * n for number, n in counts.items()})
    if found is not None:
        assert found.statistic == pytest.approx(0)
        assert found.p == pytest.approx(1)
