"""Unified Planning as it is used here. Importing it takes a second, so it is imported when used."""

from __future__ import annotations

from typing import Any


def environment() -> Any:
    """Return the one environment of the process; with another, version 1.3.0 mixes up the two."""
    from unified_planning.shortcuts import get_environment  # noqa: PLC0415

    found = get_environment()
    found.credits_stream = None
    # Public files give one name to an action and a predicate; PDDL allows it.
    found.error_used_name = False
    return found


def one_line(error: Exception) -> str:
    """Return an exception of Unified Planning, or of what it uses, as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:300]
