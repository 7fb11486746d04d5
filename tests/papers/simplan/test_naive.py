"""Tests of Table 2 of SimPlan: solved instances."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.comparison import ClaimVerdict
from pddl_pipeline.papers.simplan import naive as simplan_naive
from pddl_pipeline.papers.simplan.naive import NaiveRun, fraction_compared, fraction_solved
from pddl_pipeline.papers.simplan.test_sets import TEST_SETS
from pddl_pipeline.papers.study import Workbench, studies


def trial(instance: str, calls: int, *, solved: bool = True) -> NaiveRun:
    return NaiveRun(instance, "m", 10, solved, calls, out_of_time=False, unexplained=False)


def test_runs_count_within_the_predictions_of_the_paper() -> None:
    """LAMA expanded 10 states, so 160 predictions count."""
    found = [trial("a", 160), trial("b", 161), trial("c", 5, solved=False)]
    assert fraction_solved(found, "m").value == Fraction(1, 3)
    assert fraction_solved(found, "other") is None


def test_seeds_of_an_instance_count_as_one() -> None:
    found = [trial("a", 1), trial("a", 1, solved=False), trial("b", 1)]
    solved = fraction_solved(found, "m")
    assert (solved.value, solved.instances) == (Fraction(3, 4), 2)


@pytest.mark.parametrize(
    ("label", "late", "time_s", "verdict"),
    [
        ("Blocks C", 0, 15, "not informative"),
        ("Blocks C", 1, 15, "not compared"),
        ("Blocks C", 1, 300, "not informative"),
        ("Depots C", 1, 15, "not identifiable"),
        ("Ferry S", 0, 300, "not identifiable"),
    ],
)
def test_limits_and_unstated_settings(label: str, late: int, time_s: int, verdict: str) -> None:
    (test_set,) = (each for each in TEST_SETS if each.label == label)
    found = [
        trial(str(n), 1, solved=False)._replace(method="goal-count", out_of_time=n < late)
        for n in range(50)
    ]
    assert fraction_compared("goal-count", test_set, found, time_s).verdict == verdict


def test_few_solved_instances_of_a_sample_do_not_agree_by_their_small_spread() -> None:
    """1 of 90 runs beside 1 of 30: the t interval is within 0.1, the one of shares is not."""
    found = [trial(str(n // 3), 1, solved=n == 0)._replace(method="random") for n in range(90)]
    decision = fraction_compared("random", TEST_SETS[2], found, 300).decision  # ferry, simple
    assert (decision.verdict, decision.is_final) == ("undecided", True)


def test_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: list[RunResult]) -> None:
    monkeypatch.setattr(simplan_naive, "TEST_SETS", TEST_SETS[2:3])  # ferry, simple
    findings = studies()["simplan-table2"].run(Workbench(tmp_path, number=1, time_s=20))
    lama, *others = runs
    assert len(others) == 5  # two seeds of random, goal-count, two rewards
    assert {run.planner.rpartition("=")[2] for run in others} == {str(16 * (lama.expanded or 0))}
    (row,) = findings.tables[0].table.rows
    heading = findings.tables[0].table.headings
    solved = [run.solved for run in others if run.planner.startswith("goal-count")]
    assert row[heading.index("goal-count: paper") + 1].startswith(f"{float(*solved):.2f}")
    assert {each.verdict for each in findings.comparisons} <= {*get_args(ClaimVerdict)}
    assert [each.paper[0].value for each in findings.comparisons[:2]] == [0.03, 0.63]
