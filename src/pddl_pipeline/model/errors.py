"""The exceptions of the project.

Library code raises these and never prints or exits; the command line prints each as one line. The
outcome of a run, such as a time-out or a crash of a planner, is a value and not an exception.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypeVar

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import printable, shortened

Kind = TypeVar("Kind")


class ErrorStage(StrEnum):
    """What an error is one of, from the text of an answer to the plan in it."""

    READING = "reading"
    """No plan was read: the reader or the writer failed, and no plan was judged."""
    STEP = "step"
    """A step was read that the task does not have."""
    PLANNING = "planning"
    """The steps are of the task, and the plan is wrong."""


class ErrorKind(StrEnum):
    """A kind of error in an answer, which may have several, or the code of a verdict's reason."""

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
    OTHER_TASK = "other-task"
    """The answer is a problem, but not that of the instance."""
    UNSOLVABLE = "unsolvable"
    """The answer is a problem without a plan."""
    EFFECT = "effect"
    """An effect of a step cannot be computed."""
    INTERFERENCE = "interference"
    """Steps at the same time interfere."""
    INVARIANT = "invariant-broken"
    """A condition over all of a durative action does not hold."""
    DURATION = "duration"
    """A duration is missing, is not expected, or is not allowed."""
    CONSTRAINT = "constraint"
    """A trajectory constraint is violated."""
    UNSUPPORTED = "unsupported"
    """The task uses a part of PDDL that is not judged."""
    NOT_JUDGED = "not-judged"
    """A limit of the validator is exceeded."""
    DISPUTED = "disputed"
    """Validators disagree."""
    SYNTAX = "syntax"
    """A domain or a problem is not PDDL of the kind that is read."""
    UNKNOWN_NAME = "unknown-name"
    """A domain or a problem uses a name that it does not declare."""
    FILE = "file"
    """An input cannot be read, such as a missing file."""

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
    ErrorKind.SYNTAX: ErrorStage.READING,
    ErrorKind.UNKNOWN_NAME: ErrorStage.READING,
    ErrorKind.FILE: ErrorStage.READING,
}
"""The errors of the other kinds are of planning."""


_LONGEST: Final = 500


class PipelineError(Exception):
    """Base class of all errors that this project reports to its user."""


class InputError(PipelineError):
    """The user's input is invalid. Printed as ``file:line:column: message``, known parts only."""

    code: ErrorKind = ErrorKind.FILE
    """The kind of error."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        record: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = _one_line(message)
        self.record = record
        """The id of the invalid record, if it is known."""
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return self.place + self.message

    @property
    def place(self) -> str:
        """The known part of ``file:line:column: ``, or the empty string."""
        known = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        if not known:
            return ""
        if self.file is None:
            known[0] = f"line {known[0]}"
        return _one_line(":".join(known)) + ": "


class RecordError(InputError):
    """A dataset record does not have the documented form."""


class PddlError(InputError):
    """A PDDL domain or problem cannot be read."""

    code = ErrorKind.SYNTAX


class PlanSyntaxError(InputError):
    """A plan's text is not a plan of this task: not IPC syntax, or a step that does not exist."""

    def __init__(
        self, message: str, *, line: int, column: int, step: int | None = None,
        code: ErrorKind = ErrorKind.UNREADABLE,
    ) -> None:  # fmt: skip
        super().__init__(message, line=line, column=column)
        self.step = step
        self.code = code


class StepFails(PipelineError):
    """A step is not applicable in its state."""

    def __init__(
        self,
        reason: str,
        conditions: tuple[str, ...] = (),
        step: int | None = None,
        code: ErrorKind = ErrorKind.PRECONDITION,
    ) -> None:
        super().__init__(reason)
        self.code = code
        """The kind of error."""
        self.reason = reason
        self.conditions = conditions
        """The unsatisfied conditions, as ground PDDL."""
        self.step = step
        """1-based position of the step, if it is part of a plan."""


class WrongDuration(StepFails):
    """A duration is not allowed."""

    def __init__(
        self,
        reason: str,
        condition: str,
        step: int,
        *,
        operator: str,
        values: tuple[Number, Number],
    ) -> None:
        super().__init__(reason, (condition,), step, ErrorKind.DURATION)
        self.operator = operator
        self.bound: Number = values[1]
        """The value of its bound."""
        self.difference: Number = max(values[1] - values[0], values[0] - values[1])
        """How much the duration differs from its bound."""


class NotJudged(PipelineError):
    """There is no verdict, for example because a number or a quantifier exceeds its limit."""


class EngineError(PipelineError):
    """A planner or an external validator cannot be started on this machine."""


class WorkerError(EngineError):
    """A process of this program died or failed. The command line exits with status 3."""


class DiskError(PipelineError):
    """The temporary files of an attempt cannot be written, for example because the disk is full."""


class StoreError(PipelineError):
    """A run store cannot be opened or written."""


def check_type(name: str, value: object, kinds: Any, expected: str) -> None:
    """Check an argument of a public function.

    Raises:
        TypeError: the value has another type; in one line, with the name of the argument.
    """
    if not isinstance(value, kinds) or isinstance(value, bool):  # True is an int in Python
        raise TypeError(f"{name}: found {type(value).__name__}, expected {expected}")


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Check an argument of a public function that is a whole number.

    Raises:
        TypeError: it has another type.
        InputError: it is less than ``least``.
    """
    check_type(name, value, int, "a whole number")
    if value < least:
        raise InputError(f"{name}: found {value}, expected at least {least}")


def _one_line(message: str) -> str:
    """Return a message as one printable line: control characters escaped, cut if it is long."""
    return printable(shortened(message, _LONGEST + 1))
