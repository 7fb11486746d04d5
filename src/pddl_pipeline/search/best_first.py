"""Searches of worlds: greedy best-first search and uniform-cost search.

Greedy best-first search expands the most promising generated state next. It follows SimPlan's
Algorithm 1: states are closed and tested for the goal when they are generated. The length of the
queue may be limited; then it drops the worst paths.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.search.baseline import SearchEffort, SearchResult, UnsupportedTask
from pddl_pipeline.search.world import World

_NO_CAP: Final = 1 << 62


class Node(NamedTuple):
    """A state with the path to it."""

    state: Any
    parent: Node | None = None
    step: Step | None = None
    depth: int = 0
    """Number of steps."""
    spent: Number = 0
    """Cost of the steps."""
    total: float = 0.0
    """Sum of the values of the steps."""

    def steps(self) -> tuple[Step, ...]:
        """Return the steps from the initial state to here."""
        found, node = list[Step](), self
        while node.parent is not None and node.step is not None:
            found.append(node.step)
            node = node.parent
        return tuple(reversed(found))


class Rating(NamedTuple):
    """The rating of a successor."""

    promise: float
    """Larger values are expanded first; of ties, the successor that was generated first."""
    value: float = 0.0
    """Added to the total of its path."""


Rate = Callable[[Node, Sequence[tuple[Step, Any]]], Sequence[Rating]]
"""Return the ratings of a node's successors; there must be at least one."""


def best_first(
    world: World[Any],
    rate: Rate,
    predict: Callable[[], str],
    effort: SearchEffort,
    cap: int = _NO_CAP,
) -> SearchResult:
    """Search for a plan; each expansion counts as one prediction.

    Args:
        world: the state space.
        rate: rates successors.
        predict: counts a prediction; returns the exceeded limit as text, or the empty string.
        effort: the counters to update.
        cap: maximum number of paths in the queue.
    """
    root = Node(world.start)
    if world.is_goal(root.state):
        return SearchResult(Plan())
    # Ascending by promise. Of ties, the path that was added first is at the end.
    queue: list[tuple[float, int, Node]] = [(0.0, 0, root)]
    count, has_forgotten, closed = 0, False, {root.state}
    while queue:
        over = predict()
        if over:
            return SearchResult(None, over)
        node = queue.pop()[2]
        found = world.successors(node.state)
        effort.expanded += 1
        effort.generated += len(found)
        ratings = rate(node, found) if found else ()
        for (step, state), rating in zip(found, ratings, strict=True):
            if state in closed:
                continue
            closed.add(state)
            spent = node.spent + world.cost(step, node.state)
            child = Node(state, node, step, node.depth + 1, spent, node.total + rating.value)
            if world.is_goal(state):
                return SearchResult(Plan(child.steps()))
            count -= 1
            insort(queue, (rating.promise, count, child))
            if len(queue) > cap:
                del queue[0]
                has_forgotten = True
    if has_forgotten:
        return SearchResult(None, f"the queue, limited to {cap} paths, is empty")
    return SearchResult.exhausted()


def cheapest_plan(world: World[Any], most: int, effort: SearchEffort) -> SearchResult | None:
    """Return a cheapest plan with the fewest steps; None if the limit on states is exceeded.

    Args:
        world: the state space.
        most: maximum number of generated states.
        effort: the counters to update.

    Raises:
        UnsupportedTask: a step has a negative cost.
    """
    root = Node(world.start)
    best: dict[Any, tuple[Number, int]] = {root.state: (0, 0)}
    queue: list[tuple[Number, int, int, Node]] = [(0, 0, 0, root)]
    number = 0
    while queue:
        spent, depth, _, node = heappop(queue)
        # A cheaper path was found after this one was queued.
        if best[node.state] != (spent, depth):
            continue
        if world.is_goal(node.state):
            return SearchResult(Plan(node.steps()))
        effort.expanded += 1
        for step, state in world.successors(node.state):
            effort.generated += 1
            cost = world.cost(step, node.state)
            if cost < 0:
                raise UnsupportedTask(f"the step {step} has a negative cost")
            way = (spent + cost, depth + 1)
            if state not in best or way < best[state]:
                best[state] = way
                number += 1
                heappush(queue, (*way, number, Node(state, node, step, depth + 1, way[0])))
        if len(best) > most:
            return None
    return SearchResult.exhausted()
