"""The rank sum test of whether one sample has smaller values (Mann and Whitney 1947)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def smaller(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the one-sided p-value of the hypothesis that xs are not smaller than ys.

    Uses the normal approximation with corrections for ties and continuity, which is suitable for
    samples of about eight values or more. Return 1 if all values are equal.
    """
    ranks = _ranks([*xs, *ys])
    n, m = len(xs), len(ys)
    above = sum(ranks[x] for x in xs) - n * (n + 1) / 2
    ties = sum(t**3 - t for t in Counter([*xs, *ys]).values())
    total = n + m
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    z = (above + 0.5 - n * m / 2) / math.sqrt(variance)
    return min(1.0, math.erfc(-z / math.sqrt(2)) / 2)


def _ranks(values: Sequence[float]) -> dict[float, float]:
    """Return the rank of each value, from 1; equal values have the mean of their ranks."""
    counts = Counter(values)
    ranks, before = {}, 0
    for value in sorted(counts):
        ranks[value] = before + (counts[value] + 1) / 2
        before += counts[value]
    return ranks
