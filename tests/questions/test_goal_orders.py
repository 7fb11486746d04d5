"""Tests of goal orders on SimPlan's examples, which are small enough to check by hand."""

from __future__ import annotations

from typing import Any

import pytest
from question_subjects import task_from_record

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.questions.goal_orders import goal_orders
from pddl_pipeline.search.state_graph import StateGraph, distances
from pddl_pipeline.search.world import world_of

B1_ON_B2, B2_ON_B3 = ("on", "b1", "b2"), ("on", "b2", "b3")
FIRST_DOOR, SECOND_DOOR, KEY = ("open", "p2"), ("open", "p4"), ("holding", "key0")


def graph_of(record: dict[str, Any], most_states: int = 1000) -> StateGraph:
    return StateGraph(world_of(task_from_record(record)[1]), most_states)


def blocks(*stacks: list[str]) -> dict[str, Any]:
    goal = [list(B1_ON_B2), list(B2_ON_B3)]
    return {"domain": "blocksworld", "init": list(stacks), "holding": None, "goal": goal}


CORRIDOR = {
    "domain": "minigrid", "floorplan": ["..L.L."], "robot": "p0", "goal": "p5",
    "keys": {"key0": {"shape": "shape0", "at": "p1"}}, "locks": {"p2": "shape0", "p4": "shape0"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("stacks", "goals", "orders"),
    [
        ([["b1"], ["b2"], ["b3"]], [B1_ON_B2, B2_ON_B3], [(B2_ON_B3, B1_ON_B2, "reasonable")]),
        # The second goal holds.
        ([["b3", "b2"], ["b1"]], [B1_ON_B2, B2_ON_B3], []),
        # The goals exclude each other.
        ([["b1"], ["b2"], ["b3"]], [B1_ON_B2, ("on", "b3", "b2")], []),
    ],
)
def test_orders_of_blocks(stacks: list[list[str]], goals: list[Any], orders: list[Any]) -> None:
    assert goal_orders(graph_of(blocks(*stacks)), 0, goals) == orders


def test_cars_may_come_in_any_order() -> None:
    record = {
        "domain": "ferry", "locations": ["l0", "l1"], "cars": ["c0", "c1"], "ferry": "l0",
        "at": {"c0": "l0", "c1": "l0"}, "aboard": None, "goal": {"c0": "l1", "c1": "l1"},
    }  # fmt: skip
    assert goal_orders(graph_of(record), 0, [("at", "c0", "l1"), ("at", "c1", "l1")]) == []


def test_the_outer_door_comes_first_necessarily() -> None:
    found = goal_orders(graph_of(CORRIDOR), 0, [SECOND_DOOR, FIRST_DOOR, KEY])
    assert (FIRST_DOOR, SECOND_DOOR, "necessary") in found
    assert (KEY, FIRST_DOOR, "necessary") in found
    assert (SECOND_DOOR, FIRST_DOOR) not in [order[:2] for order in found]


@pytest.mark.parametrize("both", ["", "(:action both :precondition (and) :effect (and (p) (q)))"])
def test_goals_that_one_action_achieves_together_have_no_order(both: str) -> None:
    domain = (
        "(define (domain d) (:predicates (p) (q))"
        " (:action a :precondition (and) :effect (p))"
        f" (:action b :precondition (p) :effect (q)) {both})"
    )
    problem = "(define (problem x) (:domain d) (:init) (:goal (and (p) (q))))"
    graph = StateGraph(world_of(read_task(domain, problem)), 10)
    found = goal_orders(graph, 0, [("p",), ("q",)])
    assert found == ([] if both else [(("p",), ("q",), "necessary")])


def test_bounds_are_kept() -> None:
    with pytest.raises(NotJudged, match="more than 5 states"):
        graph_of(CORRIDOR, most_states=5)
    world = world_of(task_from_record(CORRIDOR)[1])
    near, far = ("at-robot", "p1"), ("at-robot", "p5")
    assert distances(world, world.start, [far, near], 1000) == {near: 1, far: 8}
    assert distances(world, world.start, [far, near], 5) == {near: 1}
