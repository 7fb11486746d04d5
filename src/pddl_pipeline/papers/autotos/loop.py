"""The steps of AutoToS (Cao et al. 2024, section 4) as a state machine, with prompts and checks.

Step 1 asks for `succ`, then for `isgoal`. Each reply is checked (steps 2 to 4), and a failure is
returned as feedback to the model, with a request for the function that is to blame. The next
request follows from the replies so far and the outcomes of their checks alone.

``prompts.toml`` has the prompts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pddl_pipeline.endpoints.settings import Message
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.papers.autotos.checks import Checked, Checks, Stage, UnitTests
from pddl_pipeline.papers.autotos.feedback import feedback, texts
from pddl_pipeline.planners.foreign_code.guarded import (
    ISGOAL,
    SUCC,
    Category,
    CodeFails,
    Failure,
    Guarded,
    function_in,
)
from pddl_pipeline.planners.foreign_code.process import CALL_S, CodeSource, Functions
from pddl_pipeline.search.black_boxes.domain import Domain, fault_of
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.tables.text_table import NO_NUMBER

_PROMPTS: Final = texts("prompts.toml")
SYSTEM: Final[str] = _PROMPTS["system"]


class Opening(NamedTuple):
    """The initial prompts of a domain."""

    succ: str
    isgoal: str


OPENINGS: Final = {name: Opening(**prompts) for name, prompts in _PROMPTS["openings"].items()}
"""The initial prompts by the name of the domain."""


class CheckOutcome(NamedTuple):
    """The result of the checks after one reply."""

    stage: Stage
    """The last stage that began."""
    source: CodeSource | None = None
    """The function of the reply; None if it has none."""
    failure: Failure | None = None
    """The first failure, or None."""
    version: str = VERSION
    """The version of this package that made the checks; ``-`` if it did not store it."""

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as the fields of a stored line."""
        failure, source = self.failure, self.source
        return {
            "stage": self.stage,
            "code": None if source is None else source.code,
            "name": None if source is None else next(iter(source.names.values())),
            "category": None if failure is None else failure.category,
            "blamed": None if failure is None else failure.function,
            "reason": None if failure is None else failure.reason,
            "feedback": None if failure is None else feedback(failure.fault),
            "version": self.version,
        }


def outcome_from_json(fields: Mapping[str, Any], function: str) -> CheckOutcome:
    """Return an outcome from the fields of a stored line.

    Args:
        fields: what `Outcome.to_json` returned.
        function: the function that the reply was to contain, ``succ`` or ``isgoal``.

    Raises:
        KeyError, ValueError, TypeError: the fields have another form.
    """
    source = failure = None
    if fields["code"] is not None:
        source = CodeSource(str(fields["code"]), {function: str(fields["name"])})
    if fields["category"] is not None:
        failure = Failure(
            Category(fields["category"]),
            str(fields["blamed"]),
            str(fields["reason"]),
            fault_of("stored", text=str(fields["feedback"])),
        )
    version = str(fields.get("version", NO_NUMBER))
    return CheckOutcome(Stage(fields["stage"]), source, failure, version)


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

    def receive(self, text: str, outcome: CheckOutcome) -> None:
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
            # The function at fault is asked for again: a new `isgoal` may reveal a fault of `succ`.
            self._ask(outcome.failure.function, feedback(outcome.failure.fault))
        elif ISGOAL not in self.sources:
            self._ask(ISGOAL, self._opening.isgoal)
        else:
            self.request, self.end = None, End.ACCEPTED

    def _ask(self, function: str, prompt: str) -> None:
        if self.calls[function] < self._max_calls:
            self.request = Request(function, prompt)
        else:
            self.request, self.end = None, End.CALLS_USED


@dataclass(frozen=True, slots=True)
class Checker:
    """The checks of one domain."""

    domain: Domain
    tests: UnitTests
    bounds: Bounds
    """The limits of each search."""
    call_s: float = CALL_S
    """The time limit of each call of a function, in seconds."""
    soundness: bool = True
    """Whether to apply the partial soundness test of transitions (in step 3)."""
    completeness: bool = True
    """Whether to look for the known successors (step 4)."""

    def check(self, reply: str, function: str, others: Mapping[str, CodeSource]) -> CheckOutcome:
        """Check the function of a reply.

        The goal tests need `isgoal` only; the stages after them need both functions. They are
        skipped as long as one is missing.

        Args:
            reply: the model's text.
            function: the function that it was asked for, ``succ`` or ``isgoal``.
            others: the last functions by role; that of the reply replaces one.
        """
        try:
            source = function_in(reply, function)
        except CodeFails as error:
            return CheckOutcome(Stage.RESPONSE, None, error.failure)
        sources = {**others, function: source}
        # The first reply is `succ`, which cannot be checked alone.
        if ISGOAL not in sources:
            return CheckOutcome(Stage.RESPONSE, source)
        checked = Checked()
        try:
            # A new `succ` does not change what `isgoal` returns, so these tests are not repeated.
            if function == ISGOAL:
                self._goal_tests(sources[ISGOAL], checked)
            if SUCC in sources:
                self._with_both((sources[SUCC], sources[ISGOAL]), checked)
        except CodeFails as error:
            checked.failure = error.failure
        return CheckOutcome(checked.stage, source, checked.failure)

    def _goal_tests(self, isgoal: CodeSource, checked: Checked) -> None:
        # A fault of `succ`, such as an endless loop at its import, does not concern these tests.
        with Functions((isgoal,), self.call_s) as functions:
            self._checks(functions, checked).goal_tests(self.tests)

    def _with_both(self, sources: tuple[CodeSource, ...], checked: Checked) -> None:
        with Functions(sources, self.call_s) as functions:
            checks = self._checks(functions, checked)
            checks.soundness(self.tests)
            if self.completeness:
                checks.completeness(self.tests)

    def _checks(self, functions: Functions, checked: Checked) -> Checks:
        guarded = Guarded(functions, self.domain, partial_soundness=self.soundness)
        return Checks(guarded, self.domain, self.bounds, checked)
