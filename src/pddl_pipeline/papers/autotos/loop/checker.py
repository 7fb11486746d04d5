"""Checks a reply together with the other function, as far as the steps of AutoToS go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pddl_pipeline.papers.autotos.checks.checking import Checked, Checks, Stage
from pddl_pipeline.papers.autotos.checks.unit_tests import UnitTests
from pddl_pipeline.papers.autotos.loop.outcome import Outcome
from pddl_pipeline.planners.functions.guarded import (
    ISGOAL,
    SUCC,
    CodeFails,
    Guarded,
    Unparsable,
    function_in,
    unparsable,
)
from pddl_pipeline.planners.functions.process import CALL_S, CodeSource, Functions
from pddl_pipeline.search.black_boxes.domain import Domain
from pddl_pipeline.search.space import Bounds


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

    def check(self, reply: str, function: str, others: Mapping[str, CodeSource]) -> Outcome:
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
        except Unparsable as error:
            return Outcome(Stage.RESPONSE, None, unparsable(error))
        sources = {**others, function: source}
        if ISGOAL not in sources:
            return Outcome(Stage.RESPONSE, source)
        checked = Checked()
        try:
            if function == ISGOAL:
                self._goal_tests(sources[ISGOAL], checked)
            if SUCC in sources:
                self._with_both((sources[SUCC], sources[ISGOAL]), checked)
        except CodeFails as error:
            checked.failure = error.failure
        return Outcome(checked.stage, source, checked.failure)

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
