"""AutoToS, section 5: the 24 game under AutoToS's rules, by breadth-first search.

Numbers may be negative. Division produces floats, and numbers within 0.001 count as equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import isclose
from typing import Final, NamedTuple

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.model.operations import SIGNS, combine, is_defined
from pddl_pipeline.papers.autotos.published import MARGINS, OWN_FUNCTIONS, PUBLISHED
from pddl_pipeline.papers.comparison import Comparison, Quantity, share
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Always, Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.domain import Puzzle, own_space
from pddl_pipeline.search.black_boxes.domains.countdown import TOLERANCE
from pddl_pipeline.search.black_boxes.domains.game24 import DOMAIN, TARGET
from pddl_pipeline.search.space import Bounds, breadth_first
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.translators.datasets import load_records

_MOST_STATES: Final = 1_000_000
_BIN: Final = 50
"""The range of expanded states that a bar covers."""

Numbers = tuple[int, ...]


class _Played(NamedTuple):
    """The result of one puzzle."""

    numbers: Numbers
    solved: bool
    """Whether a path of legal steps was found that ends within 0.001 of 24."""
    exactly: bool
    """Whether the last number is the float 24.0."""
    expanded: int


def _run(bench: Workbench) -> StudyResult:
    file = bench.dataset("game24", "24.csv")
    puzzles = list(_solvable()) if file is None else [
        instance.record.numbers for instance in load_records(str(file))
    ]  # fmt: skip
    chosen = puzzles[: bench.number]
    played = list(map(_play, chosen))
    source = "24.csv" if file is not None else "all sets of four numbers from 1 to 13 with solution"
    return StudyResult(
        conditions=f"{len(played)} puzzles: {source}. Breadth-first search over the project's own "
        "functions; every transition of a path found is checked again, apart from them.",
        comparisons=_comparisons(played, len(puzzles)),
        tables=(NamedTable("Breadth-first search on the 24 game", _table(played)),),
        charts=(_chart(played),),
    )


def _solvable() -> Iterator[Numbers]:
    for numbers in combinations_with_replacement(range(1, 14), 4):
        if solve_exact(numbers, TARGET).plan is not None:
            yield numbers


def _play(numbers: Numbers) -> _Played:
    effort = SearchEffort()
    space = own_space(DOMAIN, Puzzle(list(numbers)))
    path = breadth_first(space, Bounds(_MOST_STATES), effort).path
    if path is None or not all(is_step(before, after) for before, after in pairwise(path)):
        return _Played(numbers, solved=False, exactly=False, expanded=effort.expanded)
    last = path[-1]
    solved = len(path) == len(numbers) and len(last) == 1 and _same(last[0], TARGET)
    return _Played(numbers, solved, solved and last[0] == TARGET, effort.expanded)


def is_step(before: Sequence[float], after: Sequence[float]) -> bool:
    """Return whether a transition combines two numbers into one and keeps all others."""
    return any(
        len(after) == len(rest) + 1 and any(
            all(map(_same, sorted(after), sorted([*rest, made]))) for made in _made(x, y)
        )
        for x, y, rest in _pairs(before)
    )  # fmt: skip


def _pairs(numbers: Sequence[float]) -> Iterator[tuple[float, float, list[float]]]:
    for one, other in combinations(range(len(numbers)), 2):
        rest = [number for place, number in enumerate(numbers) if place not in (one, other)]
        yield numbers[one], numbers[other], rest


def _made(x: float, y: float) -> list[float]:
    return [
        combine(action, first, second)
        for first, second in permutations((x, y))
        for action in SIGNS
        if is_defined(action, second)
    ]


def _same(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=0, abs_tol=TOLERANCE)


def _comparisons(played: Sequence[_Played], puzzles: int) -> tuple[Comparison, ...]:
    paper = PUBLISHED.game24
    inexact = [list(p.numbers) for p in played if p.solved and not p.exactly]
    all_played = len(played) == paper.puzzles
    solved = sum(p.solved for p in played)
    expected = {tuple(numbers) for numbers in paper.called_unsolvable}
    as_called = {tuple(numbers) for numbers in inexact} == expected
    return (
        Comparison(
            what="puzzles",
            paper=(Quantity(paper.puzzles),),
            ours=(Quantity(puzzles),),
            decision=decide(Fact(puzzles == paper.puzzles, puzzles)),
        ),
        Comparison(
            what="puzzles that this project's functions solve",
            ours=(share(solved, len(played)),),
            decision=decide(
                Fact(solved == len(played), solved)
                if all_played
                else Always(solved, len(played), MARGINS.exceptions)
            ),
        ),
        Comparison(
            what="accuracy",
            said=f"all puzzles after the first {paper.unit_tests}",
            paper=(Quantity(paper.solved, of=paper.puzzles - paper.unit_tests),),
            remark=OWN_FUNCTIONS,
        ),
        Comparison(
            what="solved puzzles whose last number is not the float 24.0",
            said=f"{_listed(paper.called_unsolvable)}, which its files call unsolvable",
            paper=(Quantity(len(paper.called_unsolvable)),),
            ours=(Quantity(len(inexact), _listed(inexact[:3])),),
            decision=decide(Fact(as_called, len(played)) if all_played else None),
            remark="the order of the search decides which of several shortest paths is found",
        ),
    )


def _listed(puzzles: Sequence[Sequence[int]]) -> str:
    return ", ".join(" ".join(map(str, numbers)) for numbers in puzzles)


def _table(played: Sequence[_Played]) -> TextTable:
    expanded = [p.expanded for p in played]
    row = (
        "own functions", str(len(played)), str(sum(p.solved for p in played)),
        str(sum(p.exactly for p in played)),
        f"{sum(expanded) / len(expanded):.0f}", str(max(expanded)),
    )  # fmt: skip
    headings = (
        "functions", "puzzles", "solved within 0.001", "ends at 24.0", "mean expanded states",
        "most expanded states",
    )  # fmt: skip
    return TextTable(headings, (row,), names=1)


def _chart(played: Sequence[_Played]) -> Chart:
    """Return the chart of the search effort of the puzzles."""
    bins = Counter(puzzle.expanded // _BIN for puzzle in played)
    points = tuple(
        Point(f"{number * _BIN}-{number * _BIN + _BIN - 1}", bins[number])
        for number in range(max(bins) + 1)
    )
    return Chart(
        "AutoToS, 24 game: states that breadth-first search expands",
        f"expanded states, n={len(played)} puzzles",
        "puzzles",
        (Series("", points),),
        bottom=0,
    )


STUDIES: Final = (Study("autotos-24game", "the 24 game under AutoToS's own rules, by BFS", _run),)
