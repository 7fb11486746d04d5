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
    name: str, goal: str, tmp_path: Path, weights: Weights = WEIGHTS, **chosen: Any
) -> tuple[list[str], Any]:
    """The nodes at which the reward was requested, and the result."""
    reward = Known(weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pddl_pipeline.papers.rewards.scorer", lambda *_: reward)
        done = run(name, given_of(graph(weights, "s", goal), tmp_path), **chosen)
    return reward.asked, done.finding


def test_tot_keeps_the_best_of_each_depth(tmp_path: Path) -> None:
    asked, found = order("tot", "z", tmp_path, breadth=2)
    # d and e, the successors of a, have less confidence than f; the path over d would be a cycle.
    assert asked == ["s", "a", "b", "f"]
    assert found == (None, "no node is left to expand", False)
    asked, found = order("tot", "i", tmp_path, breadth=3)
    assert [step.arguments[1] for step in found.plan] == ["c", "g", "i"]
    assert asked == ["s", "a", "b", "c", "g"]


def test_tot_goes_deep_where_confidence_is_largest(tmp_path: Path) -> None:
    assert order("tot", "z", tmp_path, search="dfs")[0] == ["s", "a", "b", "f", "c", "g"]
    assert order("tot", "z", tmp_path, search="dfs", depth=2)[0] == ["s", "a", "b", "c"]
    # exp(-2) is 0.135: less likely actions are skipped, and so are their successors.
    assert order("tot", "z", tmp_path, search="dfs", threshold=0.13)[0] == ["s", "a", "b", "f"]
    assert order("tot", "z", tmp_path, search="dfs", threshold=0.14)[0] == ["s", "a"]


def test_rap_rolls_out_by_confidence_and_then_comes_back(tmp_path: Path) -> None:
    asked, found = order("rap", "z", tmp_path)
    # The first path follows the largest confidence; dead ends are not visited again.
    assert asked[:2] == ["s", "a"]
    assert sorted(asked) == ["a", "b", "c", "f", "g", "s"]
    assert found == (None, "no node is left to expand", False)
    # Without exploration, b comes next and leads to the goal: d and e are dead ends of low value.
    assert order("rap", "h", tmp_path, exploration=0)[0] == ["s", "a", "b", "f"]
    assert [step.arguments[1] for step in order("rap", "h", tmp_path)[1].plan] == ["b", "f", "h"]


def test_tot_keeps_the_likelier_of_two_ways_to_a_state(tmp_path: Path) -> None:
    weights = {("s", "a"): -1.0, ("s", "b"): -2.0, ("a", "c"): -3.0, ("b", "c"): -1.0,
               ("c", "d"): -1.0}  # fmt: skip
    asked, found = order("tot", "d", tmp_path, weights)
    assert asked == ["s", "a", "b", "c"]
    assert [step.arguments[1] for step in found.plan] == ["b", "c", "d"]


def test_rap_values_a_way_by_its_mean_reward(tmp_path: Path) -> None:
    """The rewards of the long path over a have a larger sum than b, but a smaller mean."""
    weights = {("s", "a"): -0.2, ("s", "b"): -1.0, ("b", "g"): -1.0, ("a", "x"): -9.0,
               ("x", "y"): -9.0}  # fmt: skip
    chain = ["a", "c", "d", "e", "f"]
    weights |= dict.fromkeys(pairwise(chain), -2.0)
    asked, found = order("rap", "g", tmp_path, weights, exploration=0)
    assert asked == ["s", "a", "c", "d", "e", "b"]
    assert found.plan is not None


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
