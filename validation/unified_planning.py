"""Helpers for Unified Planning, which is imported only when used: importing takes a second."""

from __future__ import annotations

from typing import Any


def environment() -> Any:
    """Return the process's only environment; version 1.3.0 mixes up two environments."""
    from unified_planning.shortcuts import get_environment  # noqa: PLC0415

    found = get_environment()
    found.credits_stream = None
    # Public files use one name for an action and a predicate; PDDL allows it.
    found.error_used_name = False
    return found


def one_line(error: Exception) -> str:
    """Return an exception of Unified Planning or its dependencies as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:300]
