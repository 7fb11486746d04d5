"""An outside answer: what a language model said, and what was read from it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Plan


class Treatment(StrEnum):
    """What became of a line of an answer."""

    USED = "used"
    """It is a step as it stands."""
    CHANGED = "changed"
    """It is a step in other words than PDDL, or with something around it."""
    DROPPED = "dropped"
    """No step was read from it."""


class TraceLine(NamedTuple):
    """What became of a line of an answer; a line of several steps has an entry for each."""

    line: int
    """1-based, in the answer."""
    text: str
    """The line, cut where it is long."""
    action: Treatment
    step: int | None = None
    """1-based position in the plan of the step that was read from it."""
    note: str | None = None
    """What was changed, or why it was dropped."""


class Fault(NamedTuple):
    """Something wrong that was seen while an answer was read."""

    slug: ErrorKind
    message: str
    line: int | None = None
    """1-based line of the answer."""


class Ruling(NamedTuple):
    """Whether an answer is right under some rules."""

    right: bool
    reason: str | None = None
    """Why it is not."""
    step: int | None = None
    """1-based position of the step that the rules do not allow, where there is one."""


class ReadAnswer(NamedTuple):
    """What a tolerant reader makes of an answer."""

    plan: Plan | None
    """The steps that were found, whether the task has them or not; None where the answer tells
    no plan, or one that cannot be written as steps of the task."""
    trace: tuple[TraceLine, ...] = ()
    """Every line that is not blank."""
    faults: tuple[Fault, ...] = ()
    """What is wrong whatever the steps do. An answer with a fault is not right."""
    rules: str | None = None
    """Countdown: the rules that count, ``paper`` or ``source``."""
    rulings: Mapping[str, Ruling] = MappingProxyType({})
    """Countdown: by name of the rules, whether the answer is right under them."""
