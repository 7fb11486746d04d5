"""Exact counts of the end values of random walks, compiled or in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from math import isqrt
from typing import TYPE_CHECKING, Any, Final

from pddl_pipeline.countdown.compiling import has_numba
from pddl_pipeline.countdown.walks import OPERATORS, mix, walk
from pddl_pipeline.model.number import Number

if TYPE_CHECKING:
    import numpy as np

_LARGEST_PRIME: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The distinct end values, in the order in which walks first reach them."""

    counts: list[int]
    """The number of walks that end with each value."""
    walks: list[int]
    """The first walk that ends with each value."""
    value: Callable[[int], Number]
    """Return the value at a position."""

    def items(self) -> Iterator[tuple[Number, int]]:
        """Yield each value and the number of walks that end with it."""
        return ((self.value(position), number) for position, number in enumerate(self.counts))


def frequencies(numbers: Sequence[int], operators: str, walks: int, seed: int) -> Frequencies:
    """Count the end values of random walks, with compiled code if numba is installed.

    Args:
        numbers: the numbers at the start of each walk.
        operators: the allowed operators, in the order of `OPERATORS`.
        walks: the number of walks.
        seed: determines all random draws.
    """
    count_walks = compiled_frequencies if has_numba() else plain_frequencies
    return count_walks(numbers, operators, walks, seed)


def plain_frequencies(numbers: Sequence[int], operators: str, walks: int, seed: int) -> Frequencies:
    """Count the end values in plain Python."""
    counts: dict[Number, int] = {}
    firsts = []
    for index in range(walks):
        _, value = walk(numbers, operators, seed, index)
        if value not in counts:
            firsts.append(index)
        counts[value] = counts.get(value, 0) + 1
    return Frequencies(list(counts.values()), firsts, list(counts).__getitem__)


def compiled_frequencies(
    numbers: Sequence[int], operators: str, walks: int, seed: int, prime: int = _LARGEST_PRIME
) -> Frequencies:
    """Count the end values in compiled code; ``prime`` is the first prime for its hash table."""
    import numpy as np  # noqa: PLC0415 -- comes with numba

    from pddl_pipeline.countdown.kernels import walks as kernel  # noqa: PLC0415 -- slow

    values, sizes = _rows(numbers)
    codes = np.array([OPERATORS.index(operator) for operator in operators])
    for candidate in _primes(prime):
        known = _nothing_known(walks)
        pool, found = kernel.tally(
            values, sizes, codes, np.uint64(mix(seed)), known, np.uint64(candidate)
        )
        if found >= 0:
            return _read(known, pool, found)
    raise AssertionError("there is always another prime")


def _rows(numbers: Sequence[int]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the numbers in the kernel's format: rows of limbs, and the lengths of the rows."""
    import numpy as np  # noqa: PLC0415

    # Numerators and denominators are at most the product of all numbers, with a factor of 2 for
    # each addition. Rows also need room for the product of two such values.
    bits = sum(max(number, 1).bit_length() + 1 for number in numbers)
    values = np.zeros((2 * len(numbers) + 4, 2 * (bits // 32 + 2)), np.uint64)
    sizes = np.zeros(len(values), np.int64)
    for position, number in enumerate(numbers):
        size = -(-number.bit_length() // 32)
        limbs = np.frombuffer(number.to_bytes(4 * size, "little"), "<u4")
        values[2 * position, :size] = limbs
        sizes[2 * position] = size
        values[2 * position + 1, 0] = sizes[2 * position + 1] = 1
    return values, sizes


def _nothing_known(walks: int) -> Any:
    import numpy as np  # noqa: PLC0415

    from pddl_pipeline.countdown.kernels.walks import Table  # noqa: PLC0415

    table = np.full(2 ** (2 * walks).bit_length(), -1)
    keys, counts, firsts, middles = (np.empty(walks, np.int64) for _ in range(4))
    return Table(table, keys, counts, firsts, np.zeros(walks + 1, np.int64), middles)


def _read(known: Any, pool: Any, found: int) -> Frequencies:
    def number(start: int, end: int) -> int:
        return int.from_bytes(pool[start:end].astype("<u4").tobytes(), "little")

    def value(position: int) -> Fraction:
        start, middle = known.starts[position], known.middles[position]
        return Fraction(number(start, middle), number(middle, known.starts[position + 1]))

    return Frequencies(known.counts[:found].tolist(), known.walks[:found].tolist(), value)


def _primes(first: int) -> Iterator[int]:
    """Yield odd primes from ``first`` downwards, then from the largest 31-bit prime downwards."""
    for start in (first, _LARGEST_PRIME):
        for candidate in count(start, -2):
            if candidate < 3:
                break
            if _is_prime(candidate):
                yield candidate


@cache
def _is_prime(odd: int) -> bool:
    return all(odd % factor for factor in range(3, isqrt(odd) + 1, 2))
