"""A tolerant reader of descriptions of states, as PDDL atoms or in a domain's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.answer_text import GROUP, group_words, readings
from pddl_pipeline.questions.fluents import Fluents
from pddl_pipeline.questions.phrases import Phrase, Wording
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


class StateDescription(NamedTuple):
    """The content of a description."""

    asserted: frozenset[str]
    """The atoms and values that hold according to it, of those that may change, as PDDL."""
    denied: frozenset[str]
    """The atoms that do not hold according to it."""


class _Way(NamedTuple):
    """A pattern for an atom in words."""

    pattern: re.Pattern[str]
    predicates: tuple[str, ...]
    order: tuple[int, ...]
    """For each group of the pattern, the position of the object in the atom, from 1."""
    denies: bool


@dataclass(frozen=True)
class StateReader:
    """A reader of descriptions of the states of one task."""

    fluents: Fluents
    wording: Wording | None

    def read(self, text: str) -> StateDescription:
        """Return the description in an answer, from its likeliest part that contains one."""
        for part in readings(text):
            found = self._read(part)
            if found.asserted or found.denied:
                return found
        return StateDescription(frozenset(), frozenset())

    def _read(self, text: str) -> StateDescription:
        asserted, denied = set[str](), set[str]()
        for name, value in _VALUE.findall(text):
            if (words := _words(name))[0] in self.fluents.functions:
                asserted.add(f"(= {atom_text(words)} {value})")
        text = _VALUE.sub(",", text)
        denied |= {atom_text(atom) for atom in self._atoms(_DENIED.findall(text))}
        text = _DENIED.sub(",", text)
        asserted |= {atom_text(atom) for atom in self._atoms(GROUP.findall(text))}
        if self.wording is not None:
            for atom, denies in self._clauses(GROUP.sub(",", text)):
                (denied if denies else asserted).add(atom_text(atom))
        return StateDescription(frozenset(asserted), frozenset(denied))

    def _atoms(self, found: Iterable[str]) -> Iterator[Ground]:
        """Yield the groups that are atoms of fluents."""
        for group in found:
            words = _words(group)
            signature = self.fluents.predicates.get(words[0])
            if signature is not None and len(signature) == len(words) - 1:
                yield words

    def _clauses(self, text: str) -> Iterator[tuple[Ground, bool]]:
        """Yield the atoms of the clauses of a text, each with whether the clause denies it."""
        subject, listing = "", None
        for raw in _CLAUSES.split(text):
            clause = _BEFORE.sub("", " ".join(raw.split()), count=1) if len(raw) <= _LONGEST else ""
            if not clause:
                continue
            for phrase, opening in self._lists:
                if clause.startswith(opening):
                    listing, clause = phrase, clause.removeprefix(opening).strip()
            if listing is not None and re.fullmatch(_NAME, clause):
                yield (self._known(listing.predicates), clause), False
                continue
            listing = None
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
        first = None
        for way in self._ways:
            match = way.pattern.fullmatch(clause)
            if match is None:
                continue
            by_place = dict(zip(way.order, match.groups(), strict=True))
            atom = (self._known(way.predicates), *[by_place[n] for n in sorted(by_place)])
            if self.fluents.fits(atom):
                return atom, way.denies
            first = first or (atom, way.denies)
        return first if first and first[0][0] in self.fluents.predicates else None

    def _known(self, predicates: tuple[str, ...]) -> str:
        known = (name for name in predicates if name in self.fluents.predicates)
        return next(known, predicates[0])

    @cached_property
    def _lists(self) -> list[tuple[Phrase, str]]:
        phrases = self.wording.phrases if self.wording else ()
        return [(phrase, phrase.opening) for phrase in phrases if phrase.opening]

    @cached_property
    def _ways(self) -> list[_Way]:
        """The patterns, those with the longest fixed text first."""
        texts = [
            (text, phrase, denies)
            for phrase in (self.wording.phrases if self.wording else ())
            for denies, group in ((False, phrase.readings), (True, phrase.denials))
            for text in group
        ]
        texts.sort(key=lambda each: -len(re.sub(r"\{\d\}", "", each[0])))
        return [self._way(*each) for each in texts]

    def _way(self, text: str, phrase: Phrase, denies: bool) -> _Way:  # noqa: FBT001 -- data
        kinds = "|".join(re.escape(kind) for kind in sorted(self.fluents.types))
        named = rf"(?:the )?(?:(?:{kinds}|block) )?({_NAME})"
        parts = re.split(r"(\{\d\})", re.sub("^the ", "", text))
        pattern = "".join(named if part.startswith("{") else re.escape(part) for part in parts)
        order = tuple(int(digit) for digit in re.findall(r"\{(\d)\}", text))
        return _Way(re.compile(f"(?:the )?{pattern}"), phrase.predicates, order, denies)


def _words(group: str) -> Ground:
    return tuple(group_words(group)) or ("",)
