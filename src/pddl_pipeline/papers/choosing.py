"""Selection of instances from many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value")


def spread(values: Sequence[Value], number: int) -> list[Value]:
    """Return `number` values, evenly spread from first to last; all if there are fewer."""
    number = min(number, len(values))
    return [values[position * len(values) // number] for position in range(number)]
