"""Reads a step with keys on one line: ``- move: {robot: robot1, to: room2}``.

Other forms are ``Action: stack; Arguments: a, b`` and ``stack(top=a, bottom=b)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pddl_pipeline.translators.answers.named_arguments import Argument
from pddl_pipeline.translators.answers.structured import ACTIONS, ARGUMENTS, REMARKS

QUOTES: Final = str.maketrans("", "", "*`\"'")
"""Removes quotes and the signs of Markdown."""
MARK: Final = re.compile(r"(?:[-*\u2022]|\d{1,4}[.)])\s+")
"""Pattern of the mark before an item of a list."""
_LINE: Final = re.compile(
    r"(?:(?P<action>[a-z][\w -]{0,30}?)\s?:\s*)?"
    r"\{(?P<inside>[^{}]{1,300})\}[,;.]?",
    re.IGNORECASE,
)
_ENTRY: Final = re.compile(
    r"\s*([a-z][\w -]{0,30}?)\s*:\s*(\[[^\[\]]*\]|[^,\[\]]+)(?:,|$)", re.IGNORECASE
)
_NAMED: Final = re.compile(
    rf".{{0,20}}\b(?:action|step)\s?\d{{0,4}}\s?:\s*([a-z][\w -]{{0,30}}?)\s*[;,|]\s*"
    rf"(?:{'|'.join(ARGUMENTS)})\s?:\s*[\[(]?([\w, -]{{1,200}})[\])]?[.;]?",
    re.IGNORECASE,
)
_PAIR: Final = r"\w{1,30}\s?=\s?[\w -]{1,60}"
_CALL: Final = re.compile(
    r"(?:\w{1,20}\.)?([a-z][\w-]{0,60})"
    rf"\(\s*({_PAIR}(?:,\s*{_PAIR}){{0,11}}),?\s*\)[,;.]?",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"\s*,\s*")


def flow_step(text: str) -> tuple[str, list[Argument]] | None:
    """Return the action and the arguments of a line; None for a line in another form.

    Braces need not be JSON, whose keys and values have quotes.
    """
    plain = text.translate(QUOTES).strip()
    mark = MARK.match(plain)
    item = plain[mark.end() :] if mark else plain
    call = _CALL.fullmatch(item)
    if call is not None:
        pairs = [each.split("=") for each in _BETWEEN.split(call[2])]
        return call[1], [(name.strip(" _").lower(), value.strip()) for name, value in pairs]
    if "{" not in plain:
        match = _NAMED.fullmatch(plain)
        return match and (match[1], [("", each) for each in _BETWEEN.split(match[2])])
    match = _LINE.fullmatch(item)
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
