"""Suggestions in error messages about an unknown name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from pddl_pipeline.model.errors import InputError

Item = TypeVar("Item")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name closest to ``name``, else ``""``.

    A name that differs only in case is closest.
    """
    from difflib import get_close_matches  # only mistakes need it

    names = list(known)
    lower = name[:200].lower()
    same = [each for each in names if each.lower() == lower]
    close = same or get_close_matches(lower, names, n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""


def hint(name: str, known: Collection[str]) -> str:
    """Return `did_you_mean` of a name, or all known names if none is close."""
    return did_you_mean(name, known) or f", known: {', '.join(known)}"


def check_name(name: str, known: Collection[str], unknown: str) -> None:
    """Check that a name is known.

    Args:
        name: the name.
        known: the known names.
        unknown: what an error says before the name, such as ``unknown format``.

    Raises:
        InputError: the name is not known.
    """
    if name not in known:
        raise InputError(f"{unknown} '{name}'{hint(name, known)}")


def item_named(known: Mapping[str, Item], name: str, unknown: str) -> Item:
    """Return the item with a name; see `check_name`.

    Raises:
        InputError: no item has that name.
    """
    check_name(name, known, unknown)
    return known[name]
