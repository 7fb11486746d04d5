"""Ground atoms, fluents and steps as text."""

from __future__ import annotations

from collections.abc import Iterable


def atom_text(words: Iterable[str]) -> str:
    """Return a name and its arguments as PDDL, such as ``(at car1 l2)``."""
    return f"({' '.join(words)})"
