"""The kinds of errors in plans and answers, with the names that scripts read."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class ErrorStage(StrEnum):
    """What an error is one of, from the text of an answer to the plan in it."""

    READING = "reading"
    """No plan was read: the reader or the writer failed, and no plan was judged."""
    STEP = "step"
    """A step was read that the task does not have."""
    PLANNING = "planning"
    """The steps are of the task, and the plan is wrong."""


class ErrorKind(StrEnum):
    """A kind of error in an answer; an answer may have several."""

    BAD_FORMAT = "bad-format"
    """Countdown: no solution in any supported form."""
    FEWER_STEPS = "fewer-steps"
    """Countdown: fewer operations than the count of numbers minus one."""
    MORE_STEPS = "more-steps"
    """Countdown: more operations than the count of numbers minus one."""
    UNUSED_NUMBER = "unused-number"
    """Countdown: an input number is not used."""
    NOT_TARGET = "not-target"
    """Countdown: the last result is not the target."""
    BAD_OPERATOR = "bad-operator"
    """Countdown: an operator other than + - * /."""
    UNKNOWN_NUMBER = "unknown-number"
    """Countdown: a number that is not available at that step."""
    FALSE_VALUE = "false-value"
    """Countdown: the answer states a value for its expression that it does not have."""
    UNREADABLE = "unreadable"
    """PDDL domains: no step was found, or a line in the place of a step was not understood."""
    UNKNOWN_ACTION = "unknown-action"
    WRONG_ARITY = "wrong-arity"
    UNKNOWN_OBJECT = "unknown-object"
    WRONG_TYPE = "wrong-type"
    PRECONDITION = "precondition"
    """A step is not applicable."""
    GOAL = "goal"
    """The steps are applicable, but the goal does not hold at the end."""
    OVER_BUDGET = "over-budget"
    """The plan is valid, but costs more than the instance allows."""

    @property
    def stage(self) -> ErrorStage:
        """What the error is one of."""
        return _STAGES.get(self, ErrorStage.PLANNING)


_STAGES: Final = {
    ErrorKind.BAD_FORMAT: ErrorStage.READING,
    ErrorKind.UNREADABLE: ErrorStage.READING,
    ErrorKind.UNKNOWN_ACTION: ErrorStage.STEP,
    ErrorKind.WRONG_ARITY: ErrorStage.STEP,
    ErrorKind.UNKNOWN_OBJECT: ErrorStage.STEP,
    ErrorKind.WRONG_TYPE: ErrorStage.STEP,
    ErrorKind.BAD_OPERATOR: ErrorStage.STEP,
    ErrorKind.UNKNOWN_NUMBER: ErrorStage.STEP,
}
"""The errors of the other kinds are of planning."""
