"""Tests of accuracy by size and phase, for claimed and for valid plans."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.studies.countdown.accuracy import (
    EASY,
    EASY_AGAIN,
    HARD,
    LARGE,
    PHASES,
    Share,
    accuracies,
    accuracy_chart,
    accuracy_table,
    correct,
    endings,
    of,
    phase_table,
    share,
)


def runs(size: int, *, valid: int = 0, wrong: int = 0, late: int = 0) -> list[RunResult]:
    one = replace(RESULT, domain="countdown", size=size)
    late_one = replace(one, outcome=Outcome.TIMEOUT, status=None, plan=None)
    return [one] * valid + [replace(one, status=Status.INVALID)] * wrong + [late_one] * late


NINE = [
    replace(run, expanded=run.expanded and run.expanded + at)
    for at, run in enumerate(runs(9, valid=3, late=1), start=1)
]
ROWS = [
    *accuracies("CD", "a", [*runs(20, valid=1, wrong=2, late=1), *NINE]),
    *accuracies("CD", "b", runs(5, valid=2)),
]


def test_states_are_those_of_valid_plans() -> None:
    without = [replace(run, expanded=None) for run in runs(5, valid=1)]
    (silent,) = accuracies("CD", "c", [*without, *runs(5, wrong=1)])
    assert (silent.claimed, silent.valid, silent.states) == (2, 1, None)


def test_claims_and_valid_plans_are_told_apart() -> None:
    assert [(row.size, row.instances, row.claimed, row.valid) for row in ROWS] == [
        (9, 4, 3, 3), (20, 4, 3, 1), (5, 2, 2, 2),
    ]  # fmt: skip
    own = of(ROWS, "CD", "a")
    assert (share(own, "claimed"), share(own, "valid")) == (Share(6, 8), Share(4, 8))
    assert correct(own) == Share(4, 6)
    assert endings(own) == Counter(timeout=2)
    assert str(share(own, "valid")) == "50 % (4 of 8)"
    assert str(share(of(ROWS, "RG", "a"), "valid")) == "no instance"


def test_phases_are_the_papers() -> None:
    assert [size for phase in PHASES for size in phase.sizes][:40] == list(range(40))
    assert [len(of(ROWS, "CD", "a", phase)) for phase in (EASY, HARD, EASY_AGAIN, LARGE)] == [
        0, 1, 1, 1,
    ]  # fmt: skip
    first, second = phase_table(ROWS).rows
    assert first[:2] == ("CD", "a")
    assert first[2:8] == (
        "no instance", "no instance",
        "75 % (3 of 4)", "75 % (3 of 4)", "75 % (3 of 4)", "25 % (1 of 4)",
    )  # fmt: skip
    assert second[2] == "100 % (2 of 2)"


def test_rows_with_wrong_plans_are_marked() -> None:
    table = accuracy_table(ROWS)
    assert table.marked == (False, True, False)
    assert table.rows[1][4:8] == ("3", "30.1 to 95.4", "1", "4.6 to 69.9")
    assert [row[8] for row in table.rows] == ["9", "7", "7"]
    assert [row[-1] for row in table.rows] == ["1 timeout", "1 timeout", "-"]


def test_the_chart_has_intervals_and_the_papers_statement() -> None:
    chart = accuracy_chart("t", ROWS, "valid", paper=True)
    assert [series.name for series in chart.series][:2] == ["a", "b"]
    point = chart.series[0].points[1]
    assert isinstance(point.x, float)
    assert (round(point.x), point.y) == (20, 25.0)
    assert point.low is not None
    assert point.low < 25 < (point.high or 0)
    assert "n=2 to 4 instances" in chart.x_label
    assert chart.series[-1].from_paper
    assert [(p.x, p.y) for p in chart.series[-1].points] == [(17, 100.0), (30, 100.0)]
