"""Sets of positions as bit masks, and the ways to split them in two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb


def positions(mask: int) -> list[int]:
    """Return the positions in a set, in order."""
    return [position for position in range(mask.bit_length()) if mask >> position & 1]


def sets_of_size(count: int, size: int) -> Iterator[int]:
    """Yield the sets of that many of ``count`` positions."""
    for chosen in combinations(range(count), size):
        yield sum(1 << position for position in chosen)


def splits(mask: int) -> Iterator[tuple[int, int]]:
    """Yield each split of a set in two that are not empty once, the larger part first.

    The most even ones come first: their tables are the largest, and what they decide is most.
    """
    members = positions(mask)
    for size in range(len(members) // 2, 0, -1):
        for chosen in combinations(members, size):
            part = sum(1 << position for position in chosen)
            if 2 * size < len(members) or part < mask ^ part:
                yield mask ^ part, part


def larger_sets(mask: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield ``(whole, rest)`` for each set of ``count`` positions of which ``mask`` is a part."""
    outside = positions(((1 << count) - 1) ^ mask)
    for size in range(1, len(outside) + 1):
        for chosen in combinations(outside, size):
            rest = sum(1 << position for position in chosen)
            yield mask | rest, rest


def interleavings(first: int, second: int) -> int:
    """Return in how many orders the steps of two parts can be taken, given how they are inside.

    A part of k numbers takes k - 1 steps.
    """
    steps = first.bit_count() - 1
    return comb(steps + second.bit_count() - 1, steps)
