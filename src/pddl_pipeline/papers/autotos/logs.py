"""AutoToS's published conversations: their calls, failures, and the accuracy of their functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from statistics import fmean, mean
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.evaluation import Result, Tried, error_table, evaluate
from pddl_pipeline.papers.autotos.published_log import LogScore, PublishedLog, read_log
from pddl_pipeline.papers.autotos.search import MARGINS, PUBLISHED, SMALLEST
from pddl_pipeline.papers.autotos.subject import RULES_24, PuzzleInstance, trial_of
from pddl_pipeline.papers.comparison import (
    Comparison,
    Fact,
    Quantity,
    decide,
    ordered,
    share,
    within_limit,
)
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench, spread
from pddl_pipeline.planners.foreign_code.guarded import CodeFails, function_in
from pddl_pipeline.planners.foreign_code.process import CodeSource, Functions
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.statistics.differences import paired_difference
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.datasets import ReadOptions, load_records

_LOGS: Final = "clean_logs"
"""The folder of the logs, in the folder ``autotos`` of the data."""
FOLDERS: Final = {"24game": "24game", "blocksworld": "blocks", "sokoban": "sokoban"}
"""The folders of the logs by domain; the others are of crosswords and PrOntoQA."""
MOST_STATES: Final = 1_000_000
"""The maximum number of states that a search stores."""
_KINDS: Final = {"with": "-val_logs", "without": "-noval_logs"}
"""The ends of the names of folders, with and without the partial soundness test."""


class PublishedData(NamedTuple):
    """What AutoToS published, as the folder ``autotos`` of ``--data`` has it."""

    logs: Path
    domains: dict[str, Path]
    """The folder of unit tests and instances of each domain."""


def published_data(bench: Workbench) -> PublishedData:
    """Return the published files.

    Raises:
        MissingData: one of the folders is missing.
    """
    logs, *found = bench.required("autotos", _LOGS, *FOLDERS)
    return PublishedData(logs, dict(zip(FOLDERS, found, strict=True)))


_Log = tuple[str, str, PublishedLog]
"""A log, after its domain and model."""


def published_logs(folder: Path, number: int, test: str) -> Iterator[_Log]:
    """Yield logs.

    Args:
        folder: the folder of the logs.
        number: the maximum number of logs of each model and domain.
        test: "with" or "without" the partial soundness test.
    """
    for domain, place in FOLDERS.items():
        for model in PUBLISHED.calls.models:
            for file in sorted((folder / place / f"{model}{_KINDS[test]}").glob("*.txt"))[:number]:
                yield domain, model, read_log(file)


def _table1(logs: Sequence[_Log], *, is_complete: bool) -> Comparison:
    """Compare Table 1 with the logs."""
    cells = list(_cells(logs))
    same = sum(paper == ours for _, _, paper, ours in cells)
    return Comparison(
        what="cells of Table 1 for these domains: mean number of calls in the logs",
        paper=(Quantity(len(cells), of=len(cells)),),
        ours=(Quantity(same, of=len(cells)),),
        decision=decide(Fact(same == len(cells), len(cells)) if is_complete else None),
        remark="" if is_complete else "a part of the logs has other means",
    )


def _cells(logs: Sequence[_Log]) -> Iterator[tuple[str, str, str, str]]:
    """Yield model, domain, the paper's mean number of calls, and that of the logs."""
    for domain, means in ((name, PUBLISHED.calls[name]) for name in FOLDERS):
        for model, calls in zip(PUBLISHED.calls.models, means, strict=True):
            counts = [len(log.calls) for *names, log in logs if names == [domain, model]]
            ours = rounded(Fraction(sum(counts), len(counts)), 1) if counts else NO_NUMBER
            yield model, domain, rounded(calls, 1), ours


def _call_table(logs: Sequence[_Log]) -> TextTable:
    names = dict(zip(PUBLISHED.calls.models, PUBLISHED.calls.names, strict=True))
    rows: dict[str, list[str]] = {}
    for model, _, paper, ours in _cells(logs):
        rows.setdefault(names[model], []).extend((paper, ours))
    headings = tuple(f"{domain}: {side}" for domain in FOLDERS for side in ("paper", "logs"))
    return TextTable(
        ("model", *headings), tuple((name, *cells) for name, cells in rows.items()), names=1
    )


def _errors(logs: Sequence[_Log]) -> TextTable:
    """Return the feedback in the logs by category."""
    told = [
        Tried({}, tuple(call.category for call in log.calls if call.category), accepted=True)
        for _, _, log in logs
    ]
    return error_table({"logs": told})


