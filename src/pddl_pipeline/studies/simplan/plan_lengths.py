"""Mean plan lengths with their uncertainty, compared with a mean that a paper states."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final, NamedTuple

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.scoring.intervals import Z_95, Interval, bootstrap
from pddl_pipeline.studies.study_result import Point, Result
from pddl_pipeline.tables.text_table import NO_NUMBER, rounded


class Lengths(NamedTuple):
    """The lengths of the valid plans of a set of runs."""

    runs: int
    """The number of runs."""
    lengths: tuple[int, ...]
    """The number of steps of each valid plan."""
    seconds: tuple[float, ...]
    """The wall-clock time of every run."""

    @property
    def mean(self) -> float | None:
        """The mean; None without a plan."""
        return fmean(self.lengths) if self.lengths else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % bootstrap interval of the mean; None for fewer than two plans."""
        return bootstrap(Counter(self.lengths)) if len(self.lengths) > 1 else None

    @property
    def deviation(self) -> float:
        """The sample's standard deviation; 0 for fewer than two plans."""
        return stdev(self.lengths) if len(self.lengths) > 1 else 0.0

    def variance_beside(self, number: int) -> float:
        """Return the variance of the difference between this mean and that of another sample.

        Args:
            number: the size of the other sample, which is assumed to have the same deviation.
        """
        return self.deviation**2 * (1 / len(self.lengths) + 1 / number) if self.lengths else 0.0

    def points(self, x: str) -> tuple[Point, ...]:
        """Return the mean with its interval as a point of a chart; none without a plan."""
        return () if self.mean is None else (Point(x, self.mean, *(self.interval or (None, None))),)

    @property
    def text(self) -> str:
        """The mean with its interval."""
        if self.interval is None:
            return rounded(self.mean, 1)
        return f"{rounded(self.mean, 1)} [{' to '.join(rounded(x, 1) for x in self.interval)}]"

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of a row under `HEADINGS`."""
        known = bool(self.lengths)
        return (
            f"{len(self.lengths)}/{self.runs}",
            *((rounded(x, 1) for x in self.interval) if self.interval else (NO_NUMBER, NO_NUMBER)),
            rounded(self.deviation, 1) if known else NO_NUMBER,
            str(min(self.lengths)) if known else NO_NUMBER,
            str(max(self.lengths)) if known else NO_NUMBER,
            rounded(fmean(self.seconds), 1),
        )


HEADINGS: Final = ("solved", "low", "high", "deviation", "least", "most", "s/run")


def compared(sets: Sequence[Lengths], mean: float, number: int) -> Result:
    """Compare the mean of samples with a paper's mean.

    Args:
        sets: the reproduced samples, whose means have equal weight.
        mean: the paper's mean.
        number: the size of each of the paper's samples.

    Returns:
        ``matched`` if the means differ by no more than those of samples of the same kind would in
        95 % of cases, else ``differs``; ``not compared`` if a sample has fewer than two plans, so
        that its spread is unknown.
    """
    if any(len(each.lengths) < 2 for each in sets):
        return "not compared"
    reach = Z_95 * math.sqrt(sum(each.variance_beside(number) for each in sets)) / len(sets)
    apart = abs(fmean(fmean(each.lengths) for each in sets) - mean)
    return "matched" if apart <= reach else "differs"


def lengths_of(runs: Sequence[RunResult]) -> Lengths:
    """Return the lengths of the valid plans of one or more runs."""
    lengths = tuple(run.steps for run in runs if run.solved and run.steps is not None)
    return Lengths(len(runs), lengths, tuple(run.wall_s for run in runs))
