"""Reads a step that is told in braces on one line: ``- move: {robot: robot1, to: room2}``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pddl_pipeline.translators.answers.named_arguments import Argument
from pddl_pipeline.translators.answers.structured import ACTIONS, ARGUMENTS, REMARKS

_QUOTES: Final = str.maketrans("", "", "*`\"'")
_LINE: Final = re.compile(
    r"(?:[-*\u2022]\s+|\d{1,4}[.)]\s+)?(?:(?P<action>[a-z][\w -]{0,30}?)\s?:\s*)?"
    r"\{(?P<inside>[^{}]{1,300})\}[,;.]?",
    re.IGNORECASE,
)
_ENTRY: Final = re.compile(r"\s*([a-z][\w -]{0,30}?)\s*:\s*(\[[^\[\]]*\]|[^,\[\]]+)(?:,|$)", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s*,\s*")


def flow_step(text: str) -> tuple[str, list[Argument]] | None:
    """Return the action and the arguments of a line in YAML's short form; None for other lines.

    The line need not be JSON, whose keys and values have quotes.
    """
    if "{" not in text:
        return None
    match = _LINE.fullmatch(text.translate(_QUOTES).strip())
    entries = None if match is None else _entries(match["inside"])
    if match is None or entries is None:
        return None
    action = match["action"] or next((entries[name] for name in ACTIONS if name in entries), None)
    return None if action is None else (action.strip(), list(_arguments(entries)))


def _entries(inside: str) -> dict[str, str] | None:
    """Return the values by key; None if a part of the text is no key with a value."""
    found: dict[str, str] = {}
    at = 0
    while at < len(inside):
        match = _ENTRY.match(inside, at)
        if match is None:
            return None
        found[match[1].lower()], at = match[2].strip(), match.end()
    return found


def _arguments(entries: dict[str, str]) -> Iterator[Argument]:
    for key, value in entries.items():
        if key in ARGUMENTS:
            yield from (("", each) for each in _BETWEEN.split(value.strip("[] ")) if each)
        elif key not in ACTIONS and key not in REMARKS:
            yield key, value
