"""The difference of two samples, with its test, its interval and the sizes that would decide."""

from __future__ import annotations

import math
from typing import Final, Protocol

from pddl_pipeline.statistics.intervals import Interval

LEVEL: Final = 0.05
"""The level of significance."""
POWER: Final = 0.8
"""The probability with which a sample of a needed size decides."""


class Difference(Protocol):
    """The difference between two samples: the first one's number minus the second one's."""

    @property
    def test(self) -> str:
        """The name of the test."""
        ...

    @property
    def n(self) -> tuple[int, ...]:
        """The number of instances of each sample, or of pairs."""
        ...

    @property
    def value(self) -> float:
        """The difference."""
        ...

    @property
    def p(self) -> float:
        """The two-sided p of the hypothesis that there is no difference."""
        ...

    def interval(self, confidence: float) -> Interval | None:
        """Return the confidence interval of the difference; None if there is no such method."""
        ...

    def variance(self) -> float:
        """Return the variance of the difference, times the size of each sample."""
        ...

    def at(self, number: int) -> Difference | None:
        """Return the same numbers with samples of another size; None if p would not be exact."""
        ...


def size_for_equality(difference: Difference, margin: float) -> int:
    """Return the size of each sample that shows equality within a margin, with power `POWER`.

    The true difference is assumed to be 0.
    """
    return _size(difference.variance(), margin, (1 + POWER) / 2, 1 - LEVEL)


def size_for_order(difference: Difference, least: float) -> int:
    """Return the size of each sample that shows a difference of the observed size.

    Args:
        difference: the difference.
        least: the difference to show if the observed one is smaller.
    """
    size = _size(difference.variance(), max(abs(difference.value), least), POWER, 1 - LEVEL / 2)
    if abs(difference.value) < least:
        return size
    # The formula is of the normal distribution, and too small for the exact tests of few cases.
    while (same := difference.at(size)) is not None and same.p >= LEVEL:
        size += 1
    return size


def _size(variance: float, reach: float, power: float, level: float) -> int:
    from scipy.stats import norm  # noqa: PLC0415 -- extra

    quantiles = float(norm.ppf(level) + norm.ppf(power))
    return max(2, math.ceil(quantiles**2 * variance / reach**2))
