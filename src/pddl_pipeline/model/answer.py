"""A language model's answer and what was read from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Plan


class Treatment(StrEnum):
    """How the reader treated a line of an answer."""

    USED = "used"
    """The line is a step."""
    CHANGED = "changed"
    """The line is a step in a form other than PDDL, or with other text around it."""
    DROPPED = "dropped"
    """No step was read from the line."""


class TraceLine(NamedTuple):
    """How the reader treated a line of an answer; a line with several steps has one entry each."""

    line: int
    """1-based line of the answer."""
    text: str
    """The line, cut if it is long."""
    action: Treatment
    step: int | None = None
    """1-based position in the plan of the step that was read from the line."""
    note: str | None = None
    """What was changed, or why the line was dropped."""


class LazyTrace(Sequence[TraceLine]):
    """A trace that is written when it is first used: few traces are, and most take time."""

    __slots__ = ("_written",)

    def __init__(self, write: Callable[[], tuple[TraceLine, ...]]) -> None:
        self._written = cache(write)

    def __getitem__(self, index: Any) -> Any:
        return self._written()[index]

    def __len__(self) -> int:
        return len(self._written())

    def __eq__(self, other: object) -> bool:
        """Return whether the other trace has the same lines, written or not."""
        return isinstance(other, (tuple, LazyTrace)) and self._written() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._written())

    def __repr__(self) -> str:
        return repr(self._written())

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._written(),)


class Unread(StrEnum):
    """Why no plan was read from an answer."""

    NO_ANSWER = "no final answer"
    """It is empty or cut off, or has no step."""
    REFUSED = "refused"
    """It says that there is no plan, or that the model cannot give one."""
    TWO_PLANS = "two plans"
    """It has several, and chooses none."""
    AMENDED = "amended"
    """A sentence changes or withdraws the plan: ``Step 2 can be skipped.``"""
    NO_STEP = "item is no step"
    """An item of the plan is no step of the task: ``3. Clear the table.``"""
    NO_WORDS = "no words"
    """It has sentences, and its domain has no ``words.toml``."""
    UNKNOWN = "not understood"


class Fault(NamedTuple):
    """An error found while reading an answer."""

    slug: ErrorKind
    message: str
    line: int | None = None
    """1-based line of the answer."""
    unread: Unread = Unread.UNKNOWN
    """The class of the answer, if the error is one of reading."""


class Ruling(NamedTuple):
    """Whether an answer is right under one set of rules."""

    right: bool
    reason: str | None = None
    """Why the answer is wrong."""
    step: int | None = None
    """1-based position of the step that the rules do not allow, if there is one."""


class ReadAnswer(NamedTuple):
    """What a tolerant reader found in an answer."""

    plan: Plan | None
    """The steps that were found, whether or not the task has them; None if the answer contains
    no plan, or one that cannot be written as steps of the task."""
    trace: Sequence[TraceLine] = ()
    """Every line that is not blank."""
    faults: tuple[Fault, ...] = ()
    """Errors that make the answer wrong regardless of its steps."""
    rules: str | None = None
    """Countdown: the rules that apply, ``paper`` or ``source``."""
    rulings: Mapping[str, Ruling] = MappingProxyType({})
    """Countdown: for each set of rules, by name, whether the answer is right under it."""
