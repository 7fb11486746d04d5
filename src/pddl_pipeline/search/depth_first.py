"""Depth-first search without recursion."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.space import Bounds, Searched, Space, State


class _Level(NamedTuple):
    """A state on the path, and its successors that were not visited yet."""

    state: State
    key: Hashable
    rest: Iterator[State]


class _Path:
    """The states from the start to the one that is being expanded."""

    def __init__(self, space: Space, effort: SearchEffort, *, last_first: bool) -> None:
        self._space = space
        self._effort = effort
        self._last_first = last_first
        self.levels: list[_Level] = []
        self.keys: set[Hashable] = set()

    def enter(self, state: State, key: Hashable) -> None:
        """Add a state to the path, and expand it."""
        self._effort.expanded += 1
        after = self._space.succ(state)
        rest = reversed(list(after)) if self._last_first else iter(after)
        self.levels.append(_Level(state, key, rest))
        self.keys.add(key)

    def next(self) -> State | None:
        """Return the next successor of the last state. If there is none, remove that state."""
        after = next(self.levels[-1].rest, None)
        if after is None:
            self.keys.discard(self.levels.pop().key)
        else:
            self._effort.generated += 1
        return after


def depth_first(
    space: Space, bounds: Bounds, effort: SearchEffort, *, last_first: bool = False
) -> Searched:
    """Search along one path to its end, then along the next.

    After the limit of stored states is reached, the search continues without storing further ones.
    A state may then be expanded again, but never below itself: every finite space is searched
    completely.

    Args:
        space: the space to search.
        bounds: the limits of the search.
        effort: counts the expanded and generated states.
        last_first: whether to visit the last successor first, as AutoToS's stack does; then all
            successors of the states on the path are in memory.

    Raises:
        NotAState: raised by the space's ``key``; exceptions of the space's functions also pass.
    """
    deadline = bounds.deadline()
    path, first = _Path(space, effort, last_first=last_first), space.key(space.start)
    remembered = {first}
    if space.isgoal(space.start):
        return Searched((space.start,))
    path.enter(space.start, first)
    while path.levels:
        if time.monotonic() > deadline:
            return bounds.too_late()
        after = path.next()
        if after is None or (key := space.key(after)) in remembered or key in path.keys:
            continue
        if len(remembered) < bounds.states:
            remembered.add(key)
        if space.isgoal(after):
            return Searched((*[level.state for level in path.levels], after))
        path.enter(after, key)
    return Searched(None, f"none of {effort.expanded} expanded states is a goal", exhausted=True)
