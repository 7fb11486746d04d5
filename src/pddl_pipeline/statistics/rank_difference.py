"""The difference of two samples by the ranks of their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pddl_pipeline.statistics.difference import Difference
from pddl_pipeline.statistics.intervals import Interval


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
        return None

    def variance(self) -> float:
        """Return 2/12, the variance if the samples are alike (Noether 1987)."""
        return 1 / 6

    def at(self, number: int) -> Difference | None:
        """Return None: the rank sum test's p needs no correction of the size."""
        del number
        return None

    def _test(self) -> tuple[float, float]:
        from scipy.stats import mannwhitneyu  # noqa: PLC0415 -- extra

        if len({*self.values, *self.others}) == 1:
            return len(self.values) * len(self.others) / 2, 1.0
        found: Any = mannwhitneyu(self.values, self.others)
        return float(found.statistic), float(found.pvalue)
