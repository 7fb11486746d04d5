"""The translation of a domain: each defines a `Translator` named TRANSLATOR in its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.validation.task import Task

Form = TypeVar("Form")

PAPER: Final = "paper"
"""Name of the encoding that every domain has: the PDDL of its paper."""


@dataclass(frozen=True, slots=True)
class Encoding(Generic[Form]):
    """A way to write instances in PDDL. Encodings have different functions, but equal plans."""

    variant: str
    """The variant of the domain that problems refer to; empty for ``domain.pddl``."""
    problem: Callable[[Instance[Form]], str]
    """This and the next field are as in `Translator`."""
    recover: Callable[[Task, str], Form]


@dataclass(frozen=True, slots=True)
class Translator(Generic[Form]):
    """Translates a domain's records to PDDL and back, and checks its plans without PDDL."""

    record_type: type[Form]
    """Frozen dataclass of the domain's fields in a record. Its ``__post_init__`` raises a
    `FieldFault` for errors that the types do not exclude."""
    size: Callable[[Form], int]
    """Returns the size by which reports group."""
    unit: str
    """Unit of the size, in the plural."""
    problem: Callable[[Instance[Form]], str]
    """Returns the text of the PDDL problem."""
    recover: Callable[[Task, str], Form]
    """The inverse of `problem`: returns the record from the task and the problem's text."""
    referee: Callable[[Instance[Form], Plan], str | None]
    """Plays a plan on the record, independently of PDDL, and returns the first fault, or None.
    Detects wrong translations."""
    features: frozenset[str] = frozenset()
    """Features that planners must support: ``numeric``, ``costs``."""
    cost: Callable[[Form, Plan], int] = lambda _, plan: len(plan)
    """Returns the cost of a plan, computed from the record alone; compared with the metric."""
    rules: type[Any] | None = None
    """Type of the ``rules`` that a record may have, a msgspec struct."""
    budget: Callable[[Form], int | None] = lambda _: None
    """Returns the maximal cost of a plan, or None for instances without a budget."""
    further: Mapping[str, Encoding[Form]] = field(default_factory=dict)
    """Further encodings by name, without the paper's."""

    @property
    def encodings(self) -> dict[str, Encoding[Form]]:
        """All encodings by name, the paper's first."""
        return {PAPER: Encoding("", self.problem, self.recover), **self.further}
