"""Mean plan lengths with their uncertainty, and their comparison with the paper's means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Final, NamedTuple

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.comparison import Comparison, Quantity, estimate
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Evidence, same
from pddl_pipeline.papers.simplan.test_sets import MARGINS, TestSet
from pddl_pipeline.papers.study_result import Chart, Point, Series
from pddl_pipeline.statistics.intervals import Interval, bootstrap
from pddl_pipeline.statistics.mean_difference import difference_from_published_mean
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

    def points(self, x: str) -> tuple[Point, ...]:
        """Return the mean with its interval as a point of a chart; none without a plan."""
        return () if self.mean is None else (Point(x, self.mean, *(self.interval or (None, None))),)

    def quantity(self, label: str = "") -> Quantity:
        """Return the mean with its interval."""
        return estimate(self.mean, self.interval, label)

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


def same_mean(found: Lengths, mean: float, number: int) -> Evidence:
    """Return the evidence on whether a mean equals a paper's; None for fewer than two plans.

    The paper states no spread: its sample is assumed to have our deviation.

    Args:
        found: the reproduced sample.
        mean: the paper's mean.
        number: the size of the paper's sample.
    """
    if len(found.lengths) < 2:
        return None
    difference = difference_from_published_mean(found.lengths, mean, number)
    return same(difference, MARGINS.length * mean)


def lengths_of(runs: Sequence[RunResult]) -> Lengths:
    """Return the lengths of the valid plans of one or more runs."""
    lengths = tuple(run.steps for run in runs if run.solved and run.steps is not None)
    return Lengths(len(runs), lengths, tuple(run.wall_s for run in runs))


def mean_length_compared(
    what: str, test_set: TestSet, found: Lengths, remark: str = "", *, is_fit: bool = False
) -> Comparison:
    """Return the comparison of a mean length with that of the paper's test set.

    A mean over the solved instances alone is that of another, easier set, and not compared.
    """
    unsolved = found.runs - len(found.lengths)
    evidence = same_mean(found, test_set.mean_length, test_set.size)
    reasons = _unsolved_text(unsolved, found.runs), _spread_text(found), remark
    return Comparison(
        what=what,
        paper=(Quantity(test_set.mean_length),),
        ours=(found.quantity(),),
        decision=decide(None if unsolved else evidence),
        unit="steps",
        remark="; ".join(filter(None, reasons)),
        is_fit=is_fit,
    )


def _unsolved_text(unsolved: int, runs: int) -> str:
    return f"{unsolved} of {runs} not solved, probably those with long plans" if unsolved else ""


def _spread_text(found: Lengths) -> str:
    return "all plans have one length: no spread" if len({*found.lengths}) == 1 else ""


def length_chart(
    test_set: TestSet, title: str, x_label: str, shown: Mapping[str, tuple[float, Lengths]]
) -> Chart:
    """Return the chart of the paper's means and the reproduced ones.

    Args:
        test_set: a set of the configuration, whose size in the paper the chart states.
        title: the chart's title.
        x_label: what distinguishes the bars.
        shown: the paper's mean and the reproduced lengths, by the name of each bar.
    """
    number = max(len(lengths.lengths) for _, lengths in shown.values())
    paper = tuple(Point(name, mean) for name, (mean, _) in shown.items())
    ours = tuple(p for name, (_, lengths) in shown.items() for p in lengths.points(name))
    return Chart(
        title,
        f"{x_label}, up to n={number} plans each (paper: {test_set.size})",
        "plan length (actions)",
        (
            Series("paper (Table 8)", paper, from_paper=True),
            Series("lama-first, 95 % bootstrap interval", ours),
        ),
        bottom=0,
    )
