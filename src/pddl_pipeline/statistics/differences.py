"""Differences of two samples: each with its test, its interval and the sizes that would decide.

SciPy takes long to import and is imported where used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, Final, Protocol

from pddl_pipeline.scoring.intervals import Interval

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


@dataclass(frozen=True, slots=True)
class ShareDifference:
    """The difference of the shares of two independent samples."""

    count: int
    number: int
    other_count: int
    other_number: int

    @property
    def test(self) -> str:
        """The name of the test."""
        return "Fisher's exact test"

    @property
    def n(self) -> tuple[int, ...]:
        """The sizes of both samples."""
        return self.number, self.other_number

    @property
    def value(self) -> float:
        """The first share minus the second one."""
        return self.count / self.number - self.other_count / self.other_number

    @property
    def p(self) -> float:
        """The two-sided p of Fisher's exact test."""
        from scipy.stats import fisher_exact  # noqa: PLC0415 -- extra

        rows = (self.count, self.number), (self.other_count, self.other_number)
        found: Any = fisher_exact([[count, number - count] for count, number in rows])
        return min(1.0, float(found.pvalue))

    def interval(self, confidence: float) -> Interval | None:
        """Return Newcombe's interval (1998, method 10), from Wilson's intervals of the shares."""
        one = _wilson(self.count, self.number, confidence)
        other = _wilson(self.other_count, self.other_number, confidence)
        share, other_share = self.count / self.number, self.other_count / self.other_number
        below = math.hypot(share - one.low, other.high - other_share)
        above = math.hypot(one.high - share, other_share - other.low)
        return Interval(self.value - below, self.value + above)

    def variance(self) -> float:
        """Return p (1 - p) + q (1 - q), with one success and one failure added to each sample."""
        pairs = (self.count, self.number), (self.other_count, self.other_number)
        shares = [(count + 1) / (number + 2) for count, number in pairs]
        return sum(share * (1 - share) for share in shares)

    def at(self, number: int) -> Difference | None:
        """Return the same shares, rounded, of samples of another size."""
        pairs = (self.count, self.number), (self.other_count, self.other_number)
        one, other = (round(number * count / size) for count, size in pairs)
        return ShareDifference(one, number, other, number)


def _wilson(count: int, number: int, confidence: float) -> Interval:
    from scipy.stats import binomtest  # noqa: PLC0415 -- extra

    found: Any = binomtest(count, number).proportion_ci(confidence, method="wilson")
    return Interval(float(found.low), float(found.high))


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of two shares of the same instances."""

    first_only: int
    """The number of instances that only the first method solves."""
    second_only: int
    number: int

    @property
    def test(self) -> str:
        """The name of the test."""
        return "exact McNemar test"

    @property
    def n(self) -> tuple[int, ...]:
        """The number of instances."""
        return (self.number,)

    @property
    def value(self) -> float:
        """The first share minus the second one."""
        return (self.first_only - self.second_only) / self.number

    @property
    def p(self) -> float:
        """The two-sided p of the exact McNemar test: a sign test of the instances that differ."""
        from scipy.stats import binomtest  # noqa: PLC0415 -- extra

        differing = self.first_only + self.second_only
        return float(binomtest(self.first_only, differing).pvalue) if differing else 1.0

    def interval(self, confidence: float) -> Interval | None:
        """Return an interval that is conservative: from Clopper and Pearson's of both counts."""
        from scipy.stats import binomtest  # noqa: PLC0415 -- extra

        each = (1 + confidence) / 2  # both must hold
        first, second = (
            binomtest(count, self.number).proportion_ci(each, method="exact")
            for count in (self.first_only, self.second_only)
        )
        return Interval(float(first.low - second.high), float(first.high - second.low))

    def variance(self) -> float:
        """Return the variance of an instance's difference, with one more instance each way."""
        total = self.number + 2
        differing = (self.first_only + self.second_only + 2) / total
        return differing - ((self.first_only - self.second_only) / total) ** 2

    def at(self, number: int) -> Difference | None:
        """Return the same shares, rounded, of another number of instances."""
        one, other = (round(number * x / self.number) for x in (self.first_only, self.second_only))
        return PairedDifference(one, other, number)


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


@dataclass(frozen=True, slots=True)
class RankDifference:
    """How often a value of the first sample is above one of the second, minus 1/2."""

    values: tuple[float, ...]
    others: tuple[float, ...]

    @property
    def test(self) -> str:
        """The name of the test."""
        return "rank sum test"

    @property
    def n(self) -> tuple[int, ...]:
        """The sizes of both samples."""
        return len(self.values), len(self.others)

    @property
    def value(self) -> float:
        """The share of pairs with the first value above the second, ties counting half, - 1/2."""
        return self._test()[0] / (len(self.values) * len(self.others)) - 0.5

    @property
    def p(self) -> float:
        """The two-sided p of the rank sum test (Mann, Whitney 1947)."""
        return self._test()[1]

    def interval(self, confidence: float) -> Interval | None:
        """Return None: ranks decide an order, not equality."""
        del confidence

    def variance(self) -> float:
        """Return 2/12, the variance if the samples are alike (Noether 1987)."""
        return 1 / 6

    def at(self, number: int) -> Difference | None:
        """Return None: the rank sum test's p needs no correction of the size."""
        del number

    def _test(self) -> tuple[float, float]:
        from scipy.stats import mannwhitneyu  # noqa: PLC0415 -- extra

        if len({*self.values, *self.others}) == 1:
            return len(self.values) * len(self.others) / 2, 1.0
        found: Any = mannwhitneyu(self.values, self.others)
        return float(found.statistic), float(found.pvalue)


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
