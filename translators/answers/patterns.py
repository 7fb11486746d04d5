"""Patterns of sentences: the words of a template in their order, with slots for names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.translators.answers.names import ARTICLES, LINKS
from pddl_pipeline.translators.answers.roles import AWAY, TOWARDS

_PART: Final = re.compile(r"\{(\d)\}|[\w-]+")


class Pattern(NamedTuple):
    """A pattern for reading a sentence: required words, and slots for names."""

    action: str
    parts: tuple[str | int, ...]
    links: Mapping[int, frozenset[str]]
    """By slot, the prepositions before the name. A line must not have the opposite ones there."""
    swaps: bool
    """Whether the names have another order than in PDDL, so that prepositions are required."""
    bare: bool
    """Whether it is a PDDL step, without prepositions, and not a sentence."""


@lru_cache(4_096)
def pattern_of(action: str, sentence: str, *, bare: bool = False) -> Pattern:
    """Return the pattern of a sentence with ``{0}``, ``{1}``, … for the arguments of an action."""
    parts: list[str | int] = []
    links: dict[int, frozenset[str]] = {}
    before: list[str] = []
    for match in _PART.finditer(sentence.lower()):
        if match[1] is not None:
            parts.append(int(match[1]))
            links[int(match[1])] = frozenset(before)
            before = []
        elif match[0] in LINKS and parts:
            before.append(match[0])
        elif match[0] not in ARTICLES:
            parts.append(match[0])
            before = []
    slots = [part for part in parts if isinstance(part, int)]
    return Pattern(action, tuple(parts), links, slots != sorted(slots), bare)


def reverse(pattern: Pattern, slot: int, words: Sequence[str], *, first: bool) -> str | None:
    """Return the preposition before a name that contradicts the pattern, or None.

    Before the first name, only prepositions of the pattern are allowed. If the pattern swaps names,
    its prepositions are required: `stack on b1 the block b2`.
    """
    expected, said = pattern.links[slot], LINKS.intersection(words)
    if pattern.swaps and not first and expected & (AWAY | TOWARDS) and not expected & said:
        return "no preposition" if not said else min(said)
    if not said or pattern.bare:
        return None
    if first and not expected:
        return min(said)
    away, towards = bool(expected & AWAY), bool(expected & TOWARDS) and not expected & AWAY
    if (away and said & TOWARDS and not said & AWAY) or (towards and said & AWAY):
        return min(said & (AWAY | TOWARDS))
    return None
