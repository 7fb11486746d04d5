"""The steps of AutoToS (Cao et al. 2024, section 4) as a state machine.

Step 1 asks for `succ`, then for `isgoal`. Each reply is checked (steps 2 to 4), and a failure is
returned as feedback to the model, with a request for the function that is to blame. The next
request follows from the replies so far and the outcomes of their checks alone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from pddl_pipeline.endpoints.settings import Message
from pddl_pipeline.papers.autotos.loop.opening import SYSTEM, Opening
from pddl_pipeline.papers.autotos.loop.outcome import Outcome
from pddl_pipeline.planners.functions.guarded import ISGOAL, SUCC
from pddl_pipeline.planners.functions.process import CodeSource

MAX_CALLS: Final = 10
"""The maximum number of calls of the model for a function (section 5)."""


class End(StrEnum):
    """How a conversation ends."""

    ACCEPTED = "accepted"
    """Both functions passed all checks."""
    CALLS_USED = "calls-used"
    """A function failed a check after the last call that is allowed for it."""


class Request(NamedTuple):
    """What the model is asked next."""

    function: str
    """``succ`` or ``isgoal``."""
    prompt: str


class Loop:
    """One conversation, up to its end."""

    def __init__(self, opening: Opening, max_calls: int = MAX_CALLS) -> None:
        self._opening = opening
        self._max_calls = max_calls
        self.messages = [Message("system", SYSTEM)]
        """The conversation so far, without the next request."""
        self.request: Request | None = Request(SUCC, opening.succ)
        """The next request; None at the end."""
        self.end: End | None = None
        """How the conversation ended; None before its end."""
        self.calls = {SUCC: 0, ISGOAL: 0}
        """The number of calls of the model by function."""
        self.sources = dict[str, CodeSource]()
        """The last functions by role."""

    def receive(self, text: str, outcome: Outcome) -> None:
        """Advance by the model's reply to the request, and the outcome of its checks.

        Raises:
            ValueError: the conversation has ended.
        """
        if self.request is None:
            raise ValueError("the conversation has ended")
        function, prompt = self.request
        self.messages += [Message("user", prompt), Message("assistant", text)]
        self.calls[function] += 1
        if outcome.source is not None:
            self.sources[function] = outcome.source
        if outcome.failure is not None:
            self._ask(outcome.failure.function, outcome.failure.feedback)
        elif ISGOAL not in self.sources:
            self._ask(ISGOAL, self._opening.isgoal)
        else:
            self.request, self.end = None, End.ACCEPTED

    def _ask(self, function: str, prompt: str) -> None:
        if self.calls[function] < self._max_calls:
            self.request = Request(function, prompt)
        else:
            self.request, self.end = None, End.CALLS_USED
