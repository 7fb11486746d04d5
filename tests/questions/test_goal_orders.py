"""Tests of goal orders on SimPlan's examples, which are small enough to check by hand."""

from __future__ import annotations

from typing import Any

import pytest
from question_subjects import task_from_record

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.questions.goal_orders import GoalOrder, goal_orders
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.state_graph import StateGraph, distances
from pddl_pipeline.search.world import world_of
from pddl_pipeline.validation.language import Ground

LOW, HIGH = ("on", "b2", "b3"), ("on", "b1", "b2")
FIRST, SECOND, KEY = ("open", "p2"), ("open", "p4"), ("holding", "key0")
CARS = [("at", "c0", "l1"), ("at", "c1", "l1")]
BLOCKS = {"domain": "blocksworld", "holding": None, "goal": [list(HIGH), list(LOW)]}
APART = BLOCKS | {"init": [["b1"], ["b2"], ["b3"]]}
FERRY = {
    "domain": "ferry", "locations": ["l0", "l1"], "cars": ["c0", "c1"], "ferry": "l0",
    "at": {"c0": "l0", "c1": "l0"}, "aboard": None, "goal": {"c0": "l1", "c1": "l1"},
}  # fmt: skip
CORRIDOR = {
    "domain": "minigrid", "floorplan": ["..L.L."], "robot": "p0", "goal": "p5",
    "keys": {"key0": {"shape": "shape0", "at": "p1"}}, "locks": {"p2": "shape0", "p4": "shape0"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("record", "goals", "orders"),
    [
        (APART, [HIGH, LOW], {(LOW, HIGH, "reasonable")}),
        (BLOCKS | {"init": [["b3", "b2"], ["b1"]]}, [HIGH, LOW], set()),  # one holds
        (APART, [HIGH, ("on", "b3", "b2")], set()),  # they exclude each other
        (FERRY, CARS, set()),
        (
            CORRIDOR,
            [SECOND, FIRST, KEY],
            {(FIRST, SECOND, "necessary"), (KEY, FIRST, "necessary"), (KEY, SECOND, "necessary")},
        ),
    ],
    ids=["tower", "one holds", "exclusive", "cars", "doors"],
)
def test_orders_of_goals(
    record: dict[str, Any], goals: list[Ground], orders: set[GoalOrder]
) -> None:
    graph = StateGraph(world_of(task_from_record(record)[1]), Effort()).whole()
    assert set(goal_orders(graph, 0, goals)) == orders


@pytest.mark.parametrize("both", ["", "(:action both :precondition (and) :effect (and (p) (q)))"])
def test_goals_that_one_action_achieves_together_have_no_order(both: str) -> None:
    domain = (
        "(define (domain d) (:predicates (p) (q))"
        " (:action a :precondition (and) :effect (p))"
        f" (:action b :precondition (p) :effect (q)) {both})"
    )
    problem = "(define (problem x) (:domain d) (:init) (:goal (and (p) (q))))"
    graph = StateGraph(world_of(read_task(domain, problem)), Effort()).whole()
    assert goal_orders(graph, 0, [("p",), ("q",)]) == (
        [] if both else [(("p",), ("q",), "necessary")]
    )


def test_bounds_are_kept() -> None:
    world = world_of(task_from_record(CORRIDOR)[1])
    with pytest.raises(NotJudged, match="more than 5 states"):
        StateGraph(world, Effort(most_states=5)).whole()
    near, far = ("at-robot", "p1"), ("at-robot", "p5")
    assert distances(world, world.start, [far, near], 1000) == {near: 1, far: 8}
    assert distances(world, world.start, [far, near], 5) == {near: 1}
