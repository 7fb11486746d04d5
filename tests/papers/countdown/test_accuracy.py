"""Tests of accuracy by size and phase, for claimed and for valid plans."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.countdown.accuracy import (
    EASY,
    EASY_AGAIN,
    FALLS,
    HARD,
    LARGE,
    PHASES,
    RISES,
    SMALL,
    Sample,
    accuracy_charts,
    accuracy_table,
    correctness,
    phase_table,
    transition,
)


def runs(size: int, *, valid: int = 0, wrong: int = 0, late: int = 0) -> list[RunResult]:
    one = replace(RESULT, domain="countdown", size=size)
    late_one = replace(one, outcome=Outcome.TIMEOUT, status=None, plan=None)
    return [one] * valid + [replace(one, status=Status.INVALID)] * wrong + [late_one] * late


NINE = [
    replace(run, expanded=run.expanded and run.expanded + at)
    for at, run in enumerate(runs(9, valid=3, late=1), start=1)
]
A = Sample("CD", "a", [*runs(20, valid=1, wrong=2, late=1), *NINE])
B = Sample("CD", "b", runs(5, valid=2))


def test_states_are_those_of_valid_plans() -> None:
    without = [replace(run, expanded=None) for run in runs(5, valid=1)]
    silent = Sample("CD", "c", [*without, *runs(5, wrong=1)])
    assert (silent.count("claimed"), silent.count("valid"), silent.states) == (2, 1, None)


def test_claimed_and_valid_plans_are_distinguished() -> None:
    assert [
        (size, len(row.runs), row.count("claimed"), row.count("valid"))
        for sample in (A, B)
        for size, row in sample.by_size()
    ] == [(9, 4, 3, 3), (20, 4, 3, 1), (5, 2, 2, 2)]
    claimed, valid = A.share_of("claimed"), A.share_of("valid")
    assert (claimed.value, claimed.of, valid.value, valid.of) == (6, 8, 4, 8)
    assert A.failures == Counter(timeout=2)
    assert [(each.value, each.of) for each in correctness(A).ours] == [(4, 6)]


def test_plans_are_correct_if_all_claimed_ones_are_valid() -> None:
    assert [correctness(A.within(phase)).verdict for phase in (EASY, SMALL, LARGE)] == [
        "not compared", "undecided", "differs",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("hard", "large", "result"),
    [
        (runs(9, valid=1, late=9), runs(20, valid=9, late=1), "agrees"),
        (runs(9, valid=9, late=1), runs(20, valid=1, wrong=9), "differs"),
        # One instance more of two may be chance.
        (runs(9, valid=1, late=1), runs(20, valid=2), "undecided"),
        # If no size is hard, none can become easier.
        (runs(9, valid=2), runs(20, valid=2), "not compared"),
        (runs(9, valid=2), [], "not compared"),
    ],
)
def test_the_second_transition(hard: list[RunResult], large: list[RunResult], result: str) -> None:
    compared = transition(Sample("CD", "a", [*hard, *large]), "valid", HARD, LARGE, RISES)
    assert compared.verdict == result
    assert [each.of for each in compared.ours] == [len(hard), len(large)]
    assert compared.decision.n in {(), (len(large), len(hard))}


def test_the_first_transition() -> None:
    sample = Sample("CD", "a", [*runs(5, valid=60), *runs(9, valid=20, wrong=40)])
    assert {
        measure: transition(sample, measure, EASY, HARD, FALLS).verdict
        for measure in ("claimed", "valid")
    } == {"claimed": "differs", "valid": "agrees"}
    # 2 of 2 and 0 of 4: p = 1 / 15; 4 of 4 and 0 of 4 would decide.
    few = Sample("CD", "a", [*runs(5, valid=2), *runs(9, late=4)])
    found = transition(few, "valid", EASY, HARD, FALLS).decision
    assert (found.verdict, found.needed, found.p) == ("undecided", 4, pytest.approx(1 / 15))


def test_phases_are_the_papers() -> None:
    assert [size for phase in PHASES for size in phase.sizes][:40] == list(range(40))
    assert [phase.sizes.start for phase in PHASES] == [0, 8, 17, 31]
    assert [len(A.within(phase).runs) for phase in (EASY, HARD, EASY_AGAIN, LARGE)] == [0, 4, 4, 4]
    first, second = phase_table([A, B]).rows
    assert first[:8] == (
        "CD", "a", "no instance", "no instance",
        "75 % (3 of 4)", "75 % (3 of 4)", "75 % (3 of 4)", "25 % (1 of 4)",
    )  # fmt: skip
    assert second[2] == "100 % (2 of 2)"


def test_rows_with_wrong_plans_are_marked() -> None:
    table = accuracy_table([A, B])
    assert table.marked == (False, True, False)
    assert table.rows[1][4:8] == ("3", "30.1 to 95.4", "1", "4.6 to 69.9")
    assert [(row[8], row[-1]) for row in table.rows] == [
        ("9", "1 timeout"), ("7", "1 timeout"), ("7", "-"),
    ]  # fmt: skip


def test_charts_have_intervals_and_the_papers_statement() -> None:
    claimed, valid = accuracy_charts("t", [A, B], paper=True)
    assert [series.name for series in valid.series][:2] == ["a", "b"]
    assert [chart.series[0].points[1].y for chart in (claimed, valid)] == [75.0, 25.0]
    point = valid.series[0].points[1]
    assert round(point.x) == 20
    assert point.low < 25 < point.high
    assert "n=2 to 4 instances" in valid.x_label
    assert valid.series[-1].from_paper
    assert [(p.x, p.y) for p in valid.series[-1].points] == [(17, 100.0), (30, 100.0)]
