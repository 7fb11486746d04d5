"""Confidence intervals at 95 % for means over instances.

If each instance counts 0 or 1, Wilson's score interval (Wilson 1927); else the percentile bootstrap
over instances (Efron 1979), with a fixed seed, so that equal answers result in equal intervals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

Z_95: Final = 1.959963984540054
"""The 97.5 % point of the standard normal distribution."""
RESAMPLES: Final = 5_000
FEW: Final = 5
"""Intervals of fewer instances are marked: they say little, and resamples of them nothing."""
SEED: Final = 20_240_229
DRAWN_AT_ONCE: Final = 4_000_000
"""The largest number of values that resampling holds in memory."""
_MEDIAN_RESAMPLES: Final = 9_999


class Interval(NamedTuple):
    """A 95 % confidence interval of a mean."""

    low: float
    high: float


class Estimate(NamedTuple):
    """A mean over instances."""

    value: Fraction
    interval: Interval
    instances: int

    @property
    def is_few(self) -> bool:
        """Whether there are fewer than `FEW` instances, so that the interval is marked."""
        return self.instances < FEW


def estimate(values: Sequence[Fraction | int]) -> Estimate | None:
    """Return the mean of one value per instance, from 0 to 1, with its interval.

    Return None if there are no values.
    """
    if not values:
        return None
    counts = Counter(values)
    total = sum((Fraction(value) * count for value, count in counts.items()), Fraction(0))
    is_share = counts.keys() <= {0, 1}
    bounds = wilson(counts[1], len(values)) if is_share else bootstrap(counts)
    return Estimate(total / len(values), bounds, len(values))


def marked_few(text: str, instances: int) -> str:
    """Return the text of an interval, marked if it is of fewer than `FEW` instances."""
    return f"{text} (n<{FEW})" if instances < FEW else text


def wilson(right: float, trials: int, z: float = Z_95) -> Interval:
    """Return Wilson's score interval of one or more trials, without continuity correction."""
    share = right / trials
    shrink = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / shrink
    reach = z / shrink * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # Exact at both ends; rounding would result in 1e-17.
    low = 0.0 if right == 0 else max(0.0, middle - reach)
    high = 1.0 if right == trials else min(1.0, middle + reach)
    return Interval(low, high)


def bootstrap(
    counts: Mapping[Any, int], resamples: int = RESAMPLES, *, seed: int = SEED
) -> Interval:
    """Return the percentile bootstrap interval of the mean of values, given the count of each.

    A resample draws the number of occurrences of each distinct value. This is equivalent to drawing
    instances, and as fast for 20,000 instances as for 20. For a single instance the interval is 0
    to 1.
    """
    import numpy as np  # takes 0.1 s, and proportions do not need it

    size = sum(counts.values())
    if size == 1:
        return Interval(0.0, 1.0)
    ordered = sorted(counts)
    values = np.array([float(value) for value in ordered])
    shares = np.array([counts[value] for value in ordered]) / size
    generator = np.random.default_rng(seed)
    block = max(1, DRAWN_AT_ONCE // len(ordered))
    means = np.concatenate(
        [
            generator.multinomial(size, shares, min(block, resamples - start)) @ values / size
            for start in range(0, resamples, block)
        ]
    )
    low, high = np.quantile(means, (0.025, 0.975))
    return Interval(float(low), float(high))


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % percentile interval of the median of a sample.

    The resamples have a fixed seed, so that the same values give the same interval.

    Args:
        values: at least two numbers.

    Raises:
        ValueError: there are fewer values.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
    """
    import numpy as np  # SciPy and what it brings are of an extra
    from scipy.stats import bootstrap

    found = bootstrap(
        (np.asarray(values, dtype=float),),
        np.median,
        n_resamples=_MEDIAN_RESAMPLES,
        confidence_level=0.95,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    interval = found.confidence_interval
    return float(interval.low), float(interval.high)
