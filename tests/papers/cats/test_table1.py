"""Tests of Table 1 of CATS: properties of every sample."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pddl_pipeline.papers.cats.benchmark import (
    LENGTHS,
    PUBLISHED,
    TABLE1,
    count_by_horizon,
    tasks_of,
)
from pddl_pipeline.papers.cats.table1 import (
    DEAR_TABLE,
    HIGHEST,
    LOWEST,
    Sample,
    comparisons,
    possible,
    sample,
)
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.search.blocks_states import cheapest_plan


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    bench = Workbench(tmp_path_factory.mktemp("runs"), sizes_given=range(5, 6))
    return sample(tasks_of(bench, 60))


def test_the_paper_adds_up() -> None:
    assert sum(LENGTHS.values()) == PUBLISHED.benchmark.tasks
    assert count_by_horizon(LENGTHS) == {"short": 113, "mid": 476, "long": 419}
    assert len(DEAR_TABLE) == 3


def test_every_reading_is_between_the_lowest_and_the_highest(small: Sample) -> None:
    for row in small.values():
        for low, high, *others in zip(
            row.readings[LOWEST], row.readings[HIGHEST], *row.readings.values(), strict=True
        ):
            assert low <= min(others) <= max(others) <= high


def test_the_cost_of_a_plan_follows_from_three_counts(tmp_path: Path) -> None:
    """The formula of the proof, on the witness of each task under costs that are all different."""
    a, b, c, d = costs = (3, 50, 7, 110)
    for task in tasks_of(Workbench(tmp_path, sizes_given=range(5, 6)), 30):
        plan = cheapest_plan(task.record.init, [pair[1:] for pair in task.record.goal], costs)
        counts = Counter(step.action for step in plan.steps)
        lifts = counts["pick-up"] + counts["unstack"]
        more = counts["put-down"] - counts["pick-up"]
        assert plan.cost == (lifts * (a + c) + counts["unstack"] * (b + d - a - c) + more * (c - d))


def test_comparisons_are_of_the_whole_table(small: Sample) -> None:
    of_totals, others = comparisons(small)[:10], comparisons(small)[10:]
    decided = {(each.verdict, each.decision.n) for each in of_totals}
    assert decided == {("not identifiable", (60, 60))}
    assert [each.paper[0].value for each in of_totals] == [row["all"] for row in TABLE1.values()]
    cells, *orders = others
    assert (cells.ours[0].of, cells.ours[0].value) == (30, 30 - len(cells.paper))
    assert [each.value for each in orders[-1].paper] == [71, 58]
    assert {each.verdict for each in orders} == {"not identifiable"}


def test_a_rate_is_inside_what_ties_and_sampling_allow(small: Sample) -> None:
    for row in small.values():
        for name in ("all", "short", "mid", "long"):
            found = possible(row, name)
            low, high = row.rate(LOWEST, name), row.rate(HIGHEST, name)
            assert None not in {found.value, found.low, found.high, low, high}
            assert found.low <= low <= found.value <= high <= found.high  # type: ignore[operator]
