"""tot and rap: their plans, their limits and their preferences."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from baseline_runs import Known, Weights, drawn, given_of, graph, run
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_problems import sample

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("tot", {"search": "bfs"}), ("tot", {"search": "dfs"}), ("rap", {})
]  # fmt: skip
WEIGHTS = {
    ("s", "a"): -1.0, ("s", "b"): -2.0, ("s", "c"): -3.0, ("a", "d"): -5.0, ("a", "e"): -6.0,
    ("b", "f"): -1.0, ("c", "g"): -0.5, ("d", "s"): -0.1, ("f", "h"): -1.0, ("g", "i"): -1.0,
}  # fmt: skip


def order(
    name: str, goal: str, tmp_path: Path, weights: Weights, **chosen: Any
) -> tuple[list[str], Any]:
    """The nodes at which the reward was requested, and the result."""
    reward = Known(weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pddl_pipeline.papers.rewards.scorer", lambda *_: reward)
        done = run(name, given_of(graph(weights, "s", goal), tmp_path), **chosen)
    return reward.asked, done.finding


DFS = {"search": "dfs"}
TWO_WAYS = {("s", "a"): -1.0, ("s", "b"): -2.0, ("a", "c"): -3.0, ("b", "c"): -1.0,
            ("c", "d"): -1.0}  # fmt: skip
LONG = {("s", "a"): -0.2, ("s", "b"): -1.0, ("b", "g"): -1.0, ("a", "x"): -9.0, ("x", "y"): -9.0,
        **dict.fromkeys(pairwise("acdef"), -2.0)}  # fmt: skip
# The planner, the goal, the weights, the settings, where the reward is requested, and the plan.
ORDERS: dict[str, tuple[str, str, Weights, dict[str, Any], str, str]] = {
    # d and e, the successors of a, have less confidence than f; the path over d would be a cycle.
    "tot keeps the best of each depth": ("tot", "z", WEIGHTS, {"breadth": 2}, "sabf", ""),
    "of three": ("tot", "i", WEIGHTS, {"breadth": 3}, "sabcg", "cgi"),
    "tot goes deep where confidence is largest": ("tot", "z", WEIGHTS, DFS, "sabfcg", ""),
    "to a depth": ("tot", "z", WEIGHTS, {**DFS, "depth": 2}, "sabc", ""),
    # exp(-2) is 0.135: less likely actions are skipped, and so are their successors.
    "likely actions": ("tot", "z", WEIGHTS, {**DFS, "threshold": 0.13}, "sabf", ""),
    "more likely actions": ("tot", "z", WEIGHTS, {**DFS, "threshold": 0.14}, "sa", ""),
    "tot keeps the likelier of two ways to a state": ("tot", "d", TWO_WAYS, {}, "sabc", "bcd"),
    # Without exploration, b comes next and leads to the goal: d and e are dead ends of low value.
    "rap comes back": ("rap", "h", WEIGHTS, {"exploration": 0}, "sabf", "bfh"),
    # The rewards of the long path over a have a larger sum than b, but a smaller mean.
    "rap values a way by its mean reward": ("rap", "g", LONG, {"exploration": 0}, "sacdeb", "bg"),
}


@pytest.mark.parametrize("name", ORDERS)
def test_where_the_reward_is_requested(tmp_path: Path, name: str) -> None:
    planner, goal, weights, settings, requested, plan = ORDERS[name]
    asked, found = order(planner, goal, tmp_path, weights, **settings)
    assert "".join(asked) == requested
    assert "".join(step.arguments[1] for step in found.plan or ()) == plan
    assert bool(plan) or found == (None, "no node is left to expand", False)


def test_rap_rolls_out_by_confidence_and_does_not_visit_dead_ends_again(tmp_path: Path) -> None:
    asked, found = order("rap", "z", tmp_path, WEIGHTS)
    assert (asked[:2], "".join(sorted(asked))) == (["s", "a"], "abcfgs")
    assert found == (None, "no node is left to expand", False)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(KINDS),
    reward=st.sampled_from(["none", "uniform", "goal-count"]),
    budget=st.sampled_from([None, 10, 45, 100]),
    nodes=st.sampled_from([1, 20, 500]),
    depth=st.sampled_from([1, 6, 32]),
)
def test_plans_keep_budget_and_depth_and_searches_the_limit(
    tmp_path_factory: pytest.TempPathFactory, seed: int, kind: tuple[str, dict[str, Any]],
    reward: str, budget: int | None, nodes: int, depth: int,
) -> None:  # fmt: skip
    task = given_of(drawn(seed, "abcde", 2)[2], tmp_path_factory.mktemp("tree"), budget=budget)
    chosen = {"reward": reward, "nodes": nodes, "depth": depth, **kind[1]}
    done = run(kind[0], task, **chosen)
    assert done.effort.expanded <= nodes
    assert done.effort.predictions <= done.effort.expanded
    again = run(kind[0], task, **chosen)
    assert (again.finding, again.effort) == (done.finding, done.effort)
    if done.finding.plan is None:
        assert not done.finding.proof
        return
    assert len(done.finding.plan) <= depth
    assert done.verdict.status == "valid"
    assert done.verdict.within_budget is not False


def test_rap_draws_between_equals_by_its_seed(tmp_path: Path) -> None:
    task = given_of(sample("ferry"), tmp_path)
    plans = {run("rap", task, reward="none", seed=seed).finding.plan for seed in range(6)}
    assert len(plans) > 1
