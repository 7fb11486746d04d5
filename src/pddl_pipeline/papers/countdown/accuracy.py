"""Accuracy of solvers of countdown by size: claimed plans and plans that are exactly valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final, Literal, NamedTuple

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.comparison import (
    Always,
    Comparison,
    Ordered,
    Quantity,
    Sign,
    decide,
    share,
)
from pddl_pipeline.papers.countdown.datasets import MARGINS, PUBLISHED, inclusive
from pddl_pipeline.papers.study import Chart, Point, Series
from pddl_pipeline.statistics.differences import share_difference
from pddl_pipeline.statistics.intervals import wilson
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range, rounded

Measure = Literal["claimed", "valid"]
"""The plans that count: all claimed ones, or those that are valid under exact arithmetic."""
MEASURES: Final[Sequence[Measure]] = ("claimed", "valid")

_ROOM: Final = 0.5
"""The share of the gap between two sizes over which the series of a size are spread."""
_PATIENCE: Final = 10


class Phase(NamedTuple):
    """A range of sizes that the paper distinguishes."""

    name: str
    sizes: range


_LAST_EASY: Final = PUBLISHED.accuracy.last_easy
_FIRST, _LAST = PUBLISHED.accuracy.easy_again
_END: Final = 1001
"""Larger than every instance."""
EASY: Final = Phase(f"sizes up to {_LAST_EASY}", range(_LAST_EASY + 1))
NEAR: Final = Phase(f"sizes {_LAST_EASY + 1} to 10", range(_LAST_EASY + 1, 11))
"""Around the size of the first transition."""
HARD: Final = Phase(f"sizes {_LAST_EASY + 1} to {_FIRST - 1}", range(_LAST_EASY + 1, _FIRST))
EASY_AGAIN: Final = Phase(f"sizes {_FIRST} to {_LAST}", inclusive((_FIRST, _LAST)))
BEYOND: Final = Phase(f"sizes above {_LAST}", range(_LAST + 1, _END))
PHASES: Final = (EASY, HARD, EASY_AGAIN, BEYOND)
SMALL: Final = Phase(f"sizes below {_FIRST}", range(_FIRST))
LARGE: Final = Phase(f"sizes from {_FIRST}", range(_FIRST, _END))
ALL: Final = Phase("all sizes", range(_END))
FALLS: Final[Sign] = -1
RISES: Final[Sign] = 1
_SAID: Final = {
    NEAR: f"easy to hard around size {PUBLISHED.transitions.easy_to_hard}",
    HARD: f"a drop between the sizes {_LAST_EASY} and {_FIRST}",
    LARGE: f"hard to easy around size {PUBLISHED.transitions.hard_to_easy}",
}
"""The statements by the phase after the transition."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of a solver on instances of a dataset."""

    dataset: str
    solver: str
    runs: Sequence[RunResult]

    def within(self, *phases: Phase) -> Sample:
        """Return the runs on instances of one of some phases."""
        sizes = {size for phase in phases for size in phase.sizes}
        return replace(self, runs=[run for run in self.runs if run.size in sizes])

    @property
    def claims(self) -> Sample:
        """The runs with a claimed plan."""
        return replace(self, runs=[run for run in self.runs if run.claimed])

    @property
    def cut(self) -> int:
        """The number of runs that reached the time limit."""
        return sum(run.limits["hit"] in {"time", "cpu"} for run in self.runs)

    def by_size(self) -> Iterator[tuple[int, Sample]]:
        """Yield each size with the runs on its instances."""
        for size in sorted({run.size for run in self.runs}):
            yield size, replace(self, runs=[run for run in self.runs if run.size == size])

    def count(self, measure: Measure) -> int:
        """Return the number of instances with a claimed plan or with a valid plan."""
        return sum(run.claimed if measure == "claimed" else run.solved for run in self.runs)

    def share_of(self, measure: Measure, label: str = "") -> Quantity:
        """Return the share of instances with a claimed plan or with a valid plan."""
        return share(self.count(measure), len(self.runs), label)

    @property
    def failures(self) -> Counter[str]:
        """The outcomes of the runs without a claimed plan, with their numbers."""
        return Counter(str(run.outcome) for run in self.runs if not run.claimed)

    @property
    def states(self) -> float | None:
        """The median number of expanded states of runs with a valid plan.

        It does not depend on the machine. None if there is none, or the solver does not report it.
        """
        expanded = [run.expanded for run in self.runs if run.solved and run.expanded is not None]
        return median(expanded) if expanded else None


def cpu_limits(limits: Limits) -> Limits:
    """Return limits on CPU time, so that a busy machine does not change accuracy.

    The wall-clock limit is ten times as long.
    """
    return replace(limits, cpu_s=limits.time_s, time_s=_PATIENCE * limits.time_s)


def limits_text(limits: Limits) -> str:
    """Return the limits of `cpu_limits` in words."""
    return (
        f"{limits.cpu_s:g} s of CPU time (the paper: {PUBLISHED.runs.time_limit_s} s) and "
        f"{limits.memory_bytes / 2**30:g} GiB per attempt"
    )


