"""Accuracy of solvers of countdown by size: claimed plans and plans that are exactly valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final, Literal, NamedTuple

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.scoring.intervals import wilson
from pddl_pipeline.studies.study_result import Chart, Point, Series
from pddl_pipeline.tables.text_table import (
    NO_NUMBER,
    TextTable,
    percent_range,
    rounded,
)

Measure = Literal["claimed", "valid"]

_ROOM: Final = 0.5
"""The share of the gap between two sizes over which the series of a size are spread."""
_PATIENCE: Final = 10
_HUNDRED: Final = (17, 30)
"""The sizes between which ENHSP's accuracy is 100 % according to the text, its only number."""


class Accuracy(NamedTuple):
    """The results of a solver on the instances of one size of a dataset."""

    dataset: str
    solver: str
    size: int
    instances: int
    claimed: int
    """The number of claimed plans."""
    valid: int
    """The number of claimed plans that are valid under exact arithmetic."""
    endings: tuple[tuple[str, int], ...]
    """The outcomes of the other attempts, with their numbers."""
    states: float | None
    """The median number of expanded states of attempts with a valid plan.

    It does not depend on the machine. None if there is none, or the solver does not report it.
    """


class Phase(NamedTuple):
    """A range of sizes that the paper distinguishes."""

    name: str
    sizes: range


EASY: Final = Phase("sizes up to 7", range(8))
HARD: Final = Phase("sizes 8 to 16", range(8, 17))
EASY_AGAIN: Final = Phase("sizes 17 to 30", range(17, 31))
BEYOND: Final = Phase("sizes above 30", range(31, 1001))
PHASES: Final = (EASY, HARD, EASY_AGAIN, BEYOND)
LARGE: Final = Phase("sizes from 17", range(17, 1001))


class Share(NamedTuple):
    """A number of instances out of a total."""

    number: int
    of: int

    @property
    def value(self) -> float:
        """The share; 0 if the total is 0."""
        return self.number / self.of if self.of else 0.0

    def __str__(self) -> str:
        """Return the share in percent, with its parts."""
        if not self.of:
            return "no instance"
        return f"{rounded(100 * self.value, 0)} % ({self.number} of {self.of})"


def cpu_limits(limits: Limits) -> Limits:
    """Return limits on CPU time, so that a busy machine does not change accuracy.

    The wall-clock limit is ten times as long.
    """
    return replace(limits, cpu_s=limits.time_s, time_s=_PATIENCE * limits.time_s)


def limits_text(limits: Limits) -> str:
    """Return the limits of `cpu_limits` in words."""
    return f"{limits.cpu_s:g} s of CPU time and {limits.memory_bytes / 2**30:g} GiB an attempt"


def accuracies(dataset: str, solver: str, runs: Iterable[RunResult]) -> Iterator[Accuracy]:
    """Yield a solver's accuracy for each size from its runs on a dataset."""
    by_size: dict[int, list[RunResult]] = {}
    for run in runs:
        by_size.setdefault(run.size, []).append(run)
    for size, group in sorted(by_size.items()):
        expanded = [run.expanded for run in group if run.solved and run.expanded is not None]
        endings = Counter(str(run.outcome) for run in group if not run.claimed)
        yield Accuracy(
            dataset, solver, size, len(group),
            claimed=sum(run.claimed for run in group),
            valid=sum(run.solved for run in group),
            endings=tuple(endings.most_common()),
            states=median(expanded) if expanded else None,
        )  # fmt: skip


def of(
    rows: Iterable[Accuracy], dataset: str, solver: str, phase: Phase | None = None
) -> list[Accuracy]:
    """Return the rows of a solver on a dataset, of all sizes or of the sizes of a phase."""
    return [
        row
        for row in rows
        if (row.dataset, row.solver) == (dataset, solver)
        and (phase is None or row.size in phase.sizes)
    ]


def share(rows: Iterable[Accuracy], measure: Measure) -> Share:
    """Return the share of instances with a claimed plan or with a valid plan."""
    parts = [(getattr(row, measure), row.instances) for row in rows]
    return Share(sum(count for count, _ in parts), sum(number for _, number in parts))


