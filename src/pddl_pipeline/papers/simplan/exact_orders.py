"""Exact orders of two facts in a task, computed without landmarks, for comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from pddl_pipeline.search.state_graph import StateGraph
from pddl_pipeline.validation.language import Ground

Orders = Mapping[frozenset[Ground], Ground]
"""The first fact of each pair that has an order."""
_OPEN: Final = "open"


def orders_of_task(graph: StateGraph, goals: Sequence[Ground], whole: Iterable[Ground]) -> Orders:
    """Return the orders of pairs of goals on paths to the complete goal.

    Goal A comes first if some path reaches the complete goal from a state with A and without B
    while A stays true, but no path does so from a state with B and without A while B stays true.
    This is a reasonable order as Hoffmann and Koehler (2000) define it: B would have to be undone.

    Args:
        graph: all states.
        goals: the goals to compare.
        whole: all goals of the task.
    """
    holds = {goal: graph.holding(goal) for goal in goals}
    ends = graph.holding(*whole)
    found: dict[frozenset[Ground], Ground] = {}
    for one, other in combinations(goals, 2):
        ways = [
            _can_be_kept(graph, holds[first], holds[second], ends)
            for first, second in ((one, other), (other, one))
        ]
        if ways[0] != ways[1]:
            found[frozenset((one, other))] = one if ways[0] else other
    return found


def _can_be_kept(graph: StateGraph, kept: set[int], later: set[int], ends: set[int]) -> bool:
    return not ends.isdisjoint(graph.reached(kept - later, lambda number: number in kept))


def orders_of_doors(facts: Iterable[Ground], goal: str) -> Orders:
    """Return the orders of pairs of doors of Minigrid among the doors that all plans open.

    A task without a plan has no orders. A door comes first if the other one cannot be opened while
    it stays locked. The places that the robot can reach are computed exactly: it can undo every
    step, no key is used up, and doors stay open.

    Args:
        facts: the facts of the initial state.
        goal: the place to reach.
    """
    known = frozenset(facts)
    doors = [fact[1] for fact in sorted(known) if fact[0] == "locked"]
    left = {door: _reached(known, door) for door in doors}
    is_solvable = goal in _reached(known, None)
    needed = [door for door in doors if is_solvable and goal not in left[door]]
    found: dict[frozenset[Ground], Ground] = {}
    for one, other in combinations(needed, 2):
        for first, second in ((one, other), (other, one)):
            if second not in left[first]:
                found[frozenset(((_OPEN, one), (_OPEN, other)))] = (_OPEN, first)
    return found


def _reached(facts: frozenset[Ground], shut: str | None) -> set[str]:
    """Return the places that the robot can reach, including open doors.

    Args:
        facts: the facts of the initial state.
        shut: a door that stays locked, or None.
    """
    shapes = {(fact[1], fact[2]) for fact in facts if fact[0] == "key-shape"}
    lying = {(fact[1], fact[2]) for fact in facts if fact[0] == "at"}
    locks = {fact[1]: fact[2] for fact in facts if fact[0] == "lock-shape"}
    locked = {fact[1] for fact in facts if fact[0] == "locked"}
    reached = {fact[1] for fact in facts if fact[0] == "at-robot"}
    held = {fact[1] for fact in facts if fact[0] == "holding"}
    size = 0
    while size < len(reached):
        size = len(reached)
        held |= {key for key, place in lying if place in reached}
        fitting = {shape for key, shape in shapes if key in held}
        beside = {fact[2] for fact in facts if fact[0] == "conn" and fact[1] in reached}
        reached |= {
            place for place in beside
            if place != shut and (place not in locked or locks[place] in fitting)
        }  # fmt: skip
    return reached
