"""Figure 2 of the Countdown paper: the number of solutions of the instances of each dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, median, quantiles
from time import monotonic
from typing import Final, NamedTuple

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.generators.countdown import ChainSettings, ReachSettings
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.countdown.accuracy import side_by_side
from pddl_pipeline.papers.countdown.datasets import (
    CARDS,
    GAME_OF_24,
    METHODS,
    NUMBERS,
    WALKS,
    Instances,
    instances_of,
    numbers_text,
    puzzles,
)
from pddl_pipeline.papers.countdown.published import MARGINS, PUBLISHED
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact, Ordered
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.statistics.median import median_interval
from pddl_pipeline.statistics.rank_difference import RankDifference
from pddl_pipeline.tables.text_table import TextTable, rounded

_NEW: Final = "CD"
_BOUNDED: Final = "CD, targets as RG"
_RG: Final = ChainSettings()
_SOS: Final = ReachSettings()
_LEVEL: Final = 0.01
_HOUR_S: Final = 3600
_SETTINGS: Final = (
    f"CD: {NUMBERS}, {WALKS}, whole targets; RG: {numbers_text(_RG)}, targets {_RG.targets}; "
    f"SoS: {numbers_text(_SOS)}, targets {_SOS.targets}"
)
_TEST_NOTE: Final = (
    f"CD has significantly fewer solutions if p < {_LEVEL} in the two-sided rank sum test. The "
    "interval of a median is the percentile interval of the bootstrap over instances."
)
_TARGETS_NOTE: Final = (
    f"'{_BOUNDED}' is Algorithm 1 with targets from {_RG.targets} only. It shows how much of the"
    " difference between CD and RG is due to the size of the targets: the algorithm prefers values "
    "that few walks reach, and most of those are large."
)
_COUNTING_NOTE: Final = (
    "The paper visits every sequence, in C++. Here, the values of parts of the numbers are counted "
    "once and joined (docs/counting.md); sizes up to 11 are feasible."
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
    number = bench.count(quick=40, paper=PUBLISHED.datasets.instances)
    every = list(_every(bench, sizes, number))
    return StudyResult(
        conditions=f"{number} instances of each dataset and size, made by this project's "
        f"generators with the papers' settings ({_SETTINGS}); 24 game: {puzzles(bench).source}. "
        "Solutions are sequences of steps, counted exactly; equal numbers at different positions "
        "are different.",
        comparisons=(*_fewer(every), *_reach(every)),
        tables=(NamedTable("Solutions by dataset and size", _table(every)),),
        charts=(_chart(every, number),),
        notes=(_TEST_NOTE, _TARGETS_NOTE, _COUNTING_NOTE),
    )


def _every(bench: Workbench, sizes: Sequence[int], number: int) -> Iterator[_Counts]:
    for size in sizes:
        for dataset in METHODS:
            yield _counted(dataset, size, instances_of(bench, dataset, [size], number))
        yield _counted(_BOUNDED, size, instances_of(bench, _NEW, [size], number, _RG.targets))
    if 4 in sizes:
        yield _counted(GAME_OF_24, 4, puzzles(bench).evaluated[:number])


def _counted(dataset: str, size: int, instances: Instances) -> _Counts:
    solutions, slowest = [], 0.0
    for instance in instances:
        started = monotonic()
        solutions.append(count_solutions(instance.record.numbers, instance.record.target))
        slowest = max(slowest, monotonic() - started)
    return _Counts(dataset, size, solutions, slowest)


def _fewer(every: Sequence[_Counts]) -> Iterator[Comparison]:
    """Compare CD with each other dataset, size by size."""
    ours = {counts.size: counts for counts in every if counts.dataset == _NEW}
    for dataset in ("RG", "SoS", GAME_OF_24):
        for other in (counts for counts in every if counts.dataset == dataset):
            own = ours[other.size]
            ranks = (tuple(map(float, counts.solutions)) for counts in (own, other))
            evidence = Ordered(RankDifference(*ranks), -1, MARGINS.share)
            yield Comparison(
                what=f"median number of solutions, {_NEW} and {dataset}, size {other.size}",
                said="CD: significantly smaller",
                ours=tuple(Quantity(median(c.solutions), c.dataset) for c in (own, other)),
                decision=decide(evidence, _LEVEL),
            )


def _reach(every: Sequence[_Counts]) -> Iterator[Comparison]:
    """Compare the largest size that was counted, if the sizes reach that of the paper."""
    paper = PUBLISHED.datasets
    in_time = (c.size for c in every if c.slowest_s <= _HOUR_S * paper.count_limit_h)
    largest = max(in_time, default=0)
    if largest >= paper.largest_counted:
        yield Comparison(
            what=f"largest size counted, within {paper.count_limit_h} hours per instance",
            paper=(Quantity(paper.largest_counted),),
            ours=(Quantity(largest),),
            decision=decide(Fact(largest == paper.largest_counted, len(every))),
        )


def _quartiles(values: Sequence[int]) -> tuple[float, float]:
    if len(values) < 2:
        return float(values[0]), float(values[0])
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low, high


def _interval(values: Sequence[int]) -> str:
    """Return the interval of the median as text; ``-`` for a single value."""
    if len(values) < 2:
        return "-"
    low, high = median_interval(values)
    return f"{low:.10g} to {high:.10g}"


def _table(every: Sequence[_Counts]) -> TextTable:
    rows = []
    for dataset, size, solutions, slowest in sorted(every, key=lambda counts: counts[:2]):
        low, high = _quartiles(solutions)
        figures = (min(solutions), low, median(solutions), high, max(solutions), fmean(solutions))
        shown = [f"{figure:.10g}" for figure in figures]
        shown.insert(3, _interval(solutions))
        rows.append((dataset, str(size), str(len(solutions)), *shown, rounded(slowest)))
    headings = (
        "dataset", "size", "instances", "least", "lower quartile", "median", "median, 95 %",
        "upper quartile", "most", "mean", "longest count, s",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def _chart(every: Sequence[_Counts], number: int) -> Chart:
    points: dict[str, list[Point]] = {}
    for dataset, size, solutions, _ in every:
        middle = Point(size, float(median(solutions)), *_quartiles(solutions))
        points.setdefault(dataset, []).append(middle)
    return Chart(
        "Solutions of an instance: median and quartiles",
        f"size (numbers), n={number} instances of each dataset and size",
        "solutions (logarithmic)",
        tuple(side_by_side(points)),
        logarithmic=True,
        sizes=tuple(sorted({counts.size for counts in every})),
    )


STUDIES: Final = (
    Study(
        "countdown-figure2", "Figure 2: solutions of an instance, by dataset and size", _run, CARDS
    ),
)
