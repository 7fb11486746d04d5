"""The difference of two means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from pddl_pipeline.statistics.difference import Difference
from pddl_pipeline.statistics.intervals import Interval


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """The difference of the means of two independent samples."""

    mean: float
    deviation: float
    number: int
    other_mean: float
    other_deviation: float
    other_number: int | None
    """None if the second mean counts as a known number."""
    is_borrowed: bool = False
    """Whether the second deviation is not known, and the first one stands for it."""

    @property
    def test(self) -> str:
        """The name of the test, and the assumption on the second sample if it needs one."""
        if self.other_number is None:
            return "one-sample t test"
        return f"Welch's t test{', our deviation for both' if self.is_borrowed else ''}"

    @property
    def n(self) -> tuple[int, ...]:
        """The sizes of the samples."""
        return (self.number,) if self.other_number is None else (self.number, self.other_number)

    @property
    def value(self) -> float:
        """The first mean minus the second one."""
        return self.mean - self.other_mean

    @property
    def p(self) -> float:
        """The two-sided p of the t test."""
        from scipy.stats import t  # noqa: PLC0415 -- extra

        error, degrees = self._error()
        return float(2 * t.sf(abs(self.value) / error, degrees))

    def interval(self, confidence: float) -> Interval | None:
        """Return the interval of the t test."""
        from scipy.stats import t  # noqa: PLC0415 -- extra

        error, degrees = self._error()
        reach = float(t.ppf((1 + confidence) / 2, degrees)) * error
        return Interval(self.value - reach, self.value + reach)

    def variance(self) -> float:
        """Return the sum of both variances."""
        return self.deviation**2 + (self.other_deviation**2 if self.other_number else 0.0)

    def at(self, number: int) -> Difference | None:
        """Return None: the t test's p needs no correction of the size."""
        del number
        return None

    def _error(self) -> tuple[float, float]:
        """Return the standard error and Welch's degrees of freedom."""
        parts = [(self.deviation**2 / self.number, self.number)]
        if self.other_number is not None:
            parts.append((self.other_deviation**2 / self.other_number, self.other_number))
        total = sum(part for part, _ in parts)
        degrees = total**2 / sum(part**2 / (number - 1) for part, number in parts)
        return math.sqrt(total), degrees


def difference_of_means(values: Sequence[float], others: Sequence[float]) -> MeanDifference | None:
    """Return the difference of the means of two samples; None if a spread is not known."""
    if min(len(values), len(others)) < 2 or len({*values}) == len({*others}) == 1:
        return None
    return MeanDifference(
        fmean(values), stdev(values), len(values), fmean(others), stdev(others), len(others)
    )


def difference_from_published_mean(
    values: Sequence[float], mean: float, number: int | None
) -> MeanDifference | None:
    """Return the difference between the mean of a sample and a mean without published spread.

    If the size of the published sample is known, its deviation is assumed to be that of `values`;
    else the published mean counts as a known number. Return None if all values are equal.
    """
    if len({*values}) < 2:
        return None
    deviation = stdev(values)
    return MeanDifference(
        fmean(values), deviation, len(values), mean, deviation, number, is_borrowed=True
    )


def mean_of_differences(differences: Sequence[float]) -> MeanDifference | None:
    """Return the mean difference of pairs, compared with 0; None if all are equal."""
    return difference_from_published_mean(differences, 0.0, None)