def transition(
    sample: Sample, measure: Measure, before: Phase, after: Phase, sign: Sign
) -> Comparison:
    """Compare the shares of instances with a plan before and after a phase transition.

    The phases have different instances, so that the samples are independent.

    Args:
        sample: the runs of a solver.
        measure: the plans that count.
        before: the phase before the transition.
        after: the phase after it.
        sign: `FALLS` for the transition from easy to hard, `RISES` for that from hard to easy,
            which requires a hard instance.
    """
    shares = tuple(sample.within(phase).share_of(measure) for phase in (before, after))
    # Without a hard size before it, there is nothing from which the share could rise.
    none_is_hard = sign == RISES and shares[0].share == 1
    evidence = None
    if not none_is_hard and shares[0].of and shares[1].of:
        first, last = (sample.within(phase) for phase in (before, after))
        difference = share_difference(
            last.count(measure), len(last.runs), first.count(measure), len(first.runs)
        )
        evidence = Ordered(difference, sign, MARGINS.share)
    phases = f"{before.name}, then {after.name}"
    return Comparison(
        what=f"{sample.dataset}: {measure} plans of {sample.solver}, {phases}",
        said=_SAID[after],
        ours=shares,
        decision=decide(evidence),
        remark="no size is hard" if none_is_hard else "",
    )


def correctness(own: Sample, said: str = "guaranteed") -> Comparison:
    """Compare the share of claimed plans that are valid with a statement, by default on ENHSP."""
    return Comparison(
        what=f"{own.dataset}: claimed plans of {own.solver} that are valid, {ALL.name}",
        said=f"{said} (section 7)",
        ours=(share(own.count("valid"), own.count("claimed")),),
        decision=decide(Always(own.count("valid"), own.count("claimed"), MARGINS.exceptions)),
    )


def accuracy_table(samples: Sequence[Sample]) -> TextTable:
    """Return accuracy by dataset, solver and size; rows with an invalid claim are marked."""
    rows = [(size, row) for sample in samples for size, row in sample.by_size()]
    cells = tuple(
        (
            row.dataset,
            row.solver,
            str(size),
            str(len(row.runs)),
            *share_cells(row.count("claimed"), len(row.runs)),
            *share_cells(row.count("valid"), len(row.runs)),
            rounded(row.states, 0),
            ", ".join(f"{count} {name}" for name, count in row.failures.most_common()) or NO_NUMBER,
        )
        for size, row in rows
    )
    headings = (
        "dataset", "solver", "size", "instances", "claimed", "claimed, 95 %", "valid",
        "valid, 95 %", "states, median", "others",
    )  # fmt: skip
    marked = tuple(row.count("claimed") > row.count("valid") for _, row in rows)
    return TextTable(headings, cells, names=2, marked=marked)


def share_cells(count: int, number: int) -> tuple[str, str]:
    """Return a count and the interval of its share of a number, in percent."""
    return str(count), percent_range(wilson(count, number))


def phase_table(samples: Sequence[Sample]) -> TextTable:
    """Return the table of claimed and valid plans of each solver in each phase."""
    columns = [(phase, measure) for phase in PHASES for measure in MEASURES]
    cells = tuple(
        (s.dataset, s.solver, *(_percent(s.within(p).share_of(measure)) for p, measure in columns))
        for s in samples
    )
    headings = (f"{phase.name}: {measure}" for phase, measure in columns)
    return TextTable(("dataset", "solver", *headings), cells, names=2)


def _percent(found: Quantity) -> str:
    if found.share is None:
        return "no instance"
    return f"{rounded(100 * found.share, 0)} % ({found.value} of {found.of})"


def accuracy_charts(
    name: str, samples: Sequence[Sample], *, paper: bool = False
) -> Iterator[Chart]:
    """Yield the charts of claimed and of valid plans by size with a line for each solver.

    Args:
        name: the beginning of the titles.
        samples: the runs of each solver on one dataset.
        paper: whether to draw the accuracy that the text states for ENHSP, its only number.
    """
    by_size = {sample.solver: list(sample.by_size()) for sample in samples}
    numbers = {len(row.runs) for rows in by_size.values() for _, row in rows}
    least, most = min(numbers), max(numbers)
    number = str(most) if least == most else f"{least} to {most}"
    accuracy = PUBLISHED.accuracy
    stated = tuple(Point(size, accuracy.enhsp_easy_again) for size in accuracy.easy_again)
    known = Series("paper's ENHSP, as its text says", stated, from_paper=True)
    for measure in MEASURES:
        points = {
            solver: [percent_point(n, row.count(measure), len(row.runs)) for n, row in rows]
            for solver, rows in by_size.items()
        }
        yield Chart(
            f"{name}: {measure} plans",
            f"size (numbers), n={number} instances a size",
            f"{measure} plans (%), Wilson 95 %",
            (*side_by_side(points), *([known] if paper else [])),
            bottom=0,
            top=100,
            sizes=tuple(sorted({size for rows in by_size.values() for size, _ in rows})),
        )


def percent_point(x: float | str, count: int, number: int) -> Point:
    """Return the point of a share in percent, with its interval."""
    low, high = wilson(count, number)
    return Point(x, 100 * count / number, 100 * low, 100 * high)


def side_by_side(points: Mapping[str, Sequence[Point]]) -> Iterator[Series]:
    """Yield series by name, with points shifted sideways so that intervals do not overlap."""
    sizes = sorted({float(point.x) for own in points.values() for point in own})
    gap = min((after - before for before, after in pairwise(sizes)), default=1)
    for at, (name, own) in enumerate(points.items()):
        shift = _ROOM * gap * ((at + 0.5) / len(points) - 0.5)
        yield Series(name, tuple(replace(point, x=float(point.x) + shift) for point in own))