_FILES: Final = {
    "24game": "model_test.csv",
    "blocksworld": "blocks_instances",
    "sokoban": "test_instances",
}
_FIRST, _SOUND, _FINAL = _POINTS = "first replies", "soundness tests passed", "all tests passed"
"""The points of a conversation at which the paper's Figure 3 has the accuracy."""


class _Accuracy(NamedTuple):
    """The solved instances of a log's functions."""

    domain: str
    model: str
    test: str
    """Whether the run was with or without the partial soundness test."""
    published: LogScore | None
    """The authors' count for the final functions, on all instances."""
    solved: Mapping[str, int]
    """By point: instances with a valid plan of the fewest steps, among those that were tried."""
    cut: Mapping[str, int]
    """By point: searches that reached a limit."""
    tried: int

    @property
    def agrees(self) -> bool | None:
        """Whether it is the published accuracy; None if the sample cannot say."""
        if self.published is None:
            return None
        solved, failed, _ = self.published
        # A share strictly between none and all cannot be checked on a sample.
        if solved and failed and self.tried < solved + failed:
            return None
        return self.solved[_FINAL] * (solved + failed) == solved * self.tried


def _run(bench: Workbench) -> StudyResult:
    data = published_data(bench)
    numbers = bench.pick(
        # A function of a model takes minutes for most instances of Sokoban.
        quick={"24game": 25, "blocksworld": 25, "sokoban": 2},
        paper={"24game": 1352, "blocksworld": 502, "sokoban": 11},
    )
    # Right functions need fewer than 8,000 states for the instances of the scale quick.
    bounds = Bounds(
        bench.pick(quick=10_000, paper=MOST_STATES),
        bench.limits(quick_s=60, paper_s=PUBLISHED.search.time_limit_s).time_s,
    )
    instances = {
        name: [trial_of(each, DOMAINS[name]) for each in _sample(name, folder, numbers[name])]
        for name, folder in data.domains.items()
    }
    known = dict[str, tuple[int, int]]()
    logs = {
        test: list(published_logs(data.logs, bench.count(quick=1, paper=5), test))
        for test in _KINDS
    }
    found = [
        _Accuracy(
            domain,
            model,
            test,
            log.score,
            *_solved(log, domain, instances[domain], bounds, known),
            len(instances[domain]),
        )
        for test, own in logs.items()
        for domain, model, log in own
    ]
    tested = logs["with"]
    sizes = ", ".join(f"{len(each)} of {name}" for name, each in instances.items())
    return StudyResult(
        conditions=f"The functions of {len(found)} published logs, with and without the partial "
        f"soundness test, at the points of Figure 3, on instances: {sizes}. Breadth-first search; "
        f"a plan must be valid and have the fewest steps. Limits: {bounds.seconds:g} s and "
        f"{bounds.states:,} states a search. No model is called.",
        comparisons=(
            _table1(tested, is_complete=len(tested) == PUBLISHED.calls.logs),
            *_stages(found, bounds),
        ),
        tables=(
            NamedTable("Accuracy by point (%), of the logs that reach it", _stage_table(found)),
            NamedTable("Mean number of calls, in the form of Table 1", _call_table(tested)),
            NamedTable("Failures by category, in the form of Figure 5", _errors(tested)),
        ),
    )


def _stages(found: Sequence[_Accuracy], bounds: Bounds) -> Iterator[Comparison]:
    yield _same(found)
    with_test, without = (
        [each for each in found if each.test == test] for test in ("with", "without")
    )
    ended = [each for each in with_test if _FINAL in each.solved]
    scores = [each.published for each in ended if each.published]
    yield Comparison(
        what="logs with the soundness test whose final functions solve all, by the authors' count",
        said="nearly 100 % accuracy",
        ours=(share(sum(not score.failed for score in scores), len(scores)),),
        remark="'nearly' is no number",
    )
    for point in (_SOUND, _FINAL):
        what = f"{point}, with and without the soundness test"
        yield _more(what, bounds, (with_test, point), (without, point))
    for point in (_FIRST, _SOUND):
        yield _more(f"{_FINAL} and {point}", bounds, (ended, _FINAL), (ended, point))


def _accuracy_by_pair(runs: Iterable[_Accuracy], point: str) -> Mapping[tuple[str, ...], Fraction]:
    """Return the mean accuracy at a point by domain and model, over the logs that reach it."""
    reached = [run for run in runs if point in run.solved]
    return {
        pair: mean(Fraction(each.solved[point], each.tried) for each in reached if each[:2] == pair)
        for pair in {each[:2] for each in reached}
    }


