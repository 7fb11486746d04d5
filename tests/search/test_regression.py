"""Backward search and mutexes against all states of small tasks."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest
from baseline_runs import blocks, closure
from hypothesis import given
from hypothesis import strategies as st
from planner_problems import sample

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.search.effort import UNLIMITED
from pddl_pipeline.search.invariants import Invariants
from pddl_pipeline.search.regression import Mutexes, Regression
from pddl_pipeline.search.world import Partial, StripsWorld, bits_of, world_of
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


ONE_WAY = Problem(
    """(define (domain d) (:constants b) (:predicates (at ?x) (road ?x ?y) (key) (free))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
       :effect (and (at ?y) (not (at ?x))))
      (:action open :parameters () :precondition (at b) :effect (and (key) (not (free))))
      (:action close :parameters () :precondition (key) :effect (and (free) (not (key)))))""",
    """(define (problem e) (:domain d) (:objects a c d) (:goal (at d))
      (:init (at a) (free) (road a b) (road b a) (road b c) (road c d)))""",
)
WORLDS = {name: strips(problem) for name, problem in (*TASKS.items(), ("one way", ONE_WAY))}
PROVED = {name: Invariants(world, UNLIMITED) for name, world in WORLDS.items()}


@given(st.sampled_from(sorted(WORLDS)), st.data())
def test_what_always_reaches_a_state_does(name: str, data: st.DataObject) -> None:
    world = WORLDS[name]
    states = reachable(world)
    bits = st.lists(st.sampled_from(bits_of(world.every)), max_size=3, unique=True).map(sum)
    begin, wanted = (
        Partial(state & among, among & ~state)
        for state, among in data.draw(st.tuples(*[st.tuples(st.sampled_from(states), bits)] * 2))
    )
    if PROVED[name].always_reaches(begin, wanted):
        for state in filter(begin.holds, states):
            after = closure(state, lambda each: [new for _, new in world.successors(each)])
            assert any(map(wanted.holds, after))
