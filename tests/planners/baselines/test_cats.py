"""CATS: its plans, its limits, and the effect of its weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from baseline_runs import COSTS, Run, blocks, drawn, given_of, run
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_problems import sample

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.papers.rewards import ActionScore
from pddl_pipeline.search.baseline import UnsupportedTask
from pddl_pipeline.search.blocks_states import cheapest_plan

REWARDS = ["none", "uniform", "goal-count"]


def with_least_cost(seed: int, names: str = "abcde") -> tuple[Problem, int]:
    """Return a random task, and the cost of its cheapest plan."""
    init, goal, problem = drawn(seed, names)
    return problem, cheapest_plan(init, goal, list(COSTS.values())).cost


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    reward=st.sampled_from(REWARDS),
    spare=st.sampled_from([0, 5, 42, None]),
    omega=st.sampled_from([0, 0.3, 1]),
    nodes=st.sampled_from([1, 2, 15, 500]),
)
def test_plans_keep_the_budget_and_searches_the_limit(
    tmp_path_factory: pytest.TempPathFactory, seed: int, reward: str, spare: int | None,
    omega: float, nodes: int,
) -> None:  # fmt: skip
    problem, best = with_least_cost(seed)
    budget = None if spare is None else best + spare
    task = given_of(problem, tmp_path_factory.mktemp("cats"), budget=budget)
    done = run("cats", task, reward=reward, omega=omega, nodes=nodes)
    assert done.effort.expanded <= nodes
    if done.finding.plan is None:
        assert done.effort.expanded == nodes
        assert not done.finding.proof
        return
    assert done.verdict.status == "valid"
    assert done.verdict.within_budget is not False
    assert done.verdict.cost >= best


@pytest.mark.parametrize("seed", range(6))
def test_with_room_enough_exactly_the_cheapest_plan_is_affordable(
    seed: int, tmp_path: Path
) -> None:
    problem, best = with_least_cost(seed, "abcd")
    done = run("cats", given_of(problem, tmp_path, budget=best), nodes=10**6)
    assert done.verdict.cost == best
    if best > 0:  # less is no proof that there is no plan
        done = run("cats", given_of(problem, tmp_path, budget=best - 1), nodes=10**6)
        assert done.finding == (None, f"no plan within the budget of {best - 1}", False)


def test_numbers_are_not_for_it(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedTask, match="numbers"):
        run("cats", given_of(sample("countdown"), tmp_path))


def same(one: Run, other: Run) -> bool:
    return (one.finding, one.effort) == (other.finding, other.effort)


def test_the_same_search_gives_the_same_plan(tmp_path: Path) -> None:
    task = given_of(drawn(0, "abcde")[2], tmp_path)
    assert same(run("cats", task), run("cats", task))


class RecordingReward:
    """A reward that records the requests."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    def scores(self, situation: Any, options: Any) -> list[Any]:
        self.asked.append((situation.backward, situation.state(), situation.steps(),
                           situation.spent, tuple(options)))  # fmt: skip
        return [ActionScore(-float(len(str(each.step)))) for each in options]


@pytest.fixture
def reward(monkeypatch: pytest.MonkeyPatch) -> RecordingReward:
    made = RecordingReward()
    monkeypatch.setattr("pddl_pipeline.papers.cats.search.scorer", lambda *_: made)
    return made


def test_without_weight_confidence_is_not_asked_for(
    tmp_path: Path, reward: RecordingReward
) -> None:
    task = given_of(drawn(3, "abcde")[2], tmp_path)
    without = run("cats", task, omega=0)
    assert reward.asked == []
    assert without.effort.predictions == 0
    assert same(without, run("cats", task, reward="none", omega=1))
    assert run("cats", task, omega=1).effort.predictions == len(reward.asked) > 0


def test_both_trees_say_where_they_are(tmp_path: Path, reward: RecordingReward) -> None:
    run("cats", given_of(blocks([["a"], ["b"], ["c", "d"]], [["on", "a", "b"]]), tmp_path))
    forward = next(each for each in reward.asked if not each[0])
    assert forward[1:4] == (
        ("(clear a)", "(clear b)", "(clear d)", "(handempty)", "(on d c)", "(ontable a)",
         "(ontable b)", "(ontable c)"), (), 0,
    )  # fmt: skip
    assert [(str(each.step), each.met, each.wanted) for each in forward[4]] == [
        ("(pick-up a)", 0, 1), ("(pick-up b)", 0, 1), ("(unstack d c)", 0, 1)
    ]  # fmt: skip
    backward = next(each for each in reward.asked if each[0])
    assert backward[1:4] == (("(on a b)",), (), 0)
    assert [(str(each.step), each.met, each.wanted) for each in backward[4]] == [
        ("(stack a b)", 1, 2)
    ]


def test_with_all_weight_on_confidence_the_likeliest_leaf_is_next(
    tmp_path: Path, reward: RecordingReward
) -> None:
    task = given_of(blocks([["a"], ["b"], ["c", "d"]], [["on", "c", "a"]]), tmp_path)
    run("cats", task, omega=1)
    second = [each for each in reward.asked if not each[0]][1]
    assert [str(step) for step in second[2]] == ["(pick-up a)"]  # of the shortest the first
    reward.asked.clear()
    run("cats", task, omega=0.001)
    second = [each for each in reward.asked if not each[0]][1]
    assert [str(step) for step in second[2]] == ["(pick-up b)"]  # which leaves a clear