def _more(what: str, bounds: Bounds, *sides: tuple[Sequence[_Accuracy], str]) -> Comparison:
    """Compare by the sign test over pairs of domain and model: repetitions are not independent.

    The published logs have no further pairs.

    Args:
        what: the two sides.
        bounds: the limits of the searches.
        sides: the logs and the point of each side.
    """
    one, other = (_accuracy_by_pair(*side) for side in sides)
    both = one.keys() & other.keys()
    higher, lower = (
        sum(first[pair] > second[pair] for pair in both)
        for first, second in ((one, other), (other, one))
    )
    found = paired_difference(higher, lower, len(both)) if both else None
    # The published logs are all that there are: no larger sample would decide.
    fixed = found and replace(found, test="sign test", fixed=math.inf)
    compared = Comparison(
        what=f"mean accuracy by domain and model, {what}",
        said="higher for the first",
        ours=(share(higher, len(both), "higher"), share(lower, len(both), "lower")),
        decision=decide(ordered(fixed, 1, MARGINS.share)),
        remark="of the logs that reach the points",
    )
    cut = sum(run.cut.get(point, 0) for runs, point in sides for run in runs)
    also = f" or {bounds.states:,} states"
    return within_limit(compared, cut, bounds.seconds, PUBLISHED.search.time_limit_s, also)


def _same(found: Sequence[_Accuracy]) -> Comparison:
    decided = [each.agrees for each in found if each.agrees is not None]
    return Comparison(
        what="logs whose final functions have the published accuracy",
        paper=(Quantity(len(decided), of=len(decided)),),
        ours=(Quantity(sum(decided), of=len(decided)),),
        decision=decide(Fact(all(decided), len(decided)) if decided else None),
        remark="of a sample, all or none must be solved, as published; other shares need all "
        "instances",
    )


def _sample(name: str, folder: Path, number: int) -> Sequence[Instance[Any]]:
    rules = RULES_24 if name == "24game" else None
    instances = list(load_records(str(folder / _FILES[name]), source=ReadOptions(rules=rules)))
    # Large instances take a model's functions too long.
    if name == "sokoban" and number <= len(SMALLEST):
        smallest = SMALLEST[:number]
        return [instance for instance in instances if instance.id in smallest]
    return spread(instances, number)


def _solved(
    log: PublishedLog,
    domain: str,
    instances: Sequence[PuzzleInstance],
    bounds: Bounds,
    known: dict[str, tuple[int, int]],
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the numbers of solved instances and of searches that reached a limit, by point.

    Args:
        log: the log.
        domain: its domain.
        instances: the instances.
        bounds: the limits of each search.
        known: the numbers of functions that were evaluated, to which new ones are added.
    """
    solved, cut = dict[str, int](), dict[str, int]()
    for point, sources in _points(log).items():
        # Several points may have the same functions, whose searches take minutes.
        key = f"{domain}: {sources}"
        if key not in known:
            with Functions(sources) as functions:
                results = [
                    evaluate(trial, functions, DOMAINS[domain], bounds) for trial in instances
                ]
            known[key] = (
                sum(result.result is Result.SOLVED for result in results),
                sum(result.reached_limit for result in results),
            )
        solved[point], cut[point] = known[key]
    return solved, cut


def _points(log: PublishedLog) -> dict[str, tuple[CodeSource, ...]]:
    """Return the functions at each point that a log reaches."""
    sources = dict[str, CodeSource]()
    found = dict[str, tuple[CodeSource, ...]]()
    for call in log.calls:
        with suppress(CodeFails):
            sources[call.function] = function_in(call.reply, call.function)
        # Both functions are there; a later reply replaces one of them.
        if len(sources) == 2:
            found.setdefault(_FIRST, tuple(sources.values()))
        if call.is_sound:
            found.setdefault(_SOUND, tuple(sources.values()))
    if log.accepted:
        found[_FINAL] = tuple(sources.values())
    return found


def _stage_table(found: Sequence[_Accuracy]) -> TextTable:
    rows = []
    for name in (*FOLDERS, *PUBLISHED.calls.models):
        for test in _KINDS:
            shares = [
                [
                    100 * each.solved[point] / each.tried
                    for each in found
                    if name in each[:2] and each.test == test and point in each.solved
                ]
                for point in _POINTS
            ]
            cells = [
                (str(len(each)), rounded(fmean(each), 1) if each else NO_NUMBER) for each in shares
            ]
            rows.append((name, test, *chain.from_iterable(cells)))
    return TextTable(
        ("logs of", "soundness test", *(f"{p}: {each}" for p in _POINTS for each in ("logs", "%"))),
        tuple(rows),
        names=2,
    )


STUDIES: Final = (
    Study(
        "autotos-logs",
        "its published conversations: calls, failures, and the accuracy of the functions",
        _run,
    ),
)
