"""Backward search and mutexes against all states of small tasks."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest
from baseline_runs import blocks, closure
from planner_problems import sample

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.search.regression import Mutexes, Regression
from pddl_pipeline.search.world import StripsWorld, bits_of, world_of
from pddl_pipeline.validation.task import task_of

NEGATIVE = Problem(
    """(define (domain d) (:predicates (p ?x) (q ?x) (r))
      (:action a :parameters (?x) :precondition (and (not (p ?x)) (not (r)))
       :effect (and (p ?x) (not (q ?x))))
      (:action b :parameters (?x) :precondition (p ?x) :effect (and (q ?x) (r) (not (p ?x))))
      (:action c :parameters () :precondition (r) :effect (not (r))))""",
    """(define (problem e) (:domain d) (:objects x y) (:init (q x))
      (:goal (and (q y) (not (r)) (not (q x)))))""",
)
TASKS = {
    "negative": NEGATIVE,
    "three blocks": blocks([["a", "b"], ["c"]], [["on", "a", "c"]]),
    "ferry": sample("ferry"),
    "grippers": sample("grippers"),
}


def strips(problem: Problem) -> StripsWorld:
    world = world_of(task_of(problem))
    assert isinstance(world, StripsWorld)
    return world


def reachable(world: StripsWorld) -> list[int]:
    return closure(world.start, lambda state: [after for _, after in world.successors(state)])


def distances(world: StripsWorld, states: list[int]) -> dict[int, int]:
    """Return each state's distance to the goal in steps, by iterating over all states."""
    found = {state: 0 for state in states if world.is_goal(state)}
    while True:
        nearer = {
            state: 1 + min(found[after] for _, after in world.successors(state) if after in found)
            for state in set(states) - found.keys()
            if any(after in found for _, after in world.successors(state))
        }
        if not nearer:
            return found
        found |= nearer


@pytest.mark.parametrize("name", TASKS)
def test_mutexes_never_hold_together(name: str) -> None:
    """Of blocks, every pair that never holds together is known."""
    world = strips(TASKS[name])
    mutexes, states = Mutexes(world), reachable(world)
    for one, other in combinations_with_replacement(bits_of(world.every), 2):
        together = any(state & one and state & other for state in states)
        known = bool(mutexes.excluded(one) & other)
        assert not (known and together)
        assert known or together or name != "three blocks"


@pytest.mark.parametrize("name", ["negative", "three blocks"])
def test_partial_states_are_as_far_off_as_the_nearest_states_that_they_mean(name: str) -> None:
    """Regression finds exactly the steps that lead on from a state."""
    world = strips(TASKS[name])
    regression, states = Regression(world, Mutexes(world)), reachable(world)
    depths = {regression.start: 0}
    for partial in closure(regression.start, lambda p: [b for _, b in regression.predecessors(p)]):
        for _, before in regression.predecessors(partial):
            depths.setdefault(before, depths[partial] + 1)
    exact = distances(world, states)
    assert exact
    for state in states:
        depth = min((depths[each] for each in depths if each.holds(state)), default=None)
        assert depth == exact.get(state)


@pytest.mark.parametrize("name", TASKS)
def test_a_step_leads_from_what_is_needed_before_it_to_what_is_needed_after_it(name: str) -> None:
    world = strips(TASKS[name])
    regression, states = Regression(world, Mutexes(world)), sorted(reachable(world))[:300]
    queue: list[Any] = [regression.start]
    for partial in queue[:40]:
        for operator, before in regression.predecessors(partial):
            queue.append(before)
            for state in states:
                if before.holds(state):
                    assert operator in world.applicable(state)
                    assert partial.holds(world.apply(operator.step, state))
