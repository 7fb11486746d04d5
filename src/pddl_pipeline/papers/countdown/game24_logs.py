"""GPT-4's published answers to the 24 game (Yao et al. 2023), in the form of Table 1."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.countdown.published import PUBLISHED
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.metrics import pass_at
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.statistics.intervals import estimate
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range, rounded
from pddl_pipeline.translators.datasets import ReadOptions, load_records

_FILE: Final = "gpt-4_0.7_naive_{}_sample_100_start900_end1000.json.gz"
_METHODS: Final = {"IO": "standard", "CoT": "cot"}
"""The names in the files, by method."""
_FOLDER: Final = "game24"
_DRAWN: Final = 5
"""The number of answers of accuracy@5."""
_NOTES: Final = (
    (
        "accuracy@5 is the probability that one of five answers, drawn from the 100, is correct "
        "(Chen et al. 2021). The unit is the puzzle; intervals are by the bootstrap over puzzles."
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
        items = json.loads(gzip.decompress(file.read_bytes()))
        return [_judged(each, judge) for each in items[:number]]
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", file=str(file)) from error
    except (KeyError, TypeError, IndexError) as error:
        message = f"found no log of Tree of Thoughts ({error!r})"
        raise InputError(
            f"{message}, expected idx, ys, and infos or accs", file=str(file)
        ) from error


def _judged(item: dict[str, Any], judge: Judge) -> Judged:
    name = f"24game-{item['idx'] + 1}"
    if name not in judge.instances:
        raise InputError(f"found answers to puzzle {name}, which is not in the data")
    verdicts = item["accs"] if "accs" in item else [each["r"] for each in item["infos"]]
    pairs = list(zip(item["ys"], map(bool, verdicts), strict=True))
    scores = [judge.score(Answer(name, text)) for text, _ in pairs]
    return Judged(tuple(each.correct for each in scores), tuple(good for _, good in pairs))


def _run(bench: Workbench) -> StudyResult:
    puzzles = bench.dataset(_FOLDER, "24.csv")
    files = {name: bench.dataset(_FOLDER, _FILE.format(part)) for name, part in _METHODS.items()}
    if puzzles is None or None in files.values():
        expected = ", ".join(["24.csv", *(_FILE.format(part) for part in _METHODS.values())])
        return StudyResult(
            conditions=f"Nothing to score: requires {expected} in the folder {_FOLDER} of --data.",
            comparisons=(),
            tables=(),
        )
    judge = Judge(load_records(puzzles, source=ReadOptions(form="24game")))
    number = bench.count(quick=10, paper=100)
    found = {
        name: read_answers(file, judge, number) for name, file in files.items() if file is not None
    }
    counted = ", ".join(f"{name} {len(each)}" for name, each in found.items())
    return StudyResult(
        conditions=f"Puzzles of the 24 game from rank 901 on: {counted}; 100 published answers of "
        "GPT-4 to each. No model is called.",
        comparisons=(),
        tables=(
            NamedTable("Accuracy on the 24 game in the form of Table 1", _table(found)),
            NamedTable("Our verdicts beside the published ones", _agreement(found)),
        ),
        notes=_NOTES,
    )


def _table(found: dict[str, list[Judged]]) -> TextTable:
    rows = list[tuple[str, ...]]()
    for model, shares in PUBLISHED.answers.mean.items():
        best = PUBLISHED.answers.accuracy_at_5[model]
        for method, mean, at_5 in zip(_METHODS, shares, best, strict=True):
            rows.append((method, f"paper: {model}", f"{mean:g}", f"{at_5:g}", NO_NUMBER))
    thoughts = PUBLISHED.thoughts
    for method, mean, best_of in zip(_METHODS, thoughts.mean, thoughts.best_of_100, strict=True):
        cells = (f"{mean:g}", NO_NUMBER, f"{best_of:g}")
        rows.append((method, "Yao et al. 2023: GPT-4", *cells))
        rows.append((method, "GPT-4's answers, scored here", *_cells(found[method])))
    headings = ("method", "model", "mean (%)", "accuracy@5 (%)", "one of all (%)")
    return TextTable(headings, tuple(rows), names=2)


def _cells(puzzles: Sequence[Judged]) -> list[str]:
    means = [Fraction(sum(each.correct), len(each.correct)) for each in puzzles]
    at_5 = [pass_at(each.correct, _DRAWN) or Fraction(0) for each in puzzles]
    return [_percent(each) for each in (means, at_5, [any(each.correct) for each in puzzles])]


def _percent(values: Sequence[Fraction | int]) -> str:
    found = estimate(values)
    if found is None:
        return NO_NUMBER
    return f"{rounded(100 * found.value)} ({percent_range(found.interval)})"


def _agreement(found: dict[str, list[Judged]]) -> TextTable:
    rows = []
    for method, puzzles in found.items():
        pairs = [
            pair for each in puzzles for pair in zip(each.correct, each.published, strict=True)
        ]
        counts = (pairs.count(each) for each in ((True, True), (True, False), (False, True)))
        rows.append((method, str(len(pairs)), *map(str, counts)))
    headings = ("method", "answers", "both correct", "only ours", "only the published")
    return TextTable(headings, tuple(rows), names=1)


STUDIES: Final = (
    Study(
        "countdown-24game-logs",
        "The 24 game: GPT-4's published answers, scored as in Table 1",
        _run,
    ),
)
