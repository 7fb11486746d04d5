"""The 24 game of the Countdown paper: all puzzles by the exact solver, a hundred by ENHSP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.countdown.whole_number_reach import Reach
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.runs.solving import judge_plan
from pddl_pipeline.scoring.intervals import wilson
from pddl_pipeline.studies.choosing import spread
from pddl_pipeline.studies.countdown.datasets import (
    PUZZLES,
    Puzzles,
    Tasks,
    puzzles,
    solvable_hands,
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
from pddl_pipeline.tables.text_table import TextTable, percent_range, rounded
from pddl_pipeline.translators import read_instance

_PLANNERS: Final = ("enhsp", "dfs")


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
    number = min(bench.count(quick=30, paper=100), len(game.evaluated))
    limits = bench.limits(quick_s=30, paper_s=1800)
    runs = bench.solve("runs", spread(game.evaluated, number), _PLANNERS, limits)
    rows = [_exact(game.every), *(_of_runs(planner, runs) for planner in _PLANNERS)]
    return StudyResult(
        conditions=f"{game.source}. All {len(game.every)} by the exact solver inside this program; "
        f"{number} of the evaluated by planners, {limits.time_s:g} s each.",
        comparisons=tuple(_comparisons(game, rows)),
        tables=(
            NamedTable("Puzzles solved", _table(rows)),
            NamedTable("Puzzles that need a fraction on the way", _fractions(game.every)),
        ),
        charts=(_chart(rows),),
        unexplained=sum(run.unexplained for run in runs),
    )


def _exact(instances: Tasks) -> _Row:
    plans = [_solved(instance) for instance in instances]
    return _Row("countdown-exact", len(plans), sum(p is not None for p in plans), plans.count(True))


def _solved(instance: Instance[Any]) -> bool | None:
    """Return whether the exact solver's plan is valid; None if it found none."""
    plan = solve_exact(instance.record.numbers, instance.record.target).plan
    if plan is None:
        return None
    task = read_instance(instance)
    return judge_plan(plan, task, instance).status is Status.VALID


def _of_runs(planner: str, runs: Sequence[RunResult]) -> _Row:
    own = [run for run in runs if run.planner == planner]
    solved = [run.wall_s for run in own if run.solved]
    mean = sum(solved) / len(solved) if solved else None
    return _Row(planner, len(own), sum(run.claimed for run in own), len(solved), mean)


def _comparisons(game: Puzzles, rows: Sequence[_Row]) -> Iterator[Comparison]:
    exact, enhsp, dfs = rows
    hands = sorted(tuple(sorted(instance.record.numbers)) for instance in solvable_hands())
    same = hands == sorted(tuple(sorted(instance.record.numbers)) for instance in game.every)
    yield Comparison(
        "puzzles of the 24 game",
        str(PUZZLES),
        f"{len(hands)} multisets of four numbers from 1 to 13 are solvable, "
        f"{exact.valid} of {exact.puzzles} puzzles solved exactly",
        "matched" if same and len(hands) == PUZZLES == exact.valid else "differs",
        "exactly the solvable multisets" if same else "not exactly the solvable multisets",
    )
    yield Comparison(
        "accuracy of AutoToS on the 24 game",
        "100 %",
        _share(dfs),
        "matched" if dfs.valid == dfs.puzzles else "differs",
        "depth-first search over successors written by hand, not by a language model",
    )
    yield Comparison(
        "ENHSP's plans are correct",
        "guaranteed (section 7)",
        f"{enhsp.valid} of {enhsp.claimed} claimed plans are valid; accuracy {_share(enhsp)}",
        "matched" if enhsp.valid == enhsp.claimed else "differs",
        "the paper gives no accuracy of ENHSP on the 24 game; larger sizes: countdown-exactness",
    )


def _share(row: _Row) -> str:
    bounds = percent_range(wilson(row.valid, row.puzzles))
    return f"{rounded(100 * row.valid / row.puzzles, 1)} % ({row.puzzles} puzzles, 95 %: {bounds})"


def _table(rows: Sequence[_Row]) -> TextTable:
    cells = tuple(
        (
            row.solver, str(row.puzzles), str(row.claimed), str(row.valid),
            percent_range(wilson(row.valid, row.puzzles)), rounded(row.wall_s),
        )
        for row in rows
    )  # fmt: skip
    headings = ("solver", "puzzles", "claimed", "valid", "95 % interval, %", "mean time, s")
    failed = tuple(row.claimed > row.valid for row in rows)
    return TextTable(headings, cells, names=1, marked=failed)


def _chart(rows: Sequence[_Row]) -> Chart:
    return Chart(
        "The 24 game: valid plans",
        f"solver, n={' / '.join(str(row.puzzles) for row in rows)} puzzles",
        "puzzles (%), Wilson 95 %",
        (
            Series("ours", tuple(_point(row) for row in rows)),
            Series("paper's AutoToS (text)", (Point(_name(rows[-1]), 100.0),), from_paper=True),
        ),
        bottom=0,
        top=105,
    )


def _point(row: _Row) -> Point:
    low, high = wilson(row.valid, row.puzzles)
    return Point(_name(row), 100 * row.valid / row.puzzles, 100 * low, 100 * high)


def _name(row: _Row) -> str:
    # Short, so that the chart need not slant it.
    return row.solver.removeprefix("countdown-")


def _fractions(instances: Tasks) -> TextTable:
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
