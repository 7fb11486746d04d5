"""Whole states in SimPlan's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pddl_pipeline.pddl_domains.words import DomainWords, SimplanWords
from pddl_pipeline.prompts.statements.facts import listed
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.referee import Fact


@dataclass(frozen=True)
class StateWriter:
    """Describes a whole state: facts one by one, in lists and groups, or object by object."""

    words: DomainWords
    simplan: SimplanWords

    def phrases(self, facts: Sequence[Fact]) -> list[str]:
        """Return the phrases of a state, given its facts in the order of their phrases."""
        return list(self._by_object(facts) if self.simplan.by_object else self._in_order(facts))

    def _in_order(self, facts: Sequence[Fact]) -> Iterator[str]:
        for predicate, group in groupby(facts, key=lambda fact: fact[0]):
            same = list(group)
            if predicate in self.simplan.listed:
                yield f"{self.simplan.listed[predicate]}: {', '.join(fact[1] for fact in same)}"
            elif predicate in self.simplan.grouped:
                words = self.simplan.grouped[predicate]
                for first, several in groupby(same, key=lambda fact: fact[1]):
                    phrases = [words.each.format(*fact[1:]) for fact in several]
                    yield f"{words.opening.format(first)} {listed(phrases)}"
            else:
                yield from map(self._phrase, same)

    def _by_object(self, facts: Sequence[Fact]) -> Iterator[str]:
        """Yield the phrases about each object, joined: ``b5 is on b1 and is clear``."""
        of_objects = [fact for fact in facts if len(fact) > 1]
        of_objects.sort(key=lambda fact: natural(fact[1]))
        for name, group in groupby(of_objects, key=lambda fact: fact[1]):
            first, *others = map(self._phrase, group)
            yield " and ".join([first, *(each.removeprefix(f"{name} ") for each in others)])
        denials = self.words.states.denials if self.words.states else {}
        for predicate, phrase in self.words.facts.items():
            if (predicate,) in facts:
                yield phrase
            elif "{" not in phrase and predicate in denials:
                yield denials[predicate][0]

    def _phrase(self, fact: Fact) -> str:
        return self.words.facts[fact[0]].format(*fact[1:])
