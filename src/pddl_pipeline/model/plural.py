"""Nouns behind numbers."""

from __future__ import annotations


def plural(number: int, noun: str) -> str:
    """Return a noun as it stands behind a number: with an s, unless the number is 1."""
    return noun if number == 1 else f"{noun}s"
