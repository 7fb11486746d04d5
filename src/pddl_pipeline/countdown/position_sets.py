"""Sets of positions as bit masks, and the ways to split them in two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb


def positions(mask: int) -> list[int]:
    """Return the positions in a set, in order."""
    return [position for position in range(mask.bit_length()) if mask >> position & 1]


def sets_of_size(count: int, size: int) -> Iterator[int]:
    """Yield the sets of ``size`` of the ``count`` positions."""
    for chosen in combinations(range(count), size):
        yield sum(1 << position for position in chosen)


def splits(mask: int) -> Iterator[tuple[int, int]]:
    """Yield each split of a set into two non-empty parts once, the larger part first.

    The most even splits come first: their tables are the largest and decide the most.
    """
    members = positions(mask)
    for size in range(len(members) // 2, 0, -1):
        for chosen in combinations(members, size):
            part = sum(1 << position for position in chosen)
            if 2 * size < len(members) or part < mask ^ part:
                yield mask ^ part, part


def larger_sets(mask: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield ``(whole, rest)`` for each proper superset of ``mask`` among ``count`` positions."""
    outside = positions(((1 << count) - 1) ^ mask)
    for size in range(1, len(outside) + 1):
        for chosen in combinations(outside, size):
            rest = sum(1 << position for position in chosen)
            yield mask | rest, rest


def interleavings(first: int, second: int) -> int:
    """Return the number of interleavings of the steps of two parts, each with a fixed order.

    A part of k numbers has k - 1 steps.
    """
    steps = first.bit_count() - 1
    return comb(steps + second.bit_count() - 1, steps)
