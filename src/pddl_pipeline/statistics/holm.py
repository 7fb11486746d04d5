"""Holm's correction of the p of several tests."""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float]) -> list[float]:
    """Return the adjusted p of each test, in order: below a level, the test decides at that level.

    The probability of one or more false decisions among all tests is then at most the level,
    however the tests depend on each other.

    Source: Holm, A simple sequentially rejective multiple test procedure, 1979.
    """
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = largest
    return adjusted
