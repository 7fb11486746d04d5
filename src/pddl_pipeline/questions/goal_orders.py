"""Exact orders between goals: which of two must be achieved first.

SimPlan (sections 3.1 and C.2) takes the orders from the landmarks that LAMA finds. This module
decides them by definition, over all states of a small task; of others, it finds those that h^2
proves. Goal A comes *first* if neither goal holds in the state, and

- some path achieves A, and then B while A stays true; but
- no path achieves B while A is false, and then A while B stays true; and
- no single action achieves both.

The order is *necessary* if B cannot hold before A has held ("certain goals must be achieved before
others are accessible"). Otherwise it is *reasonable*: B may come first, but must be undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pddl_pipeline.search.reachability import Reachability
from pddl_pipeline.search.state_graph import StateGraph
from pddl_pipeline.validation.language import Ground

NECESSARY: Final = "necessary"
REASONABLE: Final = "reasonable"


class GoalOrder(NamedTuple):
    """Two goals and the kind of order between them."""

    first: Ground
    second: Ground
    kind: str
    """``necessary`` or ``reasonable``."""


def goal_orders(graph: StateGraph, start: int, goals: Sequence[Ground]) -> list[GoalOrder]:
    """Return the orders between the goals that do not hold in a state."""
    reachable = graph.reached([start])
    false = [goal for goal in goals if not graph.world.holds(goal, graph.states[start])]
    # Other states have no part in any path from here.
    holds = {goal: graph.holding(goal) & reachable for goal in false}
    found = []
    for one, other in combinations(false, 2):
        for first, second in ((one, other), (other, one)):
            if _must_be_first(graph, reachable, holds[first], holds[second]):
                kind = (
                    NECESSARY
                    if _is_necessary(graph, start, holds[first], holds[second])
                    else REASONABLE
                )
                found.append(GoalOrder(first, second, kind))
    return found


def searched_orders(search: Reachability, pairs: Iterable[Sequence[Ground]]) -> Iterator[GoalOrder]:
    """Yield the orders of pairs of goals that h^2 proves and paths confirm, without all states.

    Raises:
        NotJudged: the limits of the search are exceeded.
    """
    for first, second in pairs:
        # Then every path to both achieves the first goal, and keeps it until the second holds.
        if search.must_precede(first, second) and search.path_to([(first, True), (second, True)]):
            before = search.avoiding(first).path_to([(second, True)])
            yield GoalOrder(first, second, NECESSARY if before is None else REASONABLE)


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
    """Return whether a path achieves a goal before the later one, and keeps it until both hold."""
    # Achieved now: it did not hold before the step, and the later goal does not hold yet.
    achieved = (_followers(graph, reachable - kept) & kept) - later
    return not both.isdisjoint(graph.reached(achieved, lambda number: number in kept) & kept)


def _followers(graph: StateGraph, numbers: set[int]) -> set[int]:
    return {after for number in numbers for after in graph.after[number]}


def _is_necessary(graph: StateGraph, start: int, first: set[int], second: set[int]) -> bool:
    """Return whether the second goal cannot hold before the first has held."""
    return second.isdisjoint(graph.reached([start], lambda n: n not in first) - first)
