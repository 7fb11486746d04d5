"""Greedy best-first search: the most promising of all states that were generated comes next.

As SimPlan's Algorithm 1 has it: states are closed when they are generated, and so is the goal
tested; the queue may be capped, and then forgets the worst.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.search.baseline import SearchEffort, SearchResult
from pddl_pipeline.search.search_budget import SearchBudget
from pddl_pipeline.search.world import World

State = TypeVar("State", bound=Hashable)
_NO_CAP: Final = 1 << 62


class Node(NamedTuple):
    """A state with the way to it."""

    state: Any
    parent: Node | None = None
    step: Step | None = None
    depth: int = 0
    """How many steps."""
    spent: Number = 0
    """What the steps cost."""
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
    """What is thought of a successor."""

    promise: float
    """The larger, the sooner it is expanded; of equals, the one that was generated first."""
    value: float = 0.0
    """Added to the total of its way."""


Rate = Callable[[Node, Sequence[tuple[Step, Any]]], Sequence[Rating]]
"""Rates the successors of a node, all at once; called with at least one."""


def best_first(
    world: World[Any], rate: Rate, allowance: SearchBudget, effort: SearchEffort, cap: int = _NO_CAP
) -> SearchResult:
    """Search; each expansion counts as one prediction.

    Args:
        world: the state space.
        rate: rates successors.
        allowance: how long it may go on.
        effort: where it counts.
        cap: how many ways the queue keeps.
    """
    root = Node(world.start)
    if world.is_goal(root.state):
        return SearchResult(Plan())
    queue = _Queue(root, cap)
    closed = {root.state}
    while queue.ways:
        over = allowance.predict()
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
        return SearchResult(None, f"the queue, of {cap} ways at most, has run empty")
    return SearchResult(None, "every state that can be reached was looked at", proof=True)


class _Queue:
    """Ways by their promise; of equals the one that came first is the better one."""

    def __init__(self, root: Node, cap: int) -> None:
        # Ascending, so that the best one is at the end.
        self.ways: list[tuple[float, int, Node]] = [(0.0, 0, root)]
        self.has_forgotten = False
        self._cap = cap
        self._count = 0

    def best(self) -> Node:
        """Take out the best way."""
        return self.ways.pop()[2]

    def add(self, node: Node, promise: float) -> None:
        """Put in a way; where there are too many, the worst one goes."""
        self._count -= 1
        insort(self.ways, (promise, self._count, node))
        if len(self.ways) > self._cap:
            del self.ways[0]
            self.has_forgotten = True
