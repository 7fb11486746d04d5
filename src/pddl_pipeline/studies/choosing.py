"""Chooses some instances of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value")


def spread(values: Sequence[Value], number: int) -> list[Value]:
    """Return so many, or all if there are fewer, evenly from first to last."""
    number = min(number, len(values))
    return [values[position * len(values) // number] for position in range(number)]
