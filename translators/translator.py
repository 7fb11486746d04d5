"""The translation of a domain: each defines a `Translator` named TRANSLATOR in its file.

`budget-blocksworld` has budget_blocksworld.py; a plug-in's entry point has the domain's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Final, Generic, TypeVar, cast

from pddl_pipeline.model.discovery import usable_plugins
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.suggestion import check_name
from pddl_pipeline.pddl_domains import domain_names
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


@cache
def translator(domain: str) -> Translator[Any]:
    """Return the translator of a domain.

    Raises:
        InputError: the domain is unknown.
    """
    check_name(domain, domain_names(), "unknown domain")
    for plugin in usable_plugins("pddl_pipeline.domains"):
        if plugin.name == domain:
            return cast("Translator[Any]", plugin.module.TRANSLATOR)
    module = import_module(f"pddl_pipeline.translators.domains.{domain.replace('-', '_')}")
    found: Translator[Any] = module.TRANSLATOR
    return found
