"""Greedy best-first search: expands the most promising generated state next.

This follows SimPlan's Algorithm 1: states are closed and tested for the goal when they are
generated. The length of the queue may be limited; then it drops the worst paths.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.search.baseline import SearchEffort, SearchResult
from pddl_pipeline.search.world import World

State = TypeVar("State", bound=Hashable)
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
        return tuple(reversed(list(self._backwards())))

    def _backwards(self) -> Iterator[Step]:
        node: Node | None = self
        while node is not None and node.step is not None:
            yield node.step
            node = node.parent


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
    queue = _Queue(root, cap)
    closed = {root.state}
    while queue.ways:
        over = predict()
        if over:
            return SearchResult(None, over)
        node = queue.best()
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
            queue.add(child, rating.promise)
    if queue.has_forgotten:
        return SearchResult(None, f"the queue, limited to {cap} paths, is empty")
    return SearchResult.exhausted()


class _Queue:
    """Paths sorted by promise; of ties, the path that was added first is better."""

    def __init__(self, root: Node, cap: int) -> None:
        # In ascending order, so that the best path is at the end.
        self.ways: list[tuple[float, int, Node]] = [(0.0, 0, root)]
        self.has_forgotten = False
        self._cap = cap
        self._count = 0

    def best(self) -> Node:
        """Remove and return the best path."""
        return self.ways.pop()[2]

    def add(self, node: Node, promise: float) -> None:
        """Add a path; if there are too many, drop the worst one."""
        self._count -= 1
        insort(self.ways, (promise, self._count, node))
        if len(self.ways) > self._cap:
            del self.ways[0]
            self.has_forgotten = True
