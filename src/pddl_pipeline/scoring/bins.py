"""Bins of whole numbers, such as plan lengths, that keep tables and plots legible."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import Final

_MOST: Final = 12
"""The largest number of groups."""


def binned(numbers: Iterable[int]) -> Callable[[int], range]:
    """Return a function that returns the bin of each of these numbers.

    Each number is its own bin if there are at most 12 different ones. Else the bins have the same
    width, the smallest of 2, 5, 10, 20, 50, … with at most 12 bins from the least to the greatest
    number, and begin at its multiples.
    """
    found = {*numbers}
    width = 1 if len(found) <= _MOST else _width(min(found), max(found))
    return lambda number: range(number - number % width, number - number % width + width)


def bin_label(numbers: range) -> str:
    """Return the label of a bin, such as ``7`` or ``10-14``."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def _width(low: int, high: int) -> int:
    widths = (first * int(10**power) for power in count() for first in (1, 2, 5))
    return next(width for width in widths if high // width - low // width < _MOST)
