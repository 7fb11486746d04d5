"""The failures of checks, by category."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pddl_pipeline.planners.functions.answer import Unparsable
from pddl_pipeline.planners.functions.process import CallFault
from pddl_pipeline.search.black_boxes import feedback_text as text

SUCC = "succ"
ISGOAL = "isgoal"
_NAMES = {SUCC: "successor", ISGOAL: "goal"}
_LONG_NAMES = {SUCC: "successor", ISGOAL: "goal test"}


class Category(StrEnum):
    """AutoToS's ten categories of errors (section 6), in the paper's order."""

    SUCC_SOUNDNESS = "succ-soundness"
    INPUT_CHANGED = "input-changed"
    SUCC_COMPLETENESS = "succ-completeness"
    ISGOAL_SOUNDNESS = "isgoal-soundness"
    SUCC_EXCEPTION = "succ-exception"
    ISGOAL_EXCEPTION = "isgoal-exception"
    SEARCH_TIMEOUT = "search-timeout"
    SUCC_TIMEOUT = "succ-timeout"
    ISGOAL_TIMEOUT = "isgoal-timeout"
    UNPARSABLE = "unparsable-response"


@dataclass(frozen=True, slots=True)
class Failure:
    """The first failure of the functions."""

    category: Category
    function: str
    """The function to fix: ``succ`` or ``isgoal``."""
    reason: str
    """One line."""
    feedback: str
    """AutoToS's feedback to the model."""


class CodeFails(Exception):
    """A check of the functions failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.category}: {failure.reason}")
        self.failure = failure


def unparsable(error: Unparsable) -> Failure:
    """Return the failure of an answer in which a function is missing."""
    name = _NAMES[error.function]
    feedback = text.syntax_error(name, str(error)) if error.syntax else text.no_function(name)
    reason = f"{error.function}: {error}"
    return Failure(Category.UNPARSABLE, error.function, reason, feedback)


def call_failed(fault: CallFault, goal_test_on: Any | None = None) -> Failure:
    """Return the failure of a call that did not return a result.

    Args:
        fault: how the call ended.
        goal_test_on: the state, if the call was a unit test of `isgoal`.
    """
    function, reason = fault.function, f"{fault.function}: {fault}"
    if fault.late:
        category = Category.SUCC_TIMEOUT if function == SUCC else Category.ISGOAL_TIMEOUT
        return Failure(category, function, reason, text.too_long(_LONG_NAMES[function]))
    category = Category.SUCC_EXCEPTION if function == SUCC else Category.ISGOAL_EXCEPTION
    if goal_test_on is not None:
        feedback = text.goal_exception(goal_test_on, fault.trace)
    else:
        feedback = text.exception(_NAMES[function], fault.trace)
    return Failure(category, function, reason, feedback)
