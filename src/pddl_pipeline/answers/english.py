"""The English words that all answers share, from ``words.toml``, and the forms of verbs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

_FILE: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
_WORD: Final = re.compile(r"[a-z]+")
_PAST: Final[dict[str, list[str]]] = _FILE["irregular"]


def listed(name: str) -> frozenset[str]:
    """Return the words of a list in the file, which says what they are for."""
    return frozenset(_FILE[name])


ARTICLES, LINKS, BE, NEGATIVE, OPENING, STATING, BETWEEN, PRONOUNS = map(
    listed,
    ("articles", "links", "be", "negative", "opening", "stating", "between", "pronouns"),
)
COMPLEMENTS: Final = tuple(f"{{0}} {each}" for each in _FILE["complements"])
"""Phrases for what is said of any object without telling a step."""


def words_in(text: str) -> list[str]:
    """Return the words of a text in lower case, without numbers and signs."""
    return _WORD.findall(text.lower())


def forms(verb: str) -> dict[str, str]:
    """Return the forms of a verb, more than are right: ``base``, ``s``, ``ing`` or ``past``."""
    last = verb[-1]
    found = dict.fromkeys((f"{verb}s", f"{verb}es", f"{verb.removesuffix('y')}ies"), "s")
    stem = verb.removesuffix("e")
    found |= dict.fromkeys((f"{stem}ing", f"{verb}ing", f"{verb}{last}ing"), "ing")
    past = _PAST.get(verb, (f"{stem}ed", f"{verb}{last}ed", f"{verb.removesuffix('y')}ied"))
    return {**found, **dict.fromkeys(past, "past"), verb: "base"}
