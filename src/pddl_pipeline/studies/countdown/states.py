"""Figure 1 of the Countdown paper: the bound on the number of states and the exact number."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from pddl_pipeline.countdown.space import count_states, state_bound
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
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.domains.countdown import Countdown

_SIZES: Final = range(2, 51)
_IN_THE_PAPER: Final = 4500
"""The number of states of the 24 game that the introduction states."""
_ABOUT: Final = 100
_NOTE: Final = (
    "The bound counts a state once for every way to it, and x - y and y - x for every pair, of "
    "which at most one is applicable unless both are equal. The count is of multisets, so that it "
    "does not depend on which of two equal numbers was taken."
)


def _run(bench: Workbench) -> StudyResult:
    sizes = bench.sizes(quick=range(2, 6), paper=range(2, 7))
    number = bench.count(quick=10, paper=20)
    counts = {size: _counts(bench, size, number) for size in sizes}
    return StudyResult(
        conditions=f"{number} instances of each size, numbers from 1 to 99, by Algorithm 1; every "
        "state that can be reached is counted once, exactly.",
        comparisons=_comparisons(counts),
        tables=(NamedTable("Bound and distinct states by size", _table(counts)),),
        charts=(_chart(counts, number),),
        notes=(_NOTE,),
    )


def _counts(bench: Workbench, size: int, number: int) -> list[int]:
    instances = bench.generated("countdown", [size], number, settings={"walks": 1000})
    tasks: list[Countdown] = [instance.record for instance in instances]
    return [sum(count_states(task.numbers)) for task in tasks]


def _comparisons(counts: dict[int, list[int]]) -> tuple[Comparison, ...]:
    found = counts.get(4)
    if found is None:
        return ()
    bound = state_bound(4)
    return (
        Comparison(
            "states of the 24 game, which has 4 numbers",
            f"around {_IN_THE_PAPER}",
            f"bound {bound}; distinct {min(found)} to {max(found)}, mean {fmean(found):.0f}",
            "matched" if abs(bound - _IN_THE_PAPER) <= _ABOUT else "differs",
            "the paper's figure is the bound; there are only about a quarter as many states",
        ),
    )


def _table(counts: dict[int, list[int]]) -> TextTable:
    rows = []
    for size in _SIZES:
        found: Sequence[int] = counts.get(size, ())
        cells = [str(len(found)), f"{fmean(found):.0f}", str(min(found)), str(max(found)),
                 rounded(fmean(found) / state_bound(size), 4)] if found \
            else ["0", *[NO_NUMBER] * 4]  # fmt: skip
        rows.append((str(size), f"{state_bound(size):.3e}", *cells))
    headings = ("size", "bound", "instances", "mean states", "least", "most", "states / bound")
    return TextTable(headings, tuple(rows), names=1)


def _chart(counts: dict[int, list[int]], number: int) -> Chart:
    exact = tuple(
        Point(size, fmean(found), min(found), max(found)) for size, found in counts.items()
    )
    bound = tuple(Point(size, float(state_bound(size))) for size in _SIZES)
    return Chart(
        "State space of Countdown",
        f"size (numbers), n={number} instances a size for the exact count",
        "states (logarithmic)",
        (
            Series("paper's bound (section 4.1)", bound, from_paper=True),
            Series("distinct states: mean, least, most", exact),
        ),
        logarithmic=True,
    )


STUDIES: Final = (
    Study("countdown-figure1", "Figure 1: size of the state space, bound and exact count", _run),
)
