"""Recognises talk about states and goals: clauses whose objects all stand in phrases of facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.answers.english import ARTICLES, BE, BETWEEN, LINKS, OPENING, STATING
from pddl_pipeline.answers.terms import OBJECT, PRONOUN, SIGN, Term

_SLOT: Final = re.compile(r"\{(\d)\}")
_NOISE: Final = (OPENING - LINKS) | BE | ARTICLES | {"top", "of", "being", "s"}
_NAMED: Final = frozenset({OBJECT, PRONOUN})
_SILENT: Final = BETWEEN | (OPENING | LINKS | BE | ARTICLES) - STATING - {"for"}


class Phrase(NamedTuple):
    """A phrase for the facts of a predicate."""

    predicate: str
    parts: tuple[int | str, ...]
    """Words, and the positions of objects."""
    denied: bool


class Fact(NamedTuple):
    """A fact that a clause states; None stands for objects that it leaves out."""

    predicate: str
    objects: Mapping[int, str]
    denied: bool
    claimed: bool
    """Whether it is said to hold, and not only to be made true."""


class States:
    """The phrases for the facts of a domain."""

    def __init__(self, phrases: Iterable[tuple[str, str, bool]], nouns: Iterable[str]) -> None:
        """Prepare phrases.

        Args:
            phrases: predicate, phrase with ``{0}``, ``{1}``, … for objects, and whether it denies.
            nouns: words that stand beside names without a meaning.
        """
        silent = _NOISE.union(nouns)
        self._silent = _SILENT.union(nouns)
        found: dict[Phrase, None] = {}
        for predicate, text, denied in phrases:
            parts: list[int | str] = []
            for word in re.findall(r"\{\d\}|[\w-]+", text.lower()):
                slot = _SLOT.fullmatch(word)
                if slot is not None:
                    parts.append(int(slot[1]))
                elif word not in silent:
                    parts.append(word)
            found[Phrase(predicate, tuple(parts), denied)] = None
            if parts and isinstance(parts[0], int) and len(parts) > 1:
                found[Phrase(predicate, tuple(parts[1:]), denied)] = None  # without its subject
        self._phrases: dict[int | str, list[Phrase]] = {}
        self.openings = {each.parts[0] for each in found if isinstance((*each.parts, 0)[0], str)}
        """The words that begin a phrase, as ``clear`` in ``to clear a``."""
        # Of phrases of one length, those without their subject come last.
        for phrase in sorted(found, key=lambda each: (-len(each.parts), 0 not in each.parts)):
            if any(isinstance(part, str) for part in phrase.parts):
                first = phrase.parts[0]
                self._phrases.setdefault(0 if isinstance(first, int) else first, []).append(phrase)

    def facts(self, terms: Sequence[Term]) -> list[Fact] | None:
        """Return the facts that a clause states; None if it says something else, or no fact."""
        items = [
            term
            for at, term in enumerate(terms)
            if term.kind in _NAMED
            or not (
                term.kind == SIGN
                or term.text in _NOISE
                or (term.text == "to" and any(each.text in BE for each in terms[at + 1 : at + 2]))
            )
        ]
        first = next((at for at, term in enumerate(items) if term.kind == OBJECT), len(items))
        stated = any(term.text in ("is", "are") for term in terms)
        found: list[Fact] = []
        at = self._start(terms, items, first)
        if at is None:
            return None
        while at < len(items):
            read = self._phrase(items, at)
            if read is not None:
                fact, at = read
                found.append(fact._replace(claimed=fact.claimed or stated))
            elif items[at].kind in _NAMED:
                return None
            else:
                at += 1
        return found

    def _start(self, terms: Sequence[Term], items: Sequence[Term], first: int) -> int | None:
        """Return the index of the first phrase; only words that introduce a state come before."""
        for at in range(first + 1):
            if at < len(items) and self._phrase(items, at) is not None:
                before = [
                    term.text
                    for term in terms
                    if term.start < items[at].start and term.kind != SIGN
                ]
                while before and before[-1] in self._silent:
                    before.pop()
                if not before or before[-1] in STATING:
                    return at
        return None

    def _phrase(self, items: Sequence[Term], at: int) -> tuple[Fact, int] | None:
        key: int | str = 0 if items[at].kind in _NAMED else items[at].text
        for phrase in self._phrases.get(key, ()):
            end = at + len(phrase.parts)
            if end > len(items):
                continue
            objects: dict[int, str] = {}
            for part, term in zip(phrase.parts, items[at:end], strict=True):
                if isinstance(part, int):
                    if term.kind not in _NAMED:
                        break
                    if term.kind == OBJECT:
                        objects[part] = term.text
                elif term.kind in _NAMED or term.text != part:
                    break
            else:
                return Fact(phrase.predicate, objects, phrase.denied, key == 0), end
        return None
