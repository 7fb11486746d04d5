"""Descriptions of states, as PDDL atoms or in SimPlan's words, and their tolerant reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.pddl_domains.words import DomainWords, SimplanWords, StateWords, domain_words
from pddl_pipeline.prompts.statements.states import StateWriter
from pddl_pipeline.questions.fluents import Fluents, atom_words
from pddl_pipeline.questions.reading import GROUP, group_words, readings
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.given_pddl import own_record
from pddl_pipeline.validation.language import Ground

_NAME: Final = r"[\w][\w.-]{0,99}"
_VALUE: Final = re.compile(
    r"\(\s{0,9}=\s{0,9}\(([^()]{1,300})\)\s{0,9}(-?\d{1,4000}(?:/\d{1,4000})?)\s{0,9}\)"
)
_DENIED: Final = re.compile(r"\(\s{0,9}not\s{0,9}\(([^()]{1,300})\)\s{0,9}\)")
_CLAUSES: Final = re.compile(r"[,;\r\n]|\.(?=\s|$)|\s(?=and\s)")
_BEFORE: Final = re.compile(r"^[\s>\u2022-]{0,20}(?:\d{1,4}[.)]\s)?\s{0,9}(?:and\s{1,9})?")
"""Bullets, list numbers and ``and`` before a clause."""
_LONGEST: Final = 300
_UNTITLED: Final = SimplanWords("", {})


class Wording(NamedTuple):
    """The words of a domain for its states."""

    domain: str
    words: DomainWords
    states: StateWords

    def own_name(self, predicate: str) -> str:
        """Return the predicate whose words a predicate uses; variants have other names."""
        return self.states.other_names.get(predicate, predicate)


def wording_named(domain: str) -> Wording | None:
    """Return the wording of a domain; None if it has no words for states."""
    words = domain_words(domain)
    words = domain_words(words.words_of) if words.words_of else words
    return Wording(domain, words, words.states) if words.states else None


def wording_of(instance: Instance[object]) -> Wording | None:
    """Return the wording of an instance; None for PDDL that was not recognised."""
    return None if own_record(instance) is None else wording_named(instance.domain)


def render_state(wording: Wording | None, atoms: Iterable[str]) -> str:
    """Return the description of a state.

    Args:
        wording: None for PDDL.
        atoms: the atoms that hold, as PDDL. Those that the wording has no words for, and those
            that others imply, are left out.
    """
    if wording is None:
        return ", ".join(sorted(atoms, key=natural))
    words, states = wording.words, wording.states
    # What others imply would only make the description longer.
    order = [name for name in states.order or words.facts if name not in states.implied]
    named = ((wording.own_name(name), *objects) for name, *objects in map(atom_words, atoms))
    facts = [fact for fact in named if fact[0] in order]
    facts.sort(key=lambda fact: (order.index(fact[0]), [natural(name) for name in fact[1:]]))
    return ", ".join(StateWriter(words, words.simplan or _UNTITLED).phrases(facts))


def render_atom(wording: Wording | None, text: str) -> str:
    """Return one atom in words, or as PDDL if the wording has none for it."""
    predicate, *objects = atom_words(text)
    phrase = wording and wording.words.facts.get(wording.own_name(predicate))
    return phrase.format(*objects) if phrase else text


class StateDescription(NamedTuple):
    """The content of a description."""

    asserted: frozenset[str]
    """The atoms and values that hold according to it, of those that may change, as PDDL."""
    denied: frozenset[str]
    """The atoms that do not hold according to it."""


@dataclass(frozen=True)
class StateReader:
    """A reader of descriptions of the states of one task."""

    fluents: Fluents
    wording: Wording | None

    def read(self, text: str) -> StateDescription:
        """Return the description in an answer, from its likeliest part that contains one."""
        found = (each for each in map(self._read, readings(text)) if any(each))
        return next(found, StateDescription(frozenset(), frozenset()))

    def _read(self, text: str) -> StateDescription:
        denied, asserted = (
            set[str](),
            {
                f"(= {atom_text(words)} {value})"
                for words, value in (
                    (group_words(name), value) for name, value in _VALUE.findall(text)
                )
                if words and words[0] in self.fluents.functions
            },
        )
        # What was read is removed, so that nothing is read twice: values, denials, then atoms.
        text = _VALUE.sub(",", text)
        for pattern, said in ((_DENIED, denied), (GROUP, asserted)):
            for group in pattern.findall(text):
                words = group_words(group) or [""]
                # The default has one part more than the arguments: unknown predicates never fit.
                if len(self.fluents.predicates.get(words[0], words)) == len(words) - 1:
                    said.add(atom_text(tuple(words)))
            text = pattern.sub(",", text)
        for atom, denies in self._clauses(text):
            (denied if denies else asserted).add(atom_text(atom))
        return StateDescription(frozenset(asserted), frozenset(denied))

    def _clauses(self, text: str) -> Iterator[tuple[Ground, bool]]:
        """Yield the atoms of the clauses of a text, each with whether the clause denies it."""
        subject, listing = "", None
        for raw in _CLAUSES.split(text) if self._patterns else ():
            clause = _BEFORE.sub("", " ".join(raw.split()), count=1) if len(raw) <= _LONGEST else ""
            for opening, predicate in self._openings.items():
                if clause.startswith(opening):
                    listing, clause = predicate, clause.removeprefix(opening).strip()
            if not clause:
                continue
            # Such as p11 and p12 in a list of locked places.
            if listing is not None and re.fullmatch(_NAME, clause):
                yield (listing, clause), False
                continue
            listing = None
            # "b3 is clear and is on the table"
            if re.match(r"(?:is|has) ", clause):
                clause = f"{subject} {clause}"
            said = self._said(clause)
            if said is not None:
                yield said
                subject = clause.split(" ", 1)[0] if said[0][1:] else ""

    def _said(self, clause: str) -> tuple[Ground, bool] | None:
        """Return the atom of a clause and whether it is denied.

        If several patterns match, prefer the first atom whose types fit.
        """
        found = [
            ((predicate, *(match[f"o{n}"] for n in range(pattern.groups))), denies)
            for pattern, predicate, denies in self._patterns
            if (match := pattern.fullmatch(clause)) is not None
        ]
        fitting = (each for each in found if self.fluents.fits(each[0]))
        return next(fitting, found[0] if found else None)

    @cached_property
    def _openings(self) -> dict[str, str]:
        """The texts before lists of objects, each with the predicate of its facts."""
        listed = self.wording and self.wording.words.simplan and self.wording.words.simplan.listed
        known = self.fluents.predicates
        return {f"{text}:": name for name, text in (listed or {}).items() if name in known}

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str, bool]]:
        """The patterns of phrases, each with its predicate and whether it denies.

        Those with the longest text come first.
        """
        if self.wording is None:
            return []
        states, texts = self.wording.states, list[tuple[str, str, bool]]()
        for predicate in self.fluents.predicates:
            name = self.wording.own_name(predicate)
            asserting = (*states.also_read.get(name, ()), states.texts.get(name, ""))
            phrases = dict.fromkeys((self.wording.words.facts.get(name, ""), *asserting))
            texts += [(text, predicate, False) for text in phrases if text]
            texts += [(text, predicate, True) for text in states.denials.get(name, ())]
        # "{0} is on the table" before "{0} is on {1}".
        texts.sort(key=lambda each: -len(re.sub(r"\{\d\}", "", each[0])))
        return [(self._pattern(text), predicate, denies) for text, predicate, denies in texts]

    def _pattern(self, text: str) -> re.Pattern[str]:
        """Return the pattern of a phrase: articles, types and ``block`` may precede names."""
        kinds = "|".join(re.escape(kind) for kind in sorted(self.fluents.types))
        pattern = re.escape(text.removeprefix("the "))
        # `re.escape` makes `\{0\}` of a slot.
        for number in range(pattern.count(r"\{")):
            name = rf"(?:the )?(?:(?:{kinds}|block) )?(?P<o{number}>{_NAME})"
            pattern = pattern.replace(rf"\{{{number}\}}", name)
        return re.compile(f"(?:the )?{pattern}")
