"""AutoToS, section 5: its domains by breadth-first search over two Python functions.

In the 24 game, numbers may be negative, division produces floats, and numbers within 0.001 count as
equal.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import isclose
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.operations import SIGNS, combine, is_defined
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.autotos.domains import DOMAIN, TARGET
from pddl_pipeline.papers.comparison import (
    Always,
    Comparison,
    Fact,
    Quantity,
    checked,
    decide,
    share,
)
from pddl_pipeline.papers.data import published
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench, spread
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.domain import Puzzle, own_space
from pddl_pipeline.search.black_boxes.domains.countdown import TOLERANCE
from pddl_pipeline.search.space import Bounds, breadth_first
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.datasets import load_records

PUBLISHED: Final = published(__package__)
MARGINS: Final = PUBLISHED.margins
OWN_FUNCTIONS: Final = "the functions are this project's; the paper's are of language models"
"""Why no study compares the paper's accuracies."""


_MOST_STATES: Final = 1_000_000

Numbers = tuple[int, ...]


class _Played(NamedTuple):
    """The result of one puzzle."""

    numbers: Numbers
    solved: bool
    """Whether a path of legal steps was found that ends within 0.001 of 24."""
    exactly: bool
    """Whether the last number is the float 24.0."""
    expanded: int


def _game24(bench: Workbench) -> StudyResult:
    hands = combinations_with_replacement(range(1, 14), 4)
    puzzles = [hand for hand in hands if solve_exact(hand, TARGET).plan is not None]
    played = list(map(_play, puzzles[: bench.number]))
    return StudyResult(
        conditions=f"{len(played)} sets of four numbers from 1 to 13 with a solution. "
        "Breadth-first search over the project's own functions; every transition of a path found "
        "is checked again, apart from them.",
        comparisons=_game24_comparisons(played, len(puzzles)),
        tables=(NamedTable("Breadth-first search on the 24 game", _game24_table(played)),),
    )


def _play(numbers: Numbers) -> _Played:
    effort = SearchEffort()
    space = own_space(DOMAIN, Puzzle(list(numbers)))
    path = breadth_first(space, Bounds(_MOST_STATES), effort).path
    if path is None or not all(is_step(before, after) for before, after in pairwise(path)):
        return _Played(numbers, solved=False, exactly=False, expanded=effort.expanded)
    last = path[-1]
    # Each step leaves one number fewer, so that n numbers take a path of n states.
    solved = len(path) == len(numbers) and len(last) == 1 and _same(last[0], TARGET)
    return _Played(numbers, solved, solved and last[0] == TARGET, effort.expanded)


def is_step(before: Sequence[float], after: Sequence[float]) -> bool:
    """Return whether a transition combines two numbers into one and keeps all others."""
    return any(
        len(after) == len(rest) + 1
        and any(all(map(_same, sorted(after), sorted([*rest, made]))) for made in _made(x, y))
        for x, y, rest in _pairs(before)
    )


def _pairs(numbers: Sequence[float]) -> Iterator[tuple[float, float, list[float]]]:
    for one, other in combinations(range(len(numbers)), 2):
        rest = [number for place, number in enumerate(numbers) if place not in (one, other)]
        yield numbers[one], numbers[other], rest


def _made(x: float, y: float) -> list[float]:
    return [
        combine(action, first, second)
        # Both orders, since subtraction and division do not commute.
        for first, second in permutations((x, y))
        for action in SIGNS
        if is_defined(action, second)
    ]


def _same(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=0, abs_tol=TOLERANCE)


