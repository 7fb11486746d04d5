"""How states of a domain are put into words: the form of the files in ``wordings``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pddl_pipeline.model.discovery import discover


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words for the atoms of one predicate; ``{1}`` stands for its first object."""

    predicates: tuple[str, ...]
    """Its names, of which a domain has one."""
    text: str
    """How it is told; where `listed`, what stands before the list of the objects."""
    others: tuple[str, ...] = ()
    """Further ways that are read."""
    denials: tuple[str, ...] = ()
    """Ways to say that it does not hold."""
    joined: bool = False
    """Whether it follows what was told of the same object, after ``and``."""
    listed: bool = False
    """Whether one list names the objects of all its atoms."""


class Slot(NamedTuple):
    """A predicate, and the positions of the objects that tell its atoms apart, from 1."""

    predicate: str
    positions: tuple[int, ...] = ()


Exclusive = tuple[Slot, ...]
"""Of all atoms with the same objects at these positions at most one holds, in every state."""


@dataclass(frozen=True, slots=True)
class Agent:
    """Where things and the one who moves them are."""

    at: Slot
    """The agent's own place: the position of the place."""
    thing: Slot
    """A thing's place: the position of the place."""
    type: str | None = None
    """What type the first object of `at` has, where not only agents have a place."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How the states of a domain are told, and what is impossible in them."""

    domains: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    """In the order in which they are told."""
    exclusive: tuple[Exclusive, ...]
    implied: frozenset[str] = frozenset()
    """Predicates that are not told, since others tell as much; they may be, and must be right."""
    agents: tuple[Agent, ...] = ()


@cache
def wordings() -> Mapping[str, Wording]:
    """Return the wordings by name of their domain."""
    found = discover("pddl_pipeline.questions.wordings", "WORDINGS")
    return {domain: wording for wording in found for domain in wording.domains}
