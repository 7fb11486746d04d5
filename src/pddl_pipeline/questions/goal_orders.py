"""Which of two goals must be achieved first, exactly, by all states of a small task.

SimPlan (sections 3.1 and C.2) takes the orders from the landmarks that LAMA finds. Here they are
decided by definition. Goal A comes *first* where both do not hold in the state, and

- there is a way on which A is achieved, then B while A stays true; but
- no way on which B is achieved while A is false, and then A while B stays true;
- no single action that achieves both.

The order is *necessary* where B cannot hold at all before A has held ("certain goals must be
achieved before others are accessible"), else *reasonable*: B may come first, but has to be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pddl_pipeline.questions.state_graph import StateGraph
from pddl_pipeline.validation.language import Ground

NECESSARY: Final = "necessary"
REASONABLE: Final = "reasonable"


class GoalOrder(NamedTuple):
    """Two goals of which one must be achieved first."""

    first: Ground
    second: Ground
    kind: str
    """``necessary`` or ``reasonable``."""


def goal_orders(graph: StateGraph, start: int, goals: Sequence[Ground]) -> list[GoalOrder]:
    """Return the pairs of goals that have an order from a state in which neither holds."""
    reachable = graph.reached([start])
    false = [goal for goal in goals if goal not in graph.keys[start].facts]
    holds = {goal: {n for n in reachable if goal in graph.keys[n].facts} for goal in false}
    found = []
    for one, other in combinations(false, 2):
        for first, second in ((one, other), (other, one)):
            if _must_be_first(graph, reachable, holds[first], holds[second]):
                kind = NECESSARY if _is_necessary(graph, start, holds[first], holds[second]) \
                    else REASONABLE  # fmt: skip
                found.append(GoalOrder(first, second, kind))
    return found


def _must_be_first(
    graph: StateGraph, reachable: set[int], first: set[int], second: set[int]
) -> bool:
    both = first & second
    return (
        _leads_to_both(graph, reachable, first, both, second)
        and not _leads_to_both(graph, reachable, second, both, first)
        and both.isdisjoint(_followers(graph, reachable - first - second))
    )


def _leads_to_both(
    graph: StateGraph, reachable: set[int], kept: set[int], both: set[int], later: set[int]
) -> bool:
    """Whether a goal can be achieved while the later one is false, and kept until both hold."""
    achieved = (_followers(graph, reachable - kept) & kept) - later
    return not both.isdisjoint(graph.reached(achieved, lambda number: number in kept) & kept)


def _followers(graph: StateGraph, numbers: set[int]) -> set[int]:
    return {after for number in numbers for after in graph.after[number]}


def _is_necessary(graph: StateGraph, start: int, first: set[int], second: set[int]) -> bool:
    """Whether the second cannot hold before the first has held."""
    return second.isdisjoint(graph.reached([start], lambda n: n not in first) - first)


def landmarks(graph: StateGraph, start: int, goals: set[int]) -> list[Ground]:
    """Return the atoms that hold on every way to a goal state, not yet in the state, sorted.

    Args:
        graph: all states.
        start: where ways begin.
        goals: the states in which the goal holds.
    """
    path = _way(graph, start, goals)
    candidates = {atom for number in path for atom in graph.keys[number].facts}
    return [
        atom
        for atom in sorted(candidates - graph.keys[start].facts)
        if not _avoidable(graph, start, goals, atom)
    ]


def _avoidable(graph: StateGraph, start: int, goals: set[int], atom: Ground) -> bool:
    free = graph.reached([start], lambda n: atom not in graph.keys[n].facts)
    return any(atom not in graph.keys[number].facts for number in free & goals)


def _way(graph: StateGraph, start: int, goals: set[int]) -> list[int]:
    """Return a shortest way to a goal state; empty where there is none."""
    before: dict[int, int] = {start: start}
    for number in _in_order(graph, before, start):
        if number in goals:
            way = [number]
            while way[-1] != start:
                way.append(before[way[-1]])
            return way
    return []


def _in_order(graph: StateGraph, before: dict[int, int], start: int) -> list[int]:
    """Return the states from the nearest to the farthest, and fill in each one's predecessor."""
    order = [start]
    for number in order:  # which grows
        for other in graph.after[number]:
            if other not in before:
                before[other] = number
                order.append(other)
    return order
