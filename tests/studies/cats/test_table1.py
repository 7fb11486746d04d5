"""Tests of Table 1 of CATS: properties of every sample."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pddl_pipeline.papers.cats.benchmark import (
    LENGTHS,
    PUBLISHED,
    TABLE1,
    blocks_text,
    count_by_horizon,
    tasks_of,
)
from pddl_pipeline.papers.cats.shifts import (
    FIRST_ACTION,
    FIRST_PATH,
    HIGHEST,
    LAST_PATH,
    LOWEST,
    Sample,
    bounds,
    by_rules,
    goals,
    graphs,
    sample,
    shifted_of_all,
)
from pddl_pipeline.papers.cats.table1 import (
    BALANCED,
    DEAR_TABLE,
    STUDIES,
    comparisons,
    implied,
    possible,
)
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.search.blocks_states import CheapestPlans, Move, cheapest_lengths, cheapest_plan

FREE_OF_GOALS = ((20, 20, 1, 1), (1, 1, 20, 20))
"""Lifting and setting down alternate, so that these costs count steps."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    bench = Workbench(tmp_path_factory.mktemp("runs"), sizes_given=range(5, 6))
    return sample(tasks_of(bench, 60), 3)


def test_the_paper_adds_up() -> None:
    assert sum(LENGTHS.values()) == PUBLISHED.benchmark.tasks
    assert count_by_horizon(LENGTHS) == {"short": 113, "mid": 476, "long": 419}
    assert len(BALANCED) == 4
    assert len(DEAR_TABLE) == 3


def test_every_reading_is_between_the_lowest_and_the_highest(small: Sample) -> None:
    for row in small.values():
        readings = row.readings
        for task, low in enumerate(readings[LOWEST]):
            for values in readings.values():
                assert low <= values[task] <= readings[HIGHEST][task]


def test_costs_that_count_steps_change_nothing(small: Sample) -> None:
    for costs in FREE_OF_GOALS:
        row = small[costs]
        assert all(row.same)
        assert row.rate(LOWEST) == row.rate(FIRST_PATH) == 0


def test_searches_keep_the_first_or_the_last_path() -> None:
    """Two paths of equal cost meet; the other graph has only the first."""
    first, second = Move(0, 0, -1, 1), Move(1, 0, 1, 2)
    both = {0: (first, second), 1: (Move(3, 0, 1, 3),), 2: (Move(3, 0, 1, 3),), 3: ()}
    graph = CheapestPlans(0, both, 2, 2, ("b1", "b2"))
    alone = replace(graph, moves={0: (first,), 1: both[1], 3: ()})
    shifted = by_rules([graph], [alone], (1, 1, 1, 1))
    assert shifted == {FIRST_ACTION: [0], FIRST_PATH: [0], LAST_PATH: [1]}


def test_tasks_may_have_different_numbers_of_blocks(tmp_path: Path) -> None:
    tasks = tasks_of(Workbench(tmp_path, sizes_given=range(4, 6)), 2)
    assert blocks_text(tasks) == "4 to 5 blocks"
    found = sample(tasks, 1)
    assert {len(row.steps) for row in found.values()} == {4}


def test_a_dear_table_changes_something(small: Sample) -> None:
    assert all((small[costs].rate(LOWEST) or 0) > 0 for costs in DEAR_TABLE)
    assert not any(all(small[costs].same) for costs in DEAR_TABLE)


def test_complete_goals_make_four_schedules_uniform(tmp_path: Path) -> None:
    """The number of put-downs minus pick-ups is fixed, so an expensive pick-up equals an expensive
    put-down.
    """
    tasks = tasks_of(Workbench(tmp_path, sizes_given=range(5, 6)), 40)
    uniform = graphs(tasks, (1, 1, 1, 1), complete=True)
    for costs in BALANCED:
        assert all(bounds(graphs(tasks, costs, complete=True), uniform, costs).same)
    one, other = (graphs(tasks, costs, complete=True) for costs in ((20, 1, 1, 1), (1, 1, 20, 1)))
    assert [each.moves for each in one] == [each.moves for each in other]


@pytest.mark.parametrize("complete", [False, True])
def test_no_task_must_shift_unless_the_table_is_dear(*, complete: bool) -> None:
    """All tasks of five blocks: 501 states with an empty hand, 6 goals with a block on another."""
    for costs in TABLE1:
        found = shifted_of_all(costs, 5, complete=complete)
        assert found.number == 501 * 6
        assert (found.shifted > 0) is (costs in DEAR_TABLE)


def test_the_cost_of_a_plan_follows_from_three_counts(tmp_path: Path) -> None:
    """The formula of the proof, on the witness of each task under costs that are all different."""
    costs = (3, 50, 7, 110)
    for task in tasks_of(Workbench(tmp_path, sizes_given=range(5, 6)), 30):
        plan = cheapest_plan(task.record.init, [pair[1:] for pair in task.record.goal], costs)
        counts = Counter(step.action for step in plan.steps)
        lifts = counts["pick-up"] + counts["unstack"]
        more = counts["put-down"] - counts["pick-up"]
        a, b, c, d = costs
        assert plan.cost == (lifts * (a + c) + counts["unstack"] * (b + d - a - c) + more * (c - d))


def test_for_complete_goals_one_plan_has_the_fewest_lifts_and_the_fewest_unstacks() -> None:
    """Unstacking for 1,000 gives the fewest unstacks; such a plan is as short as the shortest."""
    for towers in goals(5):
        fewest = cheapest_lengths(towers, (1, 1000, 1, 1), complete=True)
        assert fewest == cheapest_lengths(towers, (1, 1, 1, 1), complete=True)


def test_totals_follow_from_the_shares_of_the_horizons(small: Sample) -> None:
    """With Appendix A's counts, the total of the benchmark's row follows from its cells."""
    found = implied(small)["Appendix A's counts"]
    assert found[1, 1, 20, 1] == pytest.approx((86 * 113 + 86 * 476 + 96 * 419) / 1008)


def test_comparisons_are_of_the_whole_table(small: Sample) -> None:
    of_totals, others = comparisons(small)[:10], comparisons(small)[10:]
    assert {each.verdict for each in of_totals} == {"not identifiable"}
    assert {each.decision.n for each in of_totals} == {(60, 60)}
    assert [each.paper[0].value for each in of_totals] == [row["all"] for row in TABLE1.values()]
    cells, groups = others[1:3]
    assert (cells.ours[0].of, cells.ours[0].value) == (30, 30 - len(cells.paper))
    assert groups.verdict in {"agrees", "undecided"}
    order, ranks = others[5], others[7]
    assert ([each.value for each in order.paper], order.verdict) == ([71, 58], "not identifiable")
    assert 0.7 < (ranks.ours[0].value or 0) < 1


def test_a_rate_is_inside_what_ties_and_sampling_allow(small: Sample) -> None:
    for row in small.values():
        for name in ("all", "short", "mid", "long"):
            found = possible(row, name)
            low, high = row.rate(LOWEST, name), row.rate(HIGHEST, name)
            assert None not in {found.value, found.low, found.high, low, high}
            assert found.low <= low <= found.value <= high <= found.high  # type: ignore[operator]


def test_the_study(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, number=12, sizes_given=range(4, 5))
    findings = STUDIES[0].run(bench)
    assert findings.conditions.startswith("12 tasks of 4 blocks, ")
    assert [len(each.table.rows) for each in findings.tables] == [10, 30, 8, 10, 5, 10, 10]
    assert findings.charts == ()