def _game24_comparisons(played: Sequence[_Played], puzzles: int) -> tuple[Comparison, ...]:
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
        checked(
            Comparison(
                what="puzzles that this project's functions solve",
                ours=(share(solved, len(played)),),
                decision=decide(
                    Fact(solved == len(played), solved)
                    if all_played
                    else Always(solved, len(played), MARGINS.exceptions)
                ),
            )
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


def _game24_table(played: Sequence[_Played]) -> TextTable:
    expanded = [p.expanded for p in played]
    row = (
        "own functions",
        str(len(played)),
        str(sum(p.solved for p in played)),
        str(sum(p.exactly for p in played)),
        f"{sum(expanded) / len(expanded):.0f}",
        str(max(expanded)),
    )
    headings = (
        "functions", "puzzles", "solved within 0.001", "ends at 24.0", "mean expanded states",
        "most expanded states",
    )  # fmt: skip
    return TextTable(headings, (row,), names=1)


_PLANNER: Final = "bfs"
SMALLEST: Final = ("p20", "p06", "p04", "p14", "p08")
"""The smallest of AutoToS's Sokoban instances, by the states that the search expands."""

Lengths = Mapping[str, int]
"""The length of a shortest plan by the id of the instance."""


def _blocksworld(bench: Workbench) -> StudyResult:
    (folder,) = bench.required("autotos", "blocksworld")
    total = sum(PUBLISHED.blocksworld.instances_by_blocks.values())
    instances = list(load_records(str(folder / "blocks_instances")))
    return _findings(
        bench,
        "blocksworld",
        spread(instances, bench.count(quick=100, paper=total)),
        _solutions(folder / "solutions.csv"),
        "solutions.csv",
        Quantity(PUBLISHED.blocksworld.solved, of=total),
    )


def _solutions(file: Path) -> Lengths:
    with file.open(newline="", encoding="utf-8") as stream:
        return {Path(name).stem: int(length) for name, length in csv.reader(stream)}


def _sokoban(bench: Workbench) -> StudyResult:
    (folder,) = bench.required("autotos", "sokoban")
    known = {record.id: record for record in load_records(str(folder / "test_instances"))}
    names = bench.pick(quick=SMALLEST, paper=tuple(sorted(known)))
    lengths: dict[str, int] = json.loads((folder / "sokoban_optimal_costs.json").read_text())
    return _findings(
        bench,
        "sokoban",
        [known[name] for name in names[: bench.number]],
        {name.removesuffix(".pddl"): length for name, length in lengths.items()},
        "sokoban_optimal_costs.json",
        Quantity(PUBLISHED.sokoban.solved, of=PUBLISHED.sokoban.instances),
    )


def _findings(  # noqa: PLR0913, PLR0917 -- what the two studies differ in
    bench: Workbench,
    name: str,
    instances: Sequence[Instance[Any]],
    published: Lengths,
    source: str,
    paper: Quantity,
) -> StudyResult:
    missing = [instance.id for instance in instances if instance.id not in published]
    if missing:
        raise InputError(f"{name}: no published length of {missing[0]}")
    limits = bench.limits(quick_s=120, paper_s=PUBLISHED.search.time_limit_s)
    runs = bench.solve(name, instances, [_PLANNER], limits)
    return StudyResult(
        conditions=f"{len(instances)} of AutoToS's instances, lengths from its {source}. Planner "
        f"{_PLANNER}, "
        f"{limits.time_s:g} s and {limits.memory_bytes / 2**30:.1f} GiB an instance (AutoToS: "
        f"{PUBLISHED.search.time_limit_s:g} s); each plan is judged by the validator.",
        comparisons=_comparisons(runs, published, paper),
        tables=(NamedTable("By length of the shortest plan", _table(runs, published)),),
        unexplained=sum(run.unexplained for run in runs),
    )


def _comparisons(
    runs: Sequence[RunResult], published: Lengths, paper: Quantity
) -> tuple[Comparison, ...]:
    right = sum(run.solved and run.steps == published[run.id] for run in runs)
    open_ = [f"{run.id} ({run.outcome})" for run in runs if not run.solved]
    wrong = [run.id for run in runs if run.solved and run.steps != published[run.id]]
    why = [f"not solved: {', '.join(open_[:12])}"] if open_ else []
    why += [f"of another length: {', '.join(wrong[:12])}"] if wrong else []
    return (
        checked(
            Comparison(
                what="valid plans of the known shortest length, by this project's functions",
                ours=(share(right, len(runs)),),
                decision=decide(
                    Fact(right == len(runs), len(runs))
                    if len(runs) == paper.of
                    else Always(right, len(runs), MARGINS.exceptions)
                ),
                remark="; ".join(why),
            )
        ),
        Comparison(what="accuracy", paper=(paper,), remark=OWN_FUNCTIONS),
    )


def _table(runs: Sequence[RunResult], published: Lengths) -> TextTable:
    rows = []
    for length in sorted({published[run.id] for run in runs}):
        found = [run for run in runs if published[run.id] == length]
        right = [run for run in found if run.solved and run.steps == length]
        expanded = [run.expanded for run in right if run.expanded is not None]
        times = [run.wall_s for run in right]
        rows.append((
            str(length), str(len(found)), str(len(right)),
            f"{fmean(expanded):.0f}" if expanded else NO_NUMBER,
            rounded(fmean(times)) if times else NO_NUMBER,
            rounded(max(times)) if times else NO_NUMBER,
        ))  # fmt: skip
    headings = (
        "shortest plan (steps)", "instances", "found", "mean expanded states", "mean time (s)",
        "longest time (s)",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=1)


STUDIES: Final = (
    Study("autotos-24game", "the 24 game under AutoToS's own rules, by BFS", _game24),
    Study("autotos-blocksworld", "502 blocksworld instances by breadth-first search", _blocksworld),
    Study("autotos-sokoban", "11 Sokoban instances by breadth-first search", _sokoban),
)
