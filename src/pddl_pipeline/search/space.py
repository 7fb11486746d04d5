"""A state space as two functions, searched breadth first or depth first."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.state_graph import way_to

State = Any
"""Plain Python data: numbers, strings, lists, tuples, dicts."""


class NotAState(Exception):
    """A value does not have the form of the domain's states; the text is the reason."""


class NonDeterministic(Exception):
    """A state has other successors than when it was first expanded."""


class Space(NamedTuple):
    """A state space that is given by two functions."""

    start: State
    succ: Callable[[State], Iterable[State]]
    """Return the successors of a state, possibly one by one."""
    isgoal: Callable[[State], bool]
    key: Callable[[State], Hashable]
    """Return a value that is equal for two states if and only if they are the same state.

    Raise `NotAState` for other values."""


LIMIT_REACHED: Final = "no goal"
"""The first words of the reason if a search reached a limit."""


class Bounds(NamedTuple):
    """The limits of a search."""

    states: int
    """Maximum number of stored states."""
    seconds: float = 0
    """Wall-clock time limit; 0 means no limit."""

    def deadline(self) -> float:
        """Return the deadline of a search that begins now, in seconds of `time.monotonic`."""
        return time.monotonic() + self.seconds if self.seconds else math.inf

    def too_late(self) -> Searched:
        """Return the result of a search that reached its time limit."""
        return Searched(None, f"{LIMIT_REACHED} within {self.seconds:g} s", late=True)


class Searched(NamedTuple):
    """The result of a search."""

    path: tuple[State, ...] | None
    """The states from the start to a goal, both included."""
    reason: str = ""
    """Why there is no path, in one line."""
    exhausted: bool = False
    """Whether there is no path because all reachable states were visited."""
    late: bool = False
    """Whether the search reached its time limit."""


def breadth_first(
    space: Space, bounds: Bounds, effort: SearchEffort, *, late_test: bool = False
) -> Searched:
    """Search layer by layer, each state once; stop when the limit of stored states is reached.

    Only the keys of expanded states are stored; the states of the path are computed again at the
    end. The path has the fewest steps.

    Args:
        space: the space to search.
        bounds: the limits of the search.
        effort: counts the expanded and generated states.
        late_test: whether to test a state for the goal before it is expanded,
            instead of when it is generated.

    Raises:
        NonDeterministic: the functions return different results when called again.
        NotAState: raised by the space's ``key``; exceptions of the space's functions also pass.
    """
    deadline = bounds.deadline()
    first = space.key(space.start)
    before: dict[Hashable, Hashable] = {first: None}
    if space.isgoal(space.start):
        return Searched((space.start,))
    queue = deque([(first, space.start)])
    while queue:
        if time.monotonic() > deadline:
            return bounds.too_late()
        parent, state = queue.popleft()
        if late_test and space.isgoal(state):
            return Searched(_retraced(space, before, parent))
        effort.expanded += 1
        for after in space.succ(state):
            effort.generated += 1
            if (key := space.key(after)) in before:
                continue
            if len(before) >= bounds.states:
                return Searched(
                    None, f"{LIMIT_REACHED} among {bounds.states} states, the most to remember"
                )
            before[key] = parent
            if not late_test and space.isgoal(after):
                return Searched(_retraced(space, before, key))
            queue.append((key, after))
    return Searched(None, f"none of the {len(before)} states is a goal", exhausted=True)


def _retraced(
    space: Space, before: Mapping[Hashable, Hashable], last: Hashable
) -> tuple[State, ...]:
    """Return the states of the path to a key, given the key before each key."""
    path = [space.start]
    for key in way_to(last, before)[1:]:
        found = (state for state in space.succ(path[-1]) if space.key(state) == key)
        state = next(found, None)
        if state is None:
            raise NonDeterministic
        path.append(state)
    return tuple(path)


def depth_first(
    space: Space, bounds: Bounds, effort: SearchEffort, *, last_first: bool = False
) -> Searched:
    """Search along one path to its end, then along the next, without recursion.

    After the limit of stored states is reached, the search continues without storing further ones.
    A state may then be expanded again, but never below itself: every finite space is searched
    completely.

    Args:
        space: the space to search.
        bounds: the limits of the search.
        effort: counts the expanded and generated states.
        last_first: whether to visit the last successor first, as a stack does; then all
            successors of the states on the path are in memory.

    Raises:
        NotAState: raised by the space's ``key``; exceptions of the space's functions also pass.
    """

    def successors(state: State) -> Iterator[State]:
        effort.expanded += 1
        after = space.succ(state)
        return reversed(list(after)) if last_first else iter(after)

    deadline = bounds.deadline()
    path = {space.key(space.start): space.start}
    remembered = set(path)
    if space.isgoal(space.start):
        return Searched((space.start,))
    left = [successors(space.start)]
    while left:
        if time.monotonic() > deadline:
            return bounds.too_late()
        after = next(left[-1], None)
        if after is None:
            left.pop()
            path.popitem()
            continue
        effort.generated += 1
        # Also the states of the path: beyond the limit they are not remembered, and a circle has no
        # end.
        if (key := space.key(after)) in remembered or key in path:
            continue
        if len(remembered) < bounds.states:
            remembered.add(key)
        if space.isgoal(after):
            return Searched((*path.values(), after))
        path[key] = after
        left.append(successors(after))
    return Searched(None, f"none of {effort.expanded} expanded states is a goal", exhausted=True)
