"""What a domain plugs in: one `Translator` in its own file, named TRANSLATOR."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

Form = TypeVar("Form")

PAPER: Final = "paper"
"""The encoding that every domain has: its paper's PDDL."""


@dataclass(frozen=True, slots=True)
class Encoding(Generic[Form]):
    """A way to write instances in PDDL: other functions, but the same plans."""

    variant: str
    """Which of the domain's files it is written for; empty for ``domain.pddl``."""
    problem: Callable[[Instance[Form]], str]
    """This and the following: as in `Translator`."""
    recover: Callable[[Task, str], Form]


@dataclass(frozen=True, slots=True)
class Translator(Generic[Form]):
    """How one domain's records become PDDL, and how its plans are checked without PDDL."""

    record_type: type[Form]
    """Frozen dataclass of the record's own fields. Its ``__post_init__`` raises a `FieldFault`
    for what the types do not say."""
    size: Callable[[Form], int]
    """What reports group by."""
    unit: str
    """What the size counts, in the plural."""
    problem: Callable[[Instance[Form]], str]
    """Text of the PDDL problem."""
    recover: Callable[[Task, str], Form]
    """The inverse of `problem`: the record's own fields from the task and its problem's text."""
    referee: Callable[[Instance[Form], Plan], str | None]
    """Plays the plan on the task itself, knowing nothing of PDDL: the first fault, or None. It
    catches a wrong translation."""
    features: frozenset[str] = frozenset()
    """What planners must support: ``numeric``, ``costs``."""
    cost: Callable[[Form, Plan], int] = lambda _, plan: len(plan)
    """What a plan costs by the record alone; checked against the value of the metric."""
    rules: type[Any] | None = None
    """Form of the rules of others that a record may keep, a msgspec struct."""
    budget: Callable[[Form], int | None] = lambda _: None
    """The most that a plan may cost, for budgeted instances."""
    further: Mapping[str, Encoding[Form]] = field(default_factory=dict)
    """Encodings beside the paper's, by name."""

    @property
    def encodings(self) -> dict[str, Encoding[Form]]:
        """All encodings by name, the paper's first."""
        return {PAPER: Encoding("", self.problem, self.recover), **self.further}
