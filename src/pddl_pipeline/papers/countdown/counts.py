"""Figures 1 and 2 of the Countdown paper: the numbers of states and of solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, median, quantiles
from time import monotonic
from typing import Final, NamedTuple

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.countdown.space import count_states, state_bound
from pddl_pipeline.generators.countdown import ChainSettings, ReachSettings
from pddl_pipeline.model.text import counted
from pddl_pipeline.papers.comparison import Comparison, Fact, Ordered, Quantity, decide
from pddl_pipeline.papers.countdown.accuracy import side_by_side
from pddl_pipeline.papers.countdown.datasets import (
    CARDS,
    GAME_OF_24,
    MARGINS,
    METHODS,
    NUMBERS,
    PUBLISHED,
    WALKS,
    Instances,
    instances_of,
    numbers_text,
    puzzles,
)
from pddl_pipeline.papers.study import (
    Chart,
    NamedTable,
    Point,
    Series,
    Study,
    StudyResult,
    Workbench,
)
from pddl_pipeline.statistics.differences import rank_difference
from pddl_pipeline.statistics.intervals import median_interval
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

_SIZES: Final = range(2, 51)
_GAME24_SIZE: Final = 4
_NOTE: Final = (
    "The bound counts a state once for each path to it, and both x - y and y - x for every pair, "
    "although at most one of them is applicable unless x = y. The exact count is of multisets: it "
    "does not depend on which of two equal numbers an action uses."
)


def _figure1(bench: Workbench) -> StudyResult:
    sizes = bench.sizes(quick=range(2, 6), paper=range(2, 7))
    number = bench.count(quick=10, paper=20)
    counts = {size: _counts(bench, size, number) for size in sizes}
    return StudyResult(
        conditions=f"{counted(number, 'instance')} of each size, {NUMBERS}, by Algorithm 1; "
        "every state that can be reached is counted once, exactly.",
        comparisons=_comparisons(counts),
        tables=(NamedTable("Bound and distinct states by size", _state_table(counts)),),
        charts=_charts(counts, number),
        notes=(_NOTE,),
    )


def _counts(bench: Workbench, size: int, number: int) -> list[int]:
    instances = bench.generated("countdown", [size], number, settings={"walks": 1000})
    return [sum(count_states(instance.record.numbers)) for instance in instances]


def _comparisons(counts: dict[int, list[int]]) -> tuple[Comparison, ...]:
    if _GAME24_SIZE not in counts:
        return ()
    game24, bound = PUBLISHED.game24, state_bound(_GAME24_SIZE)
    return (
        Comparison(
            what="states of the 24 game: the bound for 4 numbers",
            paper=(Quantity(game24.states, "around"),),
            ours=(Quantity(bound),),
            decision=decide(Fact(abs(bound - game24.states) <= MARGINS.states, 1)),
            remark=f"'around' is read as up to {MARGINS.states} more or fewer; the paper cites the "
            "number and does not say what it counts: the bound is the reading that fits",
            is_fit=True,
        ),
    )


def _state_table(counts: dict[int, list[int]]) -> TextTable:
    rows = []
    for size in _SIZES:
        found: Sequence[int] = counts.get(size, ())
        cells = [str(len(found)), f"{fmean(found):.0f}", str(min(found)), str(max(found)),
                 rounded(fmean(found) / state_bound(size), 4)] if found \
            else ["0", *[NO_NUMBER] * 4]  # fmt: skip
        rows.append((str(size), f"{state_bound(size):.3e}", *cells))
    headings = ("size", "bound", "instances", "mean states", "least", "most", "states / bound")
    return TextTable(headings, tuple(rows), names=1)


def _charts(counts: dict[int, list[int]], number: int) -> tuple[Chart, Chart]:
    """Return a chart of the sizes that are counted, and one of the bound for all sizes."""
    exact = tuple(
        Point(size, fmean(found), min(found), max(found)) for size, found in counts.items()
    )
    bound = [Point(size, float(state_bound(size))) for size in _SIZES]
    name, near = "paper's bound (section 4.1)", [p for p in bound if p.x in counts]
    return (
        Chart(
            "States of Countdown: bound and exact count",
            f"size (numbers), n={number} instances a size for the exact count",
            "states (logarithmic)",
            (
                Series(name, tuple(near), from_paper=True),
                Series("distinct states: mean, least, most", exact),
            ),
            logarithmic=True,
        ),
        Chart(
            "The bound for all sizes of the paper",
            "size (numbers)",
            "states (logarithmic)",
            (Series(name, tuple(bound), from_paper=True),),
            logarithmic=True,
        ),
    )


_NEW: Final = "CD"
_BOUNDED: Final = "CD, targets as RG"
_RG: Final = ChainSettings()
_SOS: Final = ReachSettings()
_LEVEL: Final = 0.01
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
    "once and joined (docs/counting.md); sizes up to 9 are feasible."
)


class _Counts(NamedTuple):
    """The numbers of solutions of the instances of one size of a dataset."""

    dataset: str
    size: int
    solutions: list[int]
    slowest_s: float
    """The time of the longest count, in seconds."""


def _figure2(bench: Workbench) -> StudyResult:
    sizes = bench.sizes(quick=range(4, 8), paper=range(4, 9))
    number = bench.count(quick=40, paper=PUBLISHED.datasets.instances)
    every = list(_every(bench, sizes, number))
    return StudyResult(
        conditions=f"{counted(number, 'instance')} of each dataset and size, made by this "
        f"project's generators with the papers' settings ({_SETTINGS}); "
        f"24 game: {puzzles(bench).source}. "
        "Solutions are sequences of steps, counted exactly; equal numbers at different positions "
        "are different.",
        comparisons=tuple(_fewer(every)),
        tables=(NamedTable("Solutions by dataset and size", _solution_table(every)),),
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
            evidence = Ordered(rank_difference(*ranks), -1, MARGINS.share)
            yield Comparison(
                what=f"median number of solutions, {_NEW} and {dataset}, size {other.size}",
                said="CD: significantly smaller",
                ours=tuple(Quantity(median(c.solutions), c.dataset) for c in (own, other)),
                decision=decide(evidence, _LEVEL),
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


def _solution_table(every: Sequence[_Counts]) -> TextTable:
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
        f"size (numbers), n={counted(number, 'instance')} of each dataset and size",
        "solutions (logarithmic)",
        tuple(side_by_side(points)),
        logarithmic=True,
        sizes=tuple(sorted({counts.size for counts in every})),
    )


STUDIES: Final = (
    Study(
        "countdown-figure1",
        "Figure 1: size of the state space, bound and exact count",
        _figure1,
        ("data/states.toml",),
    ),
    Study(
        "countdown-figure2",
        "Figure 2: solutions of an instance, by dataset and size",
        _figure2,
        CARDS,
    ),
)
