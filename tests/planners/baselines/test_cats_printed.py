"""CATS in its printed form: where it ends, what its backward tree holds, and its distance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from baseline_runs import COSTS, blocks, closure, drawn, given_of, run
from places import SUPPORT
from planner_outcomes import command_of
from planner_problems import sample

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.search.blocks_states import cheapest_plans
from pddl_pipeline.search.regression import Mutexes, Regression
from pddl_pipeline.search.world import StripsWorld, world_of
from pddl_pipeline.validation.task import task_of

PRINTED = {"meet": "first", "goal": "complete", "mutexes": "off"}
FOREIGN = SUPPORT / "foreign_pddl"


def with_least_costs(seed: int) -> tuple[Problem, int, int]:
    """Return a task, and the costs of its cheapest plans to the goal and to the completed goal."""
    init, goal, problem = drawn(seed, "abcd", 2)
    best = [
        cheapest_plans(init, goal, tuple(COSTS.values()), complete=complete).cost
        for complete in (False, True)
    ]
    return problem, best[0], best[1]


def test_the_printed_search_ends_where_the_trees_meet_by_hand(tmp_path: Path) -> None:
    """One expansion of each tree: (holding a) is after picking up and before stacking."""
    task = given_of(blocks([["a"], ["b"]], [["on", "a", "b"]]), tmp_path, budget=2)
    done = run("cats", task, **PRINTED)
    assert [str(step) for step in done.finding.plan or ()] == ["(pick-up a)", "(stack a b)"]
    assert done.effort.expanded == 2
    assert done.verdict.cost == 2


@pytest.mark.parametrize("goal", ["partial", "complete"])
def test_only_the_exhaustive_search_goes_on_after_a_meeting_above_the_budget(
    goal: str, tmp_path: Path
) -> None:
    ended = 0
    for seed in range(20):
        problem, *best = with_least_costs(seed)
        least = best[goal == "complete"]
        task = given_of(problem, tmp_path, budget=least)
        first = run("cats", task, meet="first", goal=goal, nodes=10**6)
        more = run("cats", task, goal=goal, nodes=10**6)
        assert more.verdict.cost == least
        if first.finding.plan is None:
            ended += 1
            assert first.finding.reason.startswith("the trees met at a cost of ")
            assert first.finding.reason.endswith(f"above the budget of {least}")
            assert first.effort.expanded < more.effort.expanded
        else:
            assert first.finding == more.finding
    assert 0 < ended < 20


@pytest.mark.parametrize("seed", range(4))
def test_without_a_budget_both_end_at_the_first_meeting(seed: int, tmp_path: Path) -> None:
    task = given_of(drawn(seed, "abcd", 2)[2], tmp_path)
    assert run("cats", task, meet="first")[:2] == run("cats", task)[:2]


def test_the_completed_goal_needs_its_own_least_cost(tmp_path: Path) -> None:
    dearer = 0
    for seed in range(12):
        problem, partial, complete = with_least_costs(seed)
        dearer += complete > partial
        for budget, solved in ((complete, True), (complete - 1, False)):
            if budget < 0:
                continue
            task = given_of(problem, tmp_path, budget=budget)
            done = run("cats", task, goal="complete", nodes=10**6)
            assert (done.finding.plan is not None) is solved
            assert not done.finding.proof
    assert dearer > 3


def test_blocks_that_the_goal_does_not_name_are_put_on_the_table() -> None:
    world = world_of(task_of(blocks([["a", "b"], ["c", "d"]], [["on", "a", "c"]])))
    assert isinstance(world, StripsWorld)
    assert world.fact_texts(Regression(world, Mutexes(world), complete=True).start.needed) == (
        "(clear a)", "(clear b)", "(clear d)", "(handempty)", "(on a c)",
        "(ontable b)", "(ontable c)", "(ontable d)",
    )  # fmt: skip


@pytest.mark.parametrize(
    "problem",
    [blocks([["a", "b"], ["c"]], [["on", "a", "c"]]), *map(sample, ("ferry", "grippers"))],
    ids=["blocks", "ferry", "grippers"],
)
def test_the_states_before_a_state_are_those_from_which_a_step_leads_to_it(
    problem: Problem,
) -> None:
    world = world_of(task_of(problem))
    assert isinstance(world, StripsWorld)
    regression = Regression(world, Mutexes(world), complete=True)
    states = closure(world.start, lambda state: [after for _, after in world.successors(state)])
    before = {after: set[tuple[str, int]]() for after in states}
    for state in states:
        for step, after in world.successors(state):
            before[after].add((str(step), state))
    assert regression.start.needed in before
    for state in states:
        found = regression.predecessors(
            regression.start._replace(needed=state, unwanted=world.every & ~state)
        )
        assert {(str(each.step), partial.needed) for each, partial in found} == before[state]


def test_without_mutexes_impossible_states_are_searched(tmp_path: Path) -> None:
    """Two blocks on each other: with mutexes, the goal has no predecessor."""
    circle = blocks([["a"], ["b"]], [["on", "a", "b"], ["on", "b", "a"]])
    known = run("cats", given_of(circle, tmp_path))
    unknown = run("cats", given_of(circle, tmp_path), mutexes="off")
    assert known.finding.proof
    assert known.effort.generated < unknown.effort.generated
    assert known.effort.expanded < unknown.effort.expanded
    assert unknown.finding.plan is None


def test_the_printed_distance_prefers_the_leaf_that_is_least_alike(tmp_path: Path) -> None:
    """The block a must be clear before (stack c a); only picking it up changes that."""
    problem = blocks([["a"], ["b"], ["c", "d"]], [["on", "c", "a"]])
    task = given_of(problem, tmp_path)
    ours = run("cats", task, omega=0)
    printed = run("cats", task, omega=0, distance="printed")
    assert printed.effort.expanded > ours.effort.expanded
    assert printed.verdict.status == "valid"


@pytest.mark.parametrize(
    ("text", "is_new"),
    [
        ("", False),
        ("meet=exhaustive,goal=partial", False),
        ("mutexes=on,distance=jaccard", False),
        ("meet=first", True),
        ("goal=complete", True),
        ("mutexes=off", True),
        ("distance=printed", True),
    ],
)
def test_runs_that_were_stored_before_keep_their_keys(text: str, *, is_new: bool) -> None:
    before = (
        '{"evaluate": true, "file": "", "model": "", "nodes": 500, "omega": 0.5, "pause": 1, '
        '"prompt": "cats", "reward": "goal-count", "timeout": 60, "tries": 5, "url": ""}'
    )
    planner = planner_named(f"cats:{text}" if text else "cats")
    assert (command_of(planner).configuration != before) is is_new


@pytest.mark.parametrize(
    "text", ["meet=first,goal=complete,mutexes=off", "distance=printed,mutexes=off"]
)
def test_other_domains_have_the_printed_form_too(text: str, cli_here: Callable[..., Any]) -> None:
    done = cli_here(
        "solve", "domain.pddl", "p01.pddl", "--planner", f"cats:{text}", cwd=FOREIGN / "gripper"
    )
    assert done.status == 0, done.err
    assert "valid" in done.err