def correct(rows: Iterable[Accuracy]) -> Share:
    """Return the share of claimed plans that are valid."""
    parts = [(row.valid, row.claimed) for row in rows]
    return Share(sum(valid for valid, _ in parts), sum(claimed for _, claimed in parts))


def endings(rows: Iterable[Accuracy]) -> Counter[str]:
    """Return the outcomes of attempts without a plan, with their numbers."""
    total: Counter[str] = Counter()
    for row in rows:
        total.update(dict(row.endings))
    return total


def endings_text(found: Counter[str]) -> str:
    """Return outcomes in words."""
    return ", ".join(f"{count} {name}" for name, count in found.most_common()) or "none failed"


def accuracy_table(rows: Sequence[Accuracy]) -> TextTable:
    """Return accuracy by dataset, solver and size; rows with an invalid claim are marked."""
    cells = tuple(
        (
            row.dataset, row.solver, str(row.size), str(row.instances),
            str(row.claimed), percent_range(wilson(row.claimed, row.instances)),
            str(row.valid), percent_range(wilson(row.valid, row.instances)),
            rounded(row.states, 0),
            endings_text(Counter(dict(row.endings))) if row.endings else NO_NUMBER,
        )
        for row in rows
    )  # fmt: skip
    headings = (
        "dataset", "solver", "size", "instances", "claimed", "claimed, 95 %", "valid",
        "valid, 95 %", "states, median", "others",
    )  # fmt: skip
    return TextTable(headings, cells, 2, tuple(row.claimed > row.valid for row in rows))


def phase_table(rows: Sequence[Accuracy]) -> TextTable:
    """Return the table of claimed and valid plans of each solver in each phase."""
    found = dict.fromkeys((row.dataset, row.solver) for row in rows)
    cells = []
    for dataset, solver in found:
        phases = [of(rows, dataset, solver, phase) for phase in PHASES]
        shares = [str(share(each, kind)) for each in phases for kind in ("claimed", "valid")]
        cells.append((dataset, solver, *shares))
    headings = [f"{phase.name}: {kind}" for phase in PHASES for kind in ("claimed", "valid")]
    return TextTable(("dataset", "solver", *headings), tuple(cells), names=2)


def accuracy_chart(
    title: str, rows: Sequence[Accuracy], measure: Measure, *, paper: bool = False
) -> Chart:
    """Return the chart of accuracy by size with a line for each solver.

    Args:
        title: the chart's title.
        rows: the rows of one dataset.
        measure: the plans that count.
        paper: whether to draw the accuracy that the text states for ENHSP.
    """
    solvers = list(dict.fromkeys(row.solver for row in rows))
    shifts = beside([row.size for row in rows], len(solvers))
    known = Series("paper's ENHSP, as its text says", _points_of_paper(), from_paper=True)
    least, most = min(row.instances for row in rows), max(row.instances for row in rows)
    number = str(most) if least == most else f"{least} to {most}"
    return Chart(
        title,
        f"size (numbers), n={number} instances a size",
        f"{measure} plans (%), Wilson 95 %",
        (
            *(
                Series(solver, tuple(_points(rows, solver, measure, shift)))
                for solver, shift in zip(solvers, shifts, strict=True)
            ),
            *([known] if paper else []),
        ),
        bottom=-4,
        top=104,
    )


def beside(sizes: Iterable[int], number: int) -> list[float]:
    """Return the offset of each of `number` series from a size, to keep intervals apart."""
    known = sorted(set(sizes))
    gap = min((after - before for before, after in pairwise(known)), default=1)
    return [_ROOM * gap * ((at + 0.5) / number - 0.5) for at in range(number)]


def _points(
    rows: Iterable[Accuracy], solver: str, measure: Measure, shift: float
) -> Iterator[Point]:
    for row in rows:
        if row.solver == solver:
            count = getattr(row, measure)
            low, high = wilson(count, row.instances)
            yield Point(row.size + shift, 100 * count / row.instances, 100 * low, 100 * high)


def _points_of_paper() -> tuple[Point, ...]:
    return tuple(Point(size, 100.0) for size in _HUNDRED)
