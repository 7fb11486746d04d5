"""The difference of two means of the same instances, with the sign-flip test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.statistics.intervals import RESAMPLES, SEED, Interval, bootstrap

_MOST_WORK: Final = 30_000_000
"""The largest number of additions for the exact test, which takes at most about 0.5 s then."""
FLIPS: Final = 99_999
"""The number of random sign flips if the exact test would take too long."""
_ROUNDING: Final = 1e-12
"""The sums of random flips are floats, and an equal sum may be this much smaller."""


class PairedMeans:
    """The mean difference of two values of each instance, each from 0 to 1."""

    def __init__(
        self,
        differences: Iterable[Fraction | int] | Mapping[Fraction, int],
        seed: int = SEED,
    ) -> None:
        """Take the first value minus the second one for each of one or more instances.

        Args:
            differences: the differences, or the number of instances with each of them.
            seed: the seed of the resamples.
        """
        self._counts: Counter[Fraction | int] = Counter(differences)
        self._seed = seed

    @property
    def n(self) -> int:
        """The number of instances."""
        return self._counts.total()

    @property
    def value(self) -> Fraction:
        """The mean difference."""
        return sum((Fraction(x) * count for x, count in self._counts.items()), Fraction()) / self.n

    @property
    def test(self) -> str:
        """The name of the test."""
        return "sign-flip test" if self._is_exact else f"sign-flip test, {FLIPS:,} random flips"

    @property
    def p(self) -> float:
        """The two-sided p of the permutation test that flips the signs of differences.

        If the models are alike, each difference has either sign with probability 1/2. p is the
        probability of a sum at least as far from 0 as the observed one: exact, or by random flips
        (Phipson and Smyth 2010) if there are too many instances. For differences of -1, 0 and 1
        this is the exact McNemar test.

        Source: Fisher, The Design of Experiments, 1935, section 21.
        """
        sizes, least = self._sizes()
        if not sizes or least == 0:
            return 1.0
        return _exact(sizes, least) if self._is_exact else _random(sizes, least, self._seed)

    def interval(self) -> Interval:
        """Return the 95 % percentile bootstrap interval of the mean, over instances.

        Resamples of equal differences have no spread. Then the interval assumes that as large a
        share of all instances as Clopper and Pearson's bound (1934) of 0 of n allows differs from
        these, with differences of -1 or of 1.
        """
        if len(self._counts) > 1:
            return bootstrap(self._counts, RESAMPLES, seed=self._seed)
        share, value = 1 - 0.025 ** (1 / self.n), float(self.value)
        return Interval(value - share * (value + 1), value + share * (1 - value))

    @property
    def _is_exact(self) -> bool:
        sizes, _ = self._sizes()
        reach = sum(size * count for size, count in sizes.items())
        return reach * sum(sizes.values()) <= _MOST_WORK

    def _sizes(self) -> tuple[Mapping[int, int], int]:
        """Return the counts of absolute differences other than 0, and the absolute sum.

        Both are whole numbers, in units of the common denominator.
        """
        unit = math.lcm(*(Fraction(each).denominator for each in self._counts))
        sizes: Counter[int] = Counter()
        total = 0
        for each, count in self._counts.items():
            size = int(each * unit)
            sizes[abs(size)] += count if size else 0
            total += size * count
        return +sizes, abs(total)


def _exact(sizes: Mapping[int, int], least: int) -> float:
    """Return the probability that a sum with random signs is at least `least` away from 0."""
    import numpy as np  # noqa: PLC0415 -- takes 0.1 s, and most commands do not need it

    reach = sum(size * count for size, count in sizes.items())
    # The probability of each sum of the differences with a positive sign, from 0 to `reach`.
    chances = np.zeros(reach + 1)
    chances[0] = 1.0
    for size, count in sizes.items():
        for _ in range(count):
            chances[size:] = (chances[size:] + chances[:-size]) / 2
            chances[:size] /= 2
    # The sum of all is twice that of the positive ones, minus `reach`.
    low, high = (reach - least) // 2, -(-(reach + least) // 2)
    return min(1.0, float(chances[: low + 1].sum() + chances[high:].sum()))


def _random(sizes: Mapping[int, int], least: int, seed: int) -> float:
    """Return the share of random signs whose sum is at least `least` away from 0."""
    import numpy as np  # noqa: PLC0415 -- as above

    generator: Any = np.random.default_rng(seed)
    sums = np.zeros(FLIPS)
    for size, count in sizes.items():
        sums += float(size) * (2 * generator.binomial(count, 0.5, FLIPS) - count)
    reached = np.abs(sums) >= least * (1 - _ROUNDING)
    return float((1 + np.count_nonzero(reached)) / (1 + FLIPS))
