"""Figure 1 of the Countdown paper: the bound on the number of states and the exact number."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from pddl_pipeline.countdown.space import count_states, state_bound
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.countdown.datasets import NUMBERS
from pddl_pipeline.papers.countdown.published import PUBLISHED
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

_SIZES: Final = range(2, 51)
_GAME24_SIZE: Final = 4
_NOTE: Final = (
    "The bound counts a state once for each path to it, and both x - y and y - x for every pair, "
    "although at most one of them is applicable unless x = y. The exact count is of multisets: it "
    "does not depend on which of two equal numbers an action uses."
)


def _run(bench: Workbench) -> StudyResult:
    sizes = bench.sizes(quick=range(2, 6), paper=range(2, 7))
    number = bench.count(quick=10, paper=20)
    counts = {size: _counts(bench, size, number) for size in sizes}
    return StudyResult(
        conditions=f"{number} instances of each size, {NUMBERS}, by Algorithm 1; every state that "
        "can be reached is counted once, exactly.",
        comparisons=_comparisons(counts),
        tables=(NamedTable("Bound and distinct states by size", _table(counts)),),
        charts=_charts(counts, number),
        notes=(_NOTE,),
    )


def _counts(bench: Workbench, size: int, number: int) -> list[int]:
    instances = bench.generated("countdown", [size], number, settings={"walks": 1000})
    return [sum(count_states(instance.record.numbers)) for instance in instances]


def _comparisons(counts: dict[int, list[int]]) -> tuple[Comparison, ...]:
    found = counts.get(_GAME24_SIZE)
    if found is None:
        return ()
    game24, bound = PUBLISHED.game24, state_bound(_GAME24_SIZE)
    paper = (Quantity(game24.states, "around"),)
    return (
        Comparison(
            what="states of the 24 game: the bound for 4 numbers",
            paper=paper,
            ours=(Quantity(bound),),
            decision=decide(Fact(abs(bound - game24.states) <= game24.states_margin, 1)),
            remark=f"'around' is read as up to {game24.states_margin} more or fewer",
        ),
        Comparison(
            what="states of the 24 game: distinct states of instances of 4 numbers",
            paper=paper,
            ours=(Quantity(fmean(found), "mean", min(found), max(found)),),
            remark="the paper's number is the bound",
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


STUDIES: Final = (
    Study(
        "countdown-figure1",
        "Figure 1: size of the state space, bound and exact count",
        _run,
        ("data/states.toml",),
    ),
)
