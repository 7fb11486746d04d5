"""The 24 game of the Countdown paper: exactly, by planners, and by published answers of GPT-4."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.comparison import Comparison, Fact, Quantity, checked, decide, share
from pddl_pipeline.papers.countdown.accuracy import Sample, correctness, share_cells
from pddl_pipeline.papers.countdown.datasets import (
    GAME_OF_24,
    PUBLISHED,
    Instances,
    Puzzles,
    puzzles,
    solvable_hands,
)
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench, spread
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.metrics import pass_at
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.statistics.intervals import estimate
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range, rounded
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.datasets import ReadOptions, load_records
from pddl_pipeline.translators.judging import judge_plan

_PLANNERS: Final = ("enhsp", "dfs")
_NOTE: Final = (
    "DFS runs over successors that were written by hand; the paper's AutoToS lets a language model "
    "write them. The paper gives no accuracy of ENHSP on the 24 game; larger sizes: "
    "countdown-transition."
)


class _Row(NamedTuple):
    """The results of a solver on the puzzles."""

    solver: str
    puzzles: int
    claimed: int
    valid: int
    wall_s: float | None = None
    """The mean wall-clock time of the valid plans; None if the solver ran in this process."""


def _game(bench: Workbench) -> StudyResult:
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
        tables=(NamedTable("Puzzles solved", _solver_table(rows)),),
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
    yield checked(
        Comparison(
            what="puzzles of the 24 game",
            paper=(Quantity(number),),
            ours=(
                Quantity(exact.puzzles, "puzzles"),
                Quantity(exact.valid, "solved by the exact solver"),
                Quantity(len(hands), "solvable multisets"),
            ),
            decision=decide(Fact({exact.puzzles, exact.valid, len(hands)} == {number}, len(hands))),
            remark="the number is of the file by Yao et al. 2023, of which the paper uses 100 "
            "puzzles",
        )
    )
    yield checked(
        Comparison(
            what="solvable multisets of four numbers from 1 to 13 that are puzzles",
            ours=(share(len(hands & known), len(hands)),),
            decision=decide(Fact(hands <= known, len(hands))),
        )
    )
    yield Comparison(
        what="accuracy of AutoToS on the 24 game",
        paper=(Quantity(PUBLISHED.accuracy.autotos_game24),),
        ours=(dfs.share_of("valid", "DFS"),),
        unit="%",
        remark="DFS runs over this project's functions, AutoToS over those of language models",
    )
    yield correctness(enhsp)


def _solver_table(rows: Sequence[_Row]) -> TextTable:
    cells = tuple(
        (
            row.solver,
            str(row.puzzles),
            str(row.claimed),
            *share_cells(row.valid, row.puzzles),
            rounded(row.wall_s),
        )
        for row in rows
    )
    headings = ("solver", "puzzles", "claimed", "valid", "95 % interval, %", "mean time, s")
    failed = tuple(row.claimed > row.valid for row in rows)
    return TextTable(headings, cells, names=1, marked=failed)


_FILES: Final = {
    "IO": "gpt-4_0.7_naive_standard_sample_100_start900_end1000.json.gz",
    "CoT": "gpt-4_0.7_naive_cot_sample_100_start900_end1000.json.gz",
    "ToT": "gpt-4_0.7_propose1_value3_greedy5_start900_end1000.json.gz",
}
"""The published logs, by method."""
_DRAWN: Final = 5
"""The number of answers of accuracy@5."""
_NOTES: Final = (
    (
        "accuracy@5 is the probability that one of five answers, drawn from all, is correct "
        "(Chen et al. 2021); ToT has five answers, of breadth 5. The unit is the puzzle; intervals "
        "are by the bootstrap over puzzles."
    ),
    (
        "Answers are judged by exact arithmetic under the rules of the 24 game's files: every "
        "number once, negative numbers and fractions allowed. The published verdict evaluates "
        "the last line as an expression. The paper's rows are of other models."
    ),
)


class Judged(NamedTuple):
    """The answers to a puzzle."""

    correct: tuple[bool, ...]
    """The verdict on each answer."""
    published: tuple[bool, ...]
    """The authors' verdict on each answer."""


def read_answers(file: Path, judge: Judge, number: int | None = None) -> list[Judged]:
    """Judge the answers of a published file, by puzzle.

    Args:
        file: a log of Tree of Thoughts, compressed by gzip.
        judge: judges answers to puzzles by their ids, such as ``24game-901``.
        number: the number of puzzles; None for all.

    Raises:
        InputError: the file cannot be read, has another form, or names an unknown puzzle.
    """
    try:
        return [_judged(each, judge) for each in _read(file)[:number]]
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", file=str(file)) from error
    except (KeyError, TypeError, IndexError) as error:
        message = f"found no log of Tree of Thoughts ({error!r})"
        raise InputError(
            f"{message}, expected idx, ys, and infos or accs", file=str(file)
        ) from error


