"""Whether one sample has the smaller values: the rank sum test (Mann and Whitney 1947)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def smaller(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the p-value, one-sided, of xs being no smaller than ys.

    By the normal approximation with a correction for ties and for continuity: for samples of eight
    or so and more. 1 where all values are equal.
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
    """Return the rank of each value, from 1; equal ones share the mean of theirs."""
    counts = Counter(values)
    ranks, before = {}, 0
    for value in sorted(counts):
        ranks[value] = before + (counts[value] + 1) / 2
        before += counts[value]
    return ranks
