"""The 24 game of the Countdown paper: all puzzles by the exact solver, a hundred by ENHSP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.countdown.whole_number_reach import Reach
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.choosing import spread
from pddl_pipeline.papers.comparison import Comparison, Quantity, share
from pddl_pipeline.papers.countdown.accuracy import Sample, correctness, share_cells
from pddl_pipeline.papers.countdown.datasets import (
    GAME_OF_24,
    Instances,
    Puzzles,
    puzzles,
    solvable_hands,
)
from pddl_pipeline.papers.countdown.published import PUBLISHED
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.tables.text_table import TextTable, rounded
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.judging import judge_plan

_PLANNERS: Final = ("enhsp", "dfs")
_NOTE: Final = (
    "DFS runs over successors that were written by hand; the paper's AutoToS lets a language model "
    "write them. The paper gives no accuracy of ENHSP on the 24 game; larger sizes: "
    "countdown-exactness."
)


class _Row(NamedTuple):
    """The results of a solver on the puzzles."""

    solver: str
    puzzles: int
    claimed: int
    valid: int
    wall_s: float | None = None
    """The mean wall-clock time of the valid plans; None if the solver ran in this process."""


def _run(bench: Workbench) -> StudyResult:
    game = puzzles(bench)
    number = bench.count(quick=30, paper=len(game.evaluated))
    chosen = spread(game.evaluated, number)
    limits = bench.limits(quick_s=30, paper_s=PUBLISHED.runs.time_limit_s)
    runs = bench.solve("runs", chosen, _PLANNERS, limits)
    samples = [
        Sample(GAME_OF_24, planner, [run for run in runs if run.planner == planner])
        for planner in _PLANNERS
    ]
    rows = [_exact(game.every), *map(_row, samples)]
    return StudyResult(
        conditions=f"{game.source}. All {len(game.every)} by the exact solver inside this program; "
        f"{len(chosen)} of the evaluated by planners, {limits.time_s:g} s each.",
        comparisons=tuple(_comparisons(game, rows[0], samples)),
        tables=(
            NamedTable("Puzzles solved", _table(rows)),
            NamedTable("Puzzles that need a fractional step", _fractions(game.every)),
        ),
        notes=(_NOTE,),
        unexplained=sum(run.unexplained for run in runs),
    )


def _exact(instances: Instances) -> _Row:
    plans = [_solved(instance) for instance in instances]
    return _Row("countdown-exact", len(plans), sum(p is not None for p in plans), plans.count(True))


def _solved(instance: Instance[Any]) -> bool | None:
    """Return whether the exact solver's plan is valid; None if it found none."""
    plan = solve_exact(instance.record.numbers, instance.record.target).plan
    if plan is None:
        return None
    task = read_instance(instance)
    return judge_plan(plan, task, instance).status is Status.VALID


def _row(sample: Sample) -> _Row:
    solved = [run.wall_s for run in sample.runs if run.solved]
    mean = sum(solved) / len(solved) if solved else None
    return _Row(sample.solver, len(sample.runs), sample.count("claimed"), len(solved), mean)


def _comparisons(game: Puzzles, exact: _Row, samples: Sequence[Sample]) -> Iterator[Comparison]:
    enhsp, dfs = samples
    hands, known = (
        {tuple(sorted(instance.record.numbers)) for instance in instances}
        for instances in (solvable_hands(), game.every)
    )
    number = PUBLISHED.game24.puzzles
    yield Comparison(
        what="puzzles of the 24 game",
        paper=(Quantity(number),),
        ours=(
            Quantity(exact.puzzles, "puzzles"),
            Quantity(exact.valid, "solved by the exact solver"),
            Quantity(len(hands), "solvable multisets"),
        ),
        decision=decide(Fact({exact.puzzles, exact.valid, len(hands)} == {number}, len(hands))),
    )
    yield Comparison(
        what="solvable multisets of four numbers from 1 to 13 that are puzzles",
        ours=(share(len(hands & known), len(hands)),),
        decision=decide(Fact(hands <= known, len(hands))),
    )
    yield Comparison(
        what="accuracy of AutoToS on the 24 game",
        paper=(Quantity(PUBLISHED.accuracy.autotos_game24),),
        ours=(dfs.share_of("valid", "DFS"),),
        unit="%",
        remark="DFS runs over this project's functions, AutoToS over those of language models",
    )
    yield correctness(enhsp)


def _table(rows: Sequence[_Row]) -> TextTable:
    cells = tuple(
        (
            row.solver, str(row.puzzles), str(row.claimed), *share_cells(row.valid, row.puzzles),
            rounded(row.wall_s),
        )
        for row in rows
    )  # fmt: skip
    headings = ("solver", "puzzles", "claimed", "valid", "95 % interval, %", "mean time, s")
    failed = tuple(row.claimed > row.valid for row in rows)
    return TextTable(headings, cells, names=1, marked=failed)


def _fractions(instances: Instances) -> TextTable:
    hard = [
        i.record.numbers
        for i in instances
        if Reach(i.record.numbers).moves(i.record.target) is None
    ]
    rows = tuple((str(at), " ".join(map(str, numbers))) for at, numbers in enumerate(hard, start=1))
    return TextTable(("", "numbers"), rows, names=2)


STUDIES: Final = (
    Study("countdown-24game", "The 24 game: all puzzles exactly, a hundred by ENHSP and DFS", _run),
)
