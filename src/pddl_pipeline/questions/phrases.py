"""The types of a domain's wording, which the files in ``wordings`` define."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pddl_pipeline.model.discovery import discover


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words for the atoms of one predicate; ``{1}`` stands for the first object."""

    predicates: tuple[str, ...]
    """The predicate's names; a domain has one of them."""
    text: str
    """The text of an atom; if `listed`, the text before the list of objects."""
    others: tuple[str, ...] = ()
    """Further texts that a reader accepts."""
    denials: tuple[str, ...] = ()
    """Texts that deny an atom."""
    joined: bool = False
    """Whether the text follows another one about the same object, joined by ``and``."""
    listed: bool = False
    """Whether one list names the objects of all atoms."""


class Slot(NamedTuple):
    """A predicate, and the positions (from 1) of the objects that identify its atoms."""

    predicate: str
    positions: tuple[int, ...] = ()


Exclusive = tuple[Slot, ...]
"""In every state, at most one of the atoms with the same objects at these positions holds."""


@dataclass(frozen=True, slots=True)
class Agent:
    """The predicates for the places of things and of the agent that moves them."""

    at: Slot
    """The predicate for the agent's place, and the position of the place."""
    thing: Slot
    """The predicate for a thing's place, and the position of the place."""
    type: str | None = None
    """The type of the first object of `at`, if `at` also places objects other than agents."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How the states of a domain are described, and which atoms exclude each other."""

    domains: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    """In the order of a description."""
    exclusive: tuple[Exclusive, ...]
    implied: frozenset[str] = frozenset()
    """Predicates that descriptions leave out, since others imply them.

    Answers may contain them, but must then be right.
    """
    agents: tuple[Agent, ...] = ()


@cache
def wordings() -> Mapping[str, Wording]:
    """Return the wordings by the name of their domain."""
    found = discover("pddl_pipeline.questions.wordings", "WORDINGS")
    return {domain: wording for wording in found for domain in wording.domains}
