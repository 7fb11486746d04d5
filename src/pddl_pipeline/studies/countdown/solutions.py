"""Figure 2 of the Countdown paper: the number of solutions of the instances of each dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, median, quantiles
from time import monotonic
from typing import Final, NamedTuple

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.scoring.rank_sum import smaller
from pddl_pipeline.studies.countdown.accuracy import beside
from pddl_pipeline.studies.countdown.datasets import (
    GAME_OF_24,
    METHODS,
    Tasks,
    made,
    puzzles,
)
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.study_result import (
    Chart,
    Comparison,
    NamedTable,
    Point,
    Series,
    StudyResult,
)
from pddl_pipeline.studies.workbench import Workbench
from pddl_pipeline.tables.text_table import TextTable, rounded

_NEW: Final = "CD"
_BOUNDED: Final = "CD, targets as RG"
_TARGETS_OF_RG: Final = "100-999"
_LEVEL: Final = 0.01
_REACH: Final = 7
"""The largest size that the paper could count."""
_NOTE: Final = (
    f"'{_BOUNDED}' is Algorithm 1 with targets from {_TARGETS_OF_RG} only. It tells how much of the"
    " difference between CD and RG is in the size of the targets: the algorithm prefers values that"
    " few walks reach, and most of those are large."
)


class _Counts(NamedTuple):
    """The numbers of solutions of the instances of one size of a dataset."""

    dataset: str
    size: int
    solutions: list[int]
    slowest_s: float
    """The time of the longest count, in seconds."""


def _run(bench: Workbench) -> StudyResult:
    sizes = bench.sizes(quick=range(4, 8), paper=range(4, 9))
    number = bench.count(quick=40, paper=100)
    every = list(_every(bench, sizes, number))
    return StudyResult(
        conditions=f"{number} instances of each dataset and size, made by our generators with the "
        "papers' settings (CD: numbers 1 to 99, 100,000 walks, whole targets; RG: numbers 1 to 100,"
        f" targets {_TARGETS_OF_RG}; SoS: targets 10 to 100); 24 game: {puzzles(bench).source}. "
        "Solutions are sequences of steps, counted exactly and told apart by position.",
        comparisons=(*_fewer(every), *_reach(every)),
        tables=(NamedTable("Solutions by dataset and size", _table(every)),),
        charts=(_chart(every, number),),
        notes=(_NOTE,),
    )


def _every(bench: Workbench, sizes: Sequence[int], number: int) -> Iterator[_Counts]:
    for size in sizes:
        for dataset in METHODS:
            yield _counted(dataset, size, made(bench, dataset, size, number))
        yield _counted(_BOUNDED, size, made(bench, _NEW, size, number, _TARGETS_OF_RG))
    if 4 in sizes:
        yield _counted(GAME_OF_24, 4, puzzles(bench).evaluated[:number])


def _counted(dataset: str, size: int, tasks: Tasks) -> _Counts:
    solutions, slowest = [], 0.0
    for instance in tasks:
        started = monotonic()
        solutions.append(count_solutions(instance.record.numbers, instance.record.target))
        slowest = max(slowest, monotonic() - started)
    return _Counts(dataset, size, solutions, slowest)


def _fewer(every: Sequence[_Counts]) -> Iterator[Comparison]:
    """Compare CD with each other dataset, size by size."""
    ours = {counts.size: counts for counts in every if counts.dataset == _NEW}
    for dataset in ("RG", "SoS", GAME_OF_24):
        others = [counts for counts in every if counts.dataset == dataset]
        if others:
            tests = [(o, smaller(ours[o.size].solutions, o.solutions)) for o in others]
            texts = [
                f"size {o.size}: {_middle(ours[o.size])} against {_middle(o)} (p {p:.1g})"
                for o, p in tests
            ]
            yield Comparison(
                f"solutions of CD and of {dataset}, medians",
                "CD: significantly smaller",
                "; ".join(texts),
                "matched" if all(p < _LEVEL for _, p in tests) else "differs",
                f"rank sum test, one-sided, at {_LEVEL}",
            )


def _reach(every: Sequence[_Counts]) -> Iterator[Comparison]:
    largest = max(every, key=lambda counts: (counts.size, counts.slowest_s))
    if largest.size >= _REACH:
        yield Comparison(
            "largest size that can be counted",
            f"{_REACH}, within 10 hours an instance",
            f"size {largest.size} in at most {rounded(largest.slowest_s, 1)} s an instance",
            "differs",
            "the paper visits every sequence, in C++; here, values of parts of the numbers are "
            "counted once and joined (docs/counting.md), which reaches size 11",
        )


def _middle(counts: _Counts) -> str:
    return f"{median(counts.solutions):g}"


def _quartiles(values: Sequence[int]) -> tuple[float, float]:
    if len(values) < 2:
        return float(values[0]), float(values[0])
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low, high


def _table(every: Sequence[_Counts]) -> TextTable:
    rows = []
    for dataset, size, solutions, slowest in sorted(every, key=lambda counts: counts[:2]):
        low, high = _quartiles(solutions)
        figures = (min(solutions), low, median(solutions), high, max(solutions), fmean(solutions))
        shown = [f"{figure:.10g}" for figure in figures]
        rows.append((dataset, str(size), str(len(solutions)), *shown, rounded(slowest)))
    headings = (
        "dataset", "size", "instances", "least", "lower quartile", "median", "upper quartile",
        "most", "mean", "longest count, s",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def _chart(every: Sequence[_Counts], number: int) -> Chart:
    names = list(dict.fromkeys(counts.dataset for counts in every))
    shifts = beside([counts.size for counts in every], len(names))
    return Chart(
        "Solutions of an instance: median and quartiles",
        f"size (numbers), n={number} instances of each dataset and size",
        "solutions (logarithmic)",
        tuple(
            Series(name, tuple(_points(every, name, shift)))
            for name, shift in zip(names, shifts, strict=True)
        ),
        logarithmic=True,
    )


def _points(every: Sequence[_Counts], dataset: str, shift: float) -> Iterator[Point]:
    for counts in every:
        if counts.dataset == dataset:
            low, high = _quartiles(counts.solutions)
            yield Point(counts.size + shift, float(median(counts.solutions)), low, high)


STUDIES: Final = (
    Study("countdown-figure2", "Figure 2: solutions of an instance, by dataset and size", _run),
)
