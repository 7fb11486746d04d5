"""Texts in messages: numbers with nouns, ground atoms, and text that fits on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_WIDTH: Final = 80
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def shortened(text: str, width: int = _WIDTH) -> str:
    """Return a text cut to a width in characters; its last character is ``…`` if it was cut."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def printable(text: str) -> str:
    """Return a text with its control characters escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def surrogate_in(text: str) -> str:
    """Return the first unpaired surrogate of a text, escaped; empty if the text is Unicode."""
    match = None if text.isascii() else _SURROGATE.search(text)
    return ascii(match[0])[1:-1] if match else ""


def counted(number: int, noun: str) -> str:
    """Return a number and its noun: ``1 run``, ``1,200 runs``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def atom_text(words: Iterable[str]) -> str:
    """Return a name and its arguments as PDDL, such as ``(at car1 l2)``."""
    return f"({' '.join(words)})"
