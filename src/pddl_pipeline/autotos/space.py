"""A state space as two functions, and what a search over it comes to."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

State = Any
"""Plain Python data: numbers, strings, lists, tuples, dicts."""


class NotAState(Exception):
    """A value has not the form of the domain's states; the text says why."""


class NonDeterministic(Exception):
    """A state has not the successors that it had when it was expanded first."""


class Space(NamedTuple):
    """A state space that is known by two functions."""

    start: State
    succ: Callable[[State], Iterable[State]]
    """Returns the states after a state; may make them one by one."""
    isgoal: Callable[[State], bool]
    key: Callable[[State], Hashable]
    """Returns the same for two states just when they are the same state; see `NotAState`."""


class Bounds(NamedTuple):
    """How much a search may do."""

    states: int
    """States that are remembered at most."""
    seconds: float = 0
    """Wall-clock time; 0 is without end."""

    def deadline(self) -> float:
        """Return when a search that begins now is to end, in the seconds of `time.monotonic`."""
        return time.monotonic() + self.seconds if self.seconds else math.inf

    def too_late(self) -> Searched:
        """Return what a search comes to that the clock ends."""
        return Searched(None, f"no goal within {self.seconds:g} s", late=True)


class Searched(NamedTuple):
    """What a search came to."""

    path: tuple[State, ...] | None
    """The states from the start to a goal, both included."""
    reason: str = ""
    """Why there is no path, in one line."""
    exhausted: bool = False
    """Whether there is none because every state that can be reached was looked at."""
    late: bool = False
    """Whether it was ended by the clock."""


def retrace(space: Space, keys: Sequence[Hashable]) -> tuple[State, ...]:
    """Return the states of a path from their keys, the first of which is the start's.

    Raises:
        Unsteady: the functions no longer give a state with the next key.
    """
    path = [space.start]
    for key in keys[1:]:
        found = (state for state in space.succ(path[-1]) if space.key(state) == key)
        state = next(found, None)
        if state is None:
            raise NonDeterministic
        path.append(state)
    return tuple(path)
