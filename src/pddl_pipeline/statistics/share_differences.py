"""The difference of two shares, of independent samples or of the same instances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from pddl_pipeline.statistics.difference import Difference
from pddl_pipeline.statistics.intervals import Interval


def share_interval(
    count: int, number: int, confidence: float, method: Literal["exact", "wilson"]
) -> Interval:
    """Return the interval of a share: Clopper and Pearson's (``exact``) or Wilson's.

    Args:
        count: the number of successes.
        number: the size of the sample, at least 1.
        confidence: such as 0.95.
        method: how it is computed.
    """
    from scipy.stats import binomtest  # noqa: PLC0415 -- extra

    found: Any = binomtest(count, number).proportion_ci(confidence, method=method)
    return Interval(float(found.low), float(found.high))


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
        one = share_interval(self.count, self.number, confidence, "wilson")
        other = share_interval(self.other_count, self.other_number, confidence, "wilson")
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
        each = (1 + confidence) / 2  # both must hold
        first, second = (
            share_interval(count, self.number, each, "exact")
            for count in (self.first_only, self.second_only)
        )
        return Interval(first.low - second.high, first.high - second.low)

    def variance(self) -> float:
        """Return the variance of an instance's difference, with one more instance each way."""
        total = self.number + 2
        differing = (self.first_only + self.second_only + 2) / total
        return differing - ((self.first_only - self.second_only) / total) ** 2

    def at(self, number: int) -> Difference | None:
        """Return the same shares, rounded, of another number of instances."""
        one, other = (round(number * x / self.number) for x in (self.first_only, self.second_only))
        return PairedDifference(one, other, number)
