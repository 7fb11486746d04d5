"""Tests of Table 2 of SimPlan: solved instances, and walks that look one step ahead."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.papers.comparison import VERDICTS
from pddl_pipeline.papers.simplan import naive as simplan_naive
from pddl_pipeline.papers.simplan.naive import (
    ONE_STEP,
    READINGS,
    Trial,
    fraction_solved,
    greedy_walk,
    walk_instance,
)
from pddl_pipeline.papers.simplan.test_sets import TEST_SETS
from pddl_pipeline.papers.study import Workbench, studies
from pddl_pipeline.runs.store import iterate_store
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of

FERRY: dict[str, Any] = {
    "id": "f", "domain": "ferry", "locations": ["l0", "l1"], "cars": ["c0", "c1"], "ferry": "l0",
    "at": {"c0": "l0", "c1": "l1"}, "aboard": None, "goal": {"c0": "l1", "c1": "l1"},
}  # fmt: skip


def trial(instance: str, calls: int, scored: int, *, solved: bool = True) -> Trial:
    return Trial(instance, "m", 10, solved, calls, scored, out_of_time=False, unexplained=False)


def test_a_run_is_solved_under_each_reading_that_allows_it() -> None:
    found = [trial("a", 10, 100), trial("b", 11, 170), trial("c", 5, 5, solved=False)]
    values = [fraction_solved(found, "m", reading) for reading in READINGS]
    assert [each and each.value for each in values] == [
        Fraction(2, 3), Fraction(1, 3), Fraction(1, 3), Fraction(0),
    ]  # fmt: skip
    assert fraction_solved(found, "other", READINGS[0]) is None


def test_seeds_of_an_instance_count_as_one() -> None:
    found = [trial("a", 1, 1), trial("a", 1, 1, solved=False), trial("b", 1, 1)]
    solved = fraction_solved(found, "m", READINGS[0])
    assert solved is not None
    assert (solved.value, solved.instances) == (Fraction(3, 4), 2)


def test_a_goal_that_holds_is_kept() -> None:
    """Boarding c1 at its goal would lose a goal, so only sailing and c0 are chosen at random."""
    for seed in range(10):
        walked = walk_instance(from_record(FERRY), 1000, 30, seed)
        assert walked.arrived
        assert all("c1" not in step.arguments for step in walked.steps)


def test_walks_end_at_the_limit() -> None:
    texts = translate(from_record(FERRY))
    world = world_of(task_of(texts))
    walked = greedy_walk(world, 2, 30, 0)  # three steps are needed
    assert (len(walked.steps), walked.arrived, walked.out_of_time) == (2, False, False)
    assert walked.scored >= 2
    assert greedy_walk(world, 1000, -1, 0).out_of_time
    assert greedy_walk(world, 1000, 30, 3) == greedy_walk(world, 1000, 30, 3)


def test_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplan_naive, "TEST_SETS", TEST_SETS[2:3])  # ferry, simple
    findings = studies()["simplan-table2"].run(Workbench(tmp_path, number=1, time_s=20))
    (lama,) = iterate_store(tmp_path / "runs" / "ferry-simple-lama")
    runs = list(iterate_store(tmp_path / "runs" / "ferry-simple"))
    assert len(runs) == 5  # two seeds of random, goal-count, two rewards
    assert {run.planner.rpartition("=")[2] for run in runs} == {str(16 * (lama.expanded or 0))}
    (row,) = findings.tables[0].table.rows
    heading = findings.tables[0].table.headings
    solved = [run.solved for run in runs if run.planner.startswith("goal-count")]
    assert row[heading.index("goal-count: paper") + 1].startswith(f"{float(*solved):.2f}")
    assert ONE_STEP in heading
    assert {each.verdict for each in findings.comparisons} <= set(VERDICTS)
    assert [each.paper[0].value for each in findings.comparisons[:2]] == [0.03, 0.63]
