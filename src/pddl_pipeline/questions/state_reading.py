"""A tolerant reader of descriptions of states, as PDDL atoms or in a domain's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.fluents import Fluents
from pddl_pipeline.questions.phrases import Phrase, Wording
from pddl_pipeline.questions.reading import GROUP, group_words, readings
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


@dataclass(frozen=True)
class StateReader:
    """A reader of descriptions of the states of one task."""

    fluents: Fluents
    wording: Wording | None

    def read(self, text: str) -> StateDescription:
        """Return the description in an answer, from its likeliest part that contains one."""
        found = StateDescription(frozenset(), frozenset())
        for part in readings(text):
            found = self._read(part)
            if found.asserted or found.denied:
                break
        return found

    def _read(self, text: str) -> StateDescription:
        asserted, denied = set[str](), set[str]()
        for name, value in _VALUE.findall(text):
            words = group_words(name)
            if words and words[0] in self.fluents.functions:
                asserted.add(f"(= {atom_text(tuple(words))} {value})")
        text = _VALUE.sub(",", text)
        for pattern, said in ((_DENIED, denied), (GROUP, asserted)):
            for group in pattern.findall(text):
                words = group_words(group) or [""]
                if len(self.fluents.predicates.get(words[0], words)) == len(words) - 1:
                    said.add(atom_text(tuple(words)))
            text = pattern.sub(",", text)
        for atom, denies in self._clauses(text):
            (denied if denies else asserted).add(atom_text(atom))
        return StateDescription(frozenset(asserted), frozenset(denied))

    def _clauses(self, text: str) -> Iterator[tuple[Ground, bool]]:
        """Yield the atoms of the clauses of a text, each with whether the clause denies it."""
        phrases = self.wording.phrases if self.wording else ()
        subject, listing = "", None
        for raw in _CLAUSES.split(text) if phrases else ():
            clause = _BEFORE.sub("", " ".join(raw.split()), count=1) if len(raw) <= _LONGEST else ""
            for phrase in phrases:
                if phrase.opening and clause.startswith(phrase.opening):
                    listing, clause = phrase, clause.removeprefix(phrase.opening).strip()
            if not clause:
                continue
            if listing is not None and re.fullmatch(_NAME, clause):
                yield (self._known(listing), clause), False
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
        matches = (
            ((self._known(phrase), *(match[f"o{n}"] for n in range(phrase.arity))), denies)
            for pattern, phrase, denies in self._patterns
            if (match := pattern.fullmatch(clause)) is not None
        )
        known = [each for each in matches if each[0][0] in self.fluents.predicates]
        fitting = (each for each in known if self.fluents.fits(each[0]))
        return next(fitting, known[0] if known else None)

    def _known(self, phrase: Phrase) -> str:
        known = (name for name in phrase.predicates if name in self.fluents.predicates)
        return next(known, phrase.predicates[0])

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], Phrase, bool]]:
        """The patterns of phrases and whether each denies, those with the longest text first."""
        texts = [
            (text, phrase, denies)
            for phrase in (self.wording.phrases if self.wording else ())
            for denies, group in ((False, phrase.readings), (True, phrase.denials))
            for text in group
        ]
        texts.sort(key=lambda each: -len(re.sub(r"\{\d\}", "", each[0])))
        kinds = "|".join(re.escape(kind) for kind in sorted(self.fluents.types))
        named = rf"(?:the )?(?:(?:{kinds}|block) )?(?P<o\1>{_NAME})"
        return [
            (re.compile("(?:the )?" + re.sub(
                r"\\\{(\d)\\\}", lambda found: named.replace(r"\1", found[1]),
                re.escape(text.removeprefix("the ")),
            )), phrase, denies)
            for text, phrase, denies in texts
        ]  # fmt: skip
