"""The phrases for the states of a domain, from its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.pddl_domains.words import Agent, DomainWords, StateWords, domain_words
from pddl_pipeline.validation.language import Ground


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words for the atoms of one predicate; ``{0}`` stands for the first object."""

    predicates: tuple[str, ...]
    """The predicate's names; a domain has one of them."""
    text: str
    """The text of an atom."""
    readings: tuple[str, ...]
    """The texts that a reader accepts."""
    denials: tuple[str, ...]
    """Texts that deny an atom."""
    joined: bool
    """Whether the text follows another one about the same object, joined by ``and``."""
    opening: str | None
    """The text before one list of the objects of all atoms; None if each atom has its own text."""

    @property
    def arity(self) -> int:
        """The number of objects that the text names."""
        return len(set(re.findall(r"\{\d\}", self.text)))

    def fits(self, atom: Ground) -> bool:
        """Return whether these are the words for an atom."""
        return atom[0] in self.predicates and len(atom) - 1 == self.arity


@dataclass(frozen=True, slots=True)
class Wording:
    """How the states of a domain are described, and which atoms exclude each other."""

    domain: str
    """The domain that has these words."""
    phrases: tuple[Phrase, ...]
    """In the order of a description."""
    exclusive: tuple[Mapping[str, Sequence[int]], ...]
    """See `StateWords` for this and the next two fields."""
    implied: tuple[str, ...]
    agent: Agent | None


@cache
def wordings() -> Mapping[str, Wording]:
    """Return the wordings of the domains that have words for states, by name."""
    every = {name: domain_words(name) for name in files_named("words.toml")}
    own = {
        name: Wording(
            name, tuple(_phrases(words, states)), states.exclusive, states.implied, states.agent
        )
        for name, words in every.items()
        if (states := words.states)
    }
    shared = {name: own[words.words_of] for name, words in every.items() if words.words_of in own}
    return own | shared


def _phrases(words: DomainWords, states: StateWords) -> Iterator[Phrase]:
    openings = words.simplan.listed if words.simplan else {}
    for predicate in states.order or words.facts:
        others = [name for name, same in states.other_names.items() if same == predicate]
        text, fact = states.texts.get(predicate, words.facts[predicate]), words.facts[predicate]
        readings = dict.fromkeys((text, fact, *states.also_read.get(predicate, ())))
        opening = None if predicate in states.implied else openings.get(predicate)
        yield Phrase(
            (predicate, *others),
            text,
            tuple(readings),
            states.denials.get(predicate, ()),
            predicate in states.joined,
            opening and f"{opening}:",
        )
