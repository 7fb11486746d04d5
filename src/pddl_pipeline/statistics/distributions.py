"""The distance between two distributions of numbers, with a bound by the bootstrap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

RESAMPLES: Final = 5_000
_SEED: Final = 20_261_122


def distance_bound(
    one: Mapping[int, int], other: Mapping[int, int], confidence: float
) -> tuple[float, float]:
    """Return the largest difference of cumulative shares, and an upper bound of it.

    The difference is Kolmogorov and Smirnov's. The bound is a percentile of the differences
    between resamples, which lie above the true difference, so that it is conservative.

    Args:
        one: the count of each number in the first sample.
        other: the count of each number in the second sample.
        confidence: the confidence of the bound.
    """
    import numpy as np  # takes 0.1 s, and most commands do not need it

    numbers = sorted({*one, *other})
    counts = [np.array([each.get(number, 0) for number in numbers]) for each in (one, other)]
    generator = np.random.default_rng(_SEED)
    sizes = [int(count.sum()) for count in counts]
    drawn = [
        generator.multinomial(size, each / size, RESAMPLES).cumsum(axis=1) / size
        for each, size in zip(counts, sizes, strict=True)
    ]
    shares = [each.cumsum() / size for each, size in zip(counts, sizes, strict=True)]
    bound = np.quantile(np.abs(drawn[0] - drawn[1]).max(axis=1), confidence)
    return float(np.abs(shares[0] - shares[1]).max()), float(bound)


def size_for_distance(margin: float, confidence: float) -> int:
    """Return the size of each sample whose bound is within a margin if the distributions are equal.

    By the asymptotic distribution of the difference (Kolmogorov 1933); resampling doubles its
    variance.
    """
    from scipy.stats import kstwobign  # extra

    quantile = float(kstwobign.ppf(confidence))
    return math.ceil(4 * quantile**2 / margin**2)
