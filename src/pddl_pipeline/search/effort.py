"""The limits of searches for one answer."""

from __future__ import annotations

import time
from math import inf
from typing import Final

from pddl_pipeline.model.errors import NotJudged

SECONDS: Final = 10.0
"""The time that an answer may take by default."""


class Effort:
    """What is left of the time and the states that an answer may take.

    The time is wall-clock time, because the limit is a promise to a user who waits. Processor time
    would break it on a busy machine, and would include the other threads of the process.
    """

    def __init__(self, seconds: float = SECONDS, most_states: float = inf) -> None:
        """Begin to count.

        Args:
            seconds: maximum time from now on.
            most_states: maximum number of expanded states.
        """
        self._seconds, self._end = seconds, time.monotonic() + seconds
        self._most = self._left = most_states

    def spend(self, states: float = 1) -> None:
        """Count expanded states; none if only the time is to be checked.

        Raises:
            NotJudged: a limit is exceeded.
        """
        self._left -= states
        if self._left < 0:
            raise NotJudged(f"it takes more than {self._most:,} states")
        if time.monotonic() > self._end:
            raise NotJudged(f"not decided within {self._seconds:g} s")


UNLIMITED: Final = Effort(inf)
