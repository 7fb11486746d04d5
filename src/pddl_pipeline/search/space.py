"""A state space as two functions, and the limits and result of a search."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

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
        return Searched(None, f"no goal within {self.seconds:g} s", late=True)


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


def retrace(space: Space, keys: Sequence[Hashable]) -> tuple[State, ...]:
    """Return the states of a path from their keys, beginning with the key of the start.

    Raises:
        NonDeterministic: the functions no longer return a state with the next key.
    """
    path = [space.start]
    for key in keys[1:]:
        found = (state for state in space.succ(path[-1]) if space.key(state) == key)
        state = next(found, None)
        if state is None:
            raise NonDeterministic
        path.append(state)
    return tuple(path)