def _read(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(gzip.decompress(file.read_bytes()))
    return found


def _judged(item: dict[str, Any], judge: Judge) -> Judged:
    # The logs count puzzles from 0, the file of puzzles ranks them from 1.
    name = f"24game-{item['idx'] + 1}"
    if name not in judge.instances:
        raise InputError(f"found answers to puzzle {name}, which is not in the data")
    verdicts = item["accs"] if "accs" in item else [each["r"] for each in item["infos"]]
    pairs = list(zip(item["ys"], map(bool, verdicts), strict=True))
    scores = [judge.score(Answer(name, text)) for text, _ in pairs]
    return Judged(tuple(bool(score.correct) for score in scores), tuple(good for _, good in pairs))


def _logs(bench: Workbench) -> StudyResult:
    (csv,) = bench.required("game24", "24.csv")
    logs = bench.available("game24", *_FILES.values())
    judge = Judge(load_records(csv, source=ReadOptions(form="24game")))
    number = bench.count(quick=10, paper=100)
    found = {
        method: read_answers(logs[name], judge, number)
        for method, name in _FILES.items()
        if name in logs
    }
    counted = ", ".join(f"{name} {len(each)}" for name, each in found.items())
    return StudyResult(
        conditions=f"Puzzles of the 24 game from rank 901 on: {counted}; to each, 100 published "
        "answers of GPT-4, or 5 of Tree of Thoughts. No model is called.",
        comparisons=(),
        tables=(
            NamedTable("Accuracy on the 24 game in the form of Table 1", _answer_table(found)),
            NamedTable("Our verdicts beside the published ones", _agreement(found)),
            *(
                NamedTable("Calls of Tree of Thoughts for a puzzle", _calls(_read(file)[:number]))
                for file in [logs.get(_FILES["ToT"])]
                if file is not None
            ),
        ),
        notes=_NOTES,
    )


def _answer_table(found: dict[str, list[Judged]]) -> TextTable:
    rows = list[tuple[str, ...]]()
    for model, shares in PUBLISHED.answers.mean.items():
        best = PUBLISHED.answers.accuracy_at_5[model]
        for method, mean, at_5 in zip(_FILES, shares, best, strict=True):
            rows.append((method, f"paper: {model}", f"{mean:g}", f"{at_5:g}", NO_NUMBER))
    thoughts = PUBLISHED.thoughts
    for method, mean, one in zip_longest(_FILES, thoughts.mean, thoughts.one_of_all):
        cells = (NO_NUMBER if mean is None else f"{mean:g}", NO_NUMBER, f"{one:g}")
        rows.append((method, "Yao et al. 2023: GPT-4", *cells))
        if method in found:
            rows.append((method, "GPT-4's answers, scored here", *_cells(found[method])))
    headings = ("method", "model", "mean (%)", "accuracy@5 (%)", "one of all (%)")
    return TextTable(headings, tuple(rows), names=2)


def _cells(puzzles: Sequence[Judged]) -> list[str]:
    means = [Fraction(sum(puzzle.correct), len(puzzle.correct)) for puzzle in puzzles]
    at_5 = [pass_at(puzzle.correct, _DRAWN) or Fraction(0) for puzzle in puzzles]
    return [_percent(each) for each in (means, at_5, [any(puzzle.correct) for puzzle in puzzles])]


def _percent(values: Sequence[Fraction | int]) -> str:
    found = estimate(values)
    if found is None:
        return NO_NUMBER
    return f"{rounded(100 * found.value)} ({percent_range(found.interval)})"


def _agreement(found: dict[str, list[Judged]]) -> TextTable:
    rows = []
    for method, judged in found.items():
        pairs = [pair for each in judged for pair in zip(each.correct, each.published, strict=True)]
        counts = (pairs.count(each) for each in ((True, True), (True, False), (False, True)))
        rows.append((method, str(len(pairs)), *map(str, counts)))
    headings = ("method", "answers", "both correct", "only ours", "only the published")
    return TextTable(headings, tuple(rows), names=1)


def _calls(items: Sequence[dict[str, Any]]) -> TextTable:
    """Count the calls of a log: a proposal for each state, a value for each new prompt.

    The program of Yao et al. asks once for the value of the same numbers, or of the same answer to
    a puzzle, over all puzzles.
    """
    proposals, valued = [], list[int]()
    known = set[str]()
    for item in items:
        proposals.append(sum(len(step["ys"]) for step in item["steps"]))
        before = len(known)
        for step in item["steps"]:
            for last in (text.strip().split("\n")[-1] for text in step["new_ys"]):
                left = last.partition("left: ")[2]
                known.add(left.partition(")")[0] if left else f"{step['x']}: {last}")
        valued.append(len(known) - before)
    rows = tuple(
        (name, rounded(fmean(each)), str(min(each)), str(max(each)))
        for name, each in (("proposals", proposals), ("values, 3 answers each", valued))
    )
    return TextTable(("calls", "mean", "least", "most"), rows, names=1)


STUDIES: Final = (
    Study(
        "countdown-24game", "The 24 game: all puzzles exactly, a hundred by ENHSP and DFS", _game
    ),
    Study(
        "countdown-24game-logs",
        "The 24 game: GPT-4's published answers, scored as in Table 1",
        _logs,
    ),
)
