"""Shorten text to fit on one line."""

from __future__ import annotations

from typing import Final

_WIDTH: Final = 80


def shortened(text: str, width: int = _WIDTH) -> str:
    """Return a text cut to a width in characters; its last character is ``…`` if it was cut."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
