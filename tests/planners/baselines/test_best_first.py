"""simplan, goal-count and random: the states that they expand, and where they stop."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest
from baseline_runs import Known, Weights, blocks, given_of, graph, run
from hypothesis import given
from hypothesis import strategies as st
from planner_problems import sample

from pddl_pipeline.model.plan import Step
from pddl_pipeline.search.world import world_of
from pddl_pipeline.validation.task import task_of


def expanded_by_the_book(edges: Weights, goal: str, cap: int) -> tuple[list[str], list[str] | None]:
    """Return the expanded nodes in order and the plan as nodes, by another Algorithm 1."""
    queue: list[list[str]] = [["n0"]]
    closed, order = {"n0"}, []
    while queue:
        way = max(queue, key=lambda way: mean(edges, way))  # the first of equals
        queue.remove(way)
        order.append(way[-1])
        for near in sorted(y for x, y in edges if x == way[-1]):
            if near in closed:
                continue
            closed.add(near)
            if near == goal:
                return order, [*way, near]
            queue.append([*way, near])
            if len(queue) > cap:
                queue.remove(min(reversed(queue), key=lambda way: mean(edges, way)))
    return order, None


def mean(edges: Weights, way: list[str]) -> float:
    values = [edges[pair] for pair in pairwise(way)]
    return fmean(values) if values else 0.0


NODES = [f"n{number}" for number in range(9)]
# Multiples of a quarter: their means tie often, and exactly.
EDGES = st.dictionaries(
    st.permutations(NODES).map(lambda nodes: (nodes[0], nodes[1])),
    st.integers(-4, 0).map(lambda value: value / 4),
    max_size=30,
)


@given(edges=EDGES, cap=st.sampled_from([1, 2, 3, 1000]))
def test_simplan_expands_the_way_with_the_largest_mean(
    tmp_path_factory: pytest.TempPathFactory, edges: Weights, cap: int
) -> None:
    reward = Known(edges)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pddl_pipeline.papers.simplan.search.scorer", lambda *_: reward)
        task = given_of(graph(edges, "n0", "n8"), tmp_path_factory.mktemp("graph"))
        done = run("simplan", task, predictions="none", queue=cap)
    order, way = expanded_by_the_book(edges, "n8", cap)
    # Dead ends are expanded without a request.
    assert reward.asked == [node for node in order if any(x == node for x, _ in edges)]
    assert done.effort.expanded == done.effort.predictions == len(order)
    steps = None if way is None else [Step("go", pair) for pair in pairwise(way)]
    assert (None if done.finding.plan is None else list(done.finding.plan)) == steps


def test_a_queue_that_forgot_something_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edges = {("n0", "n1"): -1.0, ("n0", "n2"): -2.0, ("n2", "n8"): -1.0, ("n1", "n3"): -1.0}
    monkeypatch.setattr("pddl_pipeline.papers.simplan.search.scorer", lambda *_: Known(edges))
    task = given_of(graph(edges, "n0", "n8"), tmp_path)
    assert run("simplan", task, predictions="none").finding.plan is not None
    short = run("simplan", task, predictions="none", queue=1).finding
    assert (short.plan, short.proof) == (None, False)
    unreachable = given_of(graph(edges, "n0", "n7"), tmp_path)
    assert run("simplan", unreachable, predictions="none").finding.proof


def test_goal_count_expands_states_with_more_goals_first(tmp_path: Path) -> None:
    """Once c is at its goal position, no state with c elsewhere is expanded."""
    problem = blocks([["a"], ["b"], ["c"], ["d"]], [["on", "b", "a"], ["on", "d", "c"]])
    done = run("goal-count", given_of(problem, tmp_path), predictions="none")
    task = task_of(problem)
    world, state, met = world_of(task), world_of(task).start, []
    for step in done.finding.plan or ():
        state = world.apply(step, state)
        met.append(world.goals_met(state))
    assert met == [0, 1, 1, 2]


def test_random_steps_are_a_plan_at_last(tmp_path: Path) -> None:
    task = given_of(sample("ferry"), tmp_path)
    done, again, other = (run("random", task, predictions="none", seed=n) for n in (1, 1, 51))
    assert done.verdict.status == "valid"
    assert done.effort.predictions == done.effort.expanded == len(done.finding.plan or ())
    assert again.finding == done.finding != other.finding


def test_every_step_is_equally_likely(tmp_path: Path) -> None:
    edges = {("n0", f"n{end}"): 0.0 for end in range(1, 5)}
    task = given_of(graph(edges, "n0", "n4"), tmp_path)
    found = [run("random", task, predictions="none", seed=seed).finding for seed in range(200)]
    ends = {"no step is applicable after 1 step"}
    assert {each.reason for each in found if each.plan is None} == ends
    assert 30 < sum(each.plan is not None for each in found) < 70


@pytest.mark.parametrize("name", ["random", "goal-count", "simplan"])
def test_predictions_and_time_are_limited_exactly(name: str, tmp_path: Path) -> None:
    goal = [["on", x, y] for x, y in ("ab", "bc", "cd", "de")]
    task = given_of(blocks([["a", "b", "c", "d", "e"]], goal), tmp_path)
    done = run(name, task, predictions="3")
    assert done.finding == (None, "no plan within 3 predictions", False)
    assert done.effort.predictions == done.effort.expanded == 3
    done = run(name, task, predictions="none", seconds=1e-9)
    assert done.finding.reason == "no plan within 1e-09 s"
