"""Shorten text to fit on one line, and escape what a terminal would not print."""

from __future__ import annotations

from typing import Final

_WIDTH: Final = 80


def shortened(text: str, width: int = _WIDTH) -> str:
    """Return a text cut to a width in characters; its last character is ``…`` if it was cut."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def printable(text: str) -> str:
    """Return a text with its control characters escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
