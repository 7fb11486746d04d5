"""Counts of the end values of random walks, compiled or in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.countdown.compiling import has_numba
from pddl_pipeline.countdown.walks import WORD, walk
from pddl_pipeline.model.number import Number

_LARGEST_FLOAT: Final = 10**300
_CLOSE: Final = 1e-6
_EXACT: Final = 1e8
"""Floats of the kernel below this bound differ by less than 1/2 from their values."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The distinct end values, in the order in which walks first reach them."""

    counts: list[int]
    """The number of walks that end with each value."""
    walks: list[int]
    """The first walk that ends with each value."""
    whole: Callable[[int], int | None]
    """Return the value at a position if it is a whole number, else None."""


def frequencies(numbers: Sequence[int], walks: int, seed: int) -> Frequencies:
    """Count the end values of random walks, with compiled code if numba is installed.

    Args:
        numbers: the numbers at the start of each walk.
        walks: the number of walks.
        seed: determines all random draws.
    """
    found = compiled_frequencies(numbers, walks, seed) if has_numba() else None
    return found or plain_frequencies(numbers, walks, seed)


def plain_frequencies(numbers: Sequence[int], walks: int, seed: int) -> Frequencies:
    """Count the end values in plain Python."""
    counts: dict[Number, int] = {}
    firsts = []
    for index in range(walks):
        _, value = walk(numbers, seed, index)
        if value not in counts:
            firsts.append(index)
        counts[value] = counts.get(value, 0) + 1
    values = list(counts)
    return Frequencies(list(counts.values()), firsts, lambda position: _whole(values[position]))


def _whole(value: Number) -> int | None:
    return int(value) if value.denominator == 1 else None


def compiled_frequencies(numbers: Sequence[int], walks: int, seed: int) -> Frequencies | None:
    """Count the end values in compiled code; None if it finds that fingerprints are not enough.

    Two values count as equal if they have the same fingerprint, 61 bits, and nearly the same float.
    Among 100,000 values, the chance that two different ones do is below one in a billion.
    """
    import numpy as np  # comes with numba

    from pddl_pipeline.countdown import walk_kernel as kernel  # slow

    starts = np.array([number % kernel.PRIME for number in numbers])
    keys, near = kernel.ends(starts, np.array(numbers, float), np.uint64(seed & WORD), walks)

    for index in np.flatnonzero(keys == kernel.UNKNOWN).tolist():
        _, value = walk(numbers, seed, index)
        # Then the value has no fingerprint, and all walks are counted in plain Python.
        if value.denominator % kernel.PRIME == 0:
            return None
        keys[index] = value.numerator * pow(value.denominator, -1, kernel.PRIME) % kernel.PRIME
        near[index] = min(value, _LARGEST_FLOAT)
    groups, firsts, counts = kernel.grouped(keys)
    # Two different values with one fingerprint.
    if not np.allclose(near, near[firsts][groups], rtol=_CLOSE, atol=0):
        return None
    first_walks = firsts.tolist()

    def whole(position: int) -> int | None:
        index = first_walks[position]
        if near[index] < _EXACT and round(near[index]) != keys[index]:
            return None
        return _whole(walk(numbers, seed, index)[1])

    return Frequencies(counts.tolist(), first_walks, whole)
