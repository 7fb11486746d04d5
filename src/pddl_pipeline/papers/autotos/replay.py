"""AutoToS's published conversations, replayed through this project's loop.

A log whose replay differs is replayed under each condition of the authors' runs that differs from
this project's checks. The one under which the difference is gone explains it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from statistics import fmean, mean
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.autotos.checks import UnitTests, read_unit_tests
from pddl_pipeline.papers.autotos.conversations import Checks
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.evaluation import Result, Tried, error_table, evaluate
from pddl_pipeline.papers.autotos.loop import MAX_CALLS, OPENINGS, Checker, CheckOutcome, End
from pddl_pipeline.papers.autotos.published_log import (
    LogScore,
    PublishedLog,
    Replayed,
    published_end,
    read_log,
    replay,
)
from pddl_pipeline.papers.autotos.search import MARGINS, PUBLISHED, SMALLEST
from pddl_pipeline.papers.autotos.subject import RULES_24, PuzzleInstance, trial_of
from pddl_pipeline.papers.comparison import (
    Comparison,
    Fact,
    Quantity,
    checked,
    decide,
    ordered,
    share,
    within_limit,
)
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench, spread
from pddl_pipeline.planners.functions.guarded import SUCC, Category, CodeFails, Failure, function_in
from pddl_pipeline.planners.functions.process import CodeSource, Functions
from pddl_pipeline.search.black_boxes.domain import fault_of
from pddl_pipeline.search.space import Bounds, State
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


def published_logs(
    folder: Path, number: int, test: str = "with"
) -> Iterator[tuple[str, str, PublishedLog]]:
    """Yield logs, each after its domain and model.

    Args:
        folder: the folder of the logs.
        number: the maximum number of logs of each model and domain.
        test: "with" or "without" the partial soundness test.
    """
    for domain, place in FOLDERS.items():
        for model in PUBLISHED.calls.models:
            for file in sorted((folder / place / f"{model}{_KINDS[test]}").glob("*.txt"))[:number]:
                yield domain, model, read_log(file)


_PATIENT_S: Final = 10.0
_INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class _Extracting:
    """Checks of functions that are loaded as the authors' code loads them."""

    checker: Checker

    def check(self, reply: str, function: str, others: Mapping[str, CodeSource]) -> CheckOutcome:
        """Check a reply; see `Checker.check`."""
        return self.checker.check(_as_extracted(reply), function, others)


def _as_extracted(reply: str) -> str:
    """Return a reply whose first function is loaded as in the authors' code.

    They keep the first function of a fenced block, move the lines before it into it, and drop what
    follows its body. The code is executed inside a function, where it does not see its own name.
    """
    for block in reply.rstrip("`\n ").split("```")[1::2]:
        lines = re.sub(r"\A[Pp]ython\s*", "", block).split("\n")
        # Only functions at the left margin: those inside another function belong to it.
        starts = [number for number, line in enumerate(lines) if line.startswith("def ")]
        if not starts:
            continue
        start = starts[0]
        body = []
        for line in lines[start + 1 :]:
            # A line at the left margin ends the body; what follows is dropped.
            if line[:1].isalpha():
                break
            body.append(line)
        found = re.match(r"def\s+(\w+)", lines[start])
        if found is None:
            continue
        inside = [f"{_INDENT}{line}" for line in lines[:start]]
        code = "\n".join([lines[start], *inside, *body])
        name = found[1]
        return (
            f"```python\nspace = {{}}\ndone = exec({code!r}, {{}}, space)\n"
            f"def {name}(*arguments):\n{_INDENT}return space[{name!r}](*arguments)\n```\n"
        )
    return reply


def _sorting(checker: Checker) -> Checks:
    own = checker.domain.key

    def key(state: State) -> Hashable:
        try:
            for part in state.values() if isinstance(state, dict) else ():
                if isinstance(part, list):
                    sorted(part)
        except TypeError as error:
            told = fault_of("succ-exception", trace=error)
            failure = Failure(Category.SUCC_EXCEPTION, SUCC, str(error), told)
            raise CodeFails(failure) from error
        return own(state)

    return replace(checker, domain=replace(checker.domain, key=key))


VARIATIONS: Final[Mapping[str, Callable[[Checker], Checks]]] = {
    "goal state not checked: outside the 24 game, the authors' code does not check that a search "
    "ended in a goal state (step 3 of the paper)": (
        lambda checker: replace(checker, domain=replace(checker.domain, isgoal=lambda *_: True))
    ),
    "extraction: the authors' code keeps one function, which does not see its own name": (
        _Extracting
    ),
    "comparison: the authors' code sorts the lists of states to compare them, and blames an "
    "exception there, such as on None beside names, on the successor function": _sorting,
    f"time limit: a call may take {_PATIENT_S:g} s instead of 1 s": (
        lambda checker: replace(checker, call_s=_PATIENT_S)
    ),
}
"""The conditions by their description."""


_UNEXPLAINED: Final = "unexplained"


class _Case(NamedTuple):
    """A log with its replay."""

    model: str
    domain: str
    log: PublishedLog
    replayed: Replayed
    explanation: str
    """Why the two differ; empty if they do not."""

    @property
    def name(self) -> str:
        """A short name of the log: model, domain, date and time."""
        return f"{self.model}, {self.domain}, {Path(self.log.file).stem[-15:]}"

    @property
    def same_calls(self) -> bool:
        published = Counter(call.function for call in self.log.calls)
        return all(published[name] == count for name, count in self.replayed.calls.items())


def _replay(bench: Workbench) -> StudyResult:
    data = published_data(bench)
    number = bench.count(quick=1, paper=5)
    tests = {name: read_unit_tests(folder, DOMAINS[name]) for name, folder in data.domains.items()}
    cases = list(_cases(data.logs, tests, number))
    return StudyResult(
        conditions=f"{len(cases)} published logs of 5 models with the partial soundness test: up "
        f"to {number} of each model and domain. The loop gets the logged replies; the unit tests "
        f"are AutoToS's. Limits: {PUBLISHED.search.time_limit_s:g} s a search, 1 s a call. No "
        "model is called.",
        comparisons=_comparisons(cases),
        tables=(
            NamedTable("Mean number of calls, in the form of Table 1", _call_table(cases)),
            NamedTable("Failures by category, in the form of Figure 5", _errors(cases)),
            NamedTable("Replays that differ", _difference_table(cases)),
        ),
    )


def _cases(logs: Path, tests: Mapping[str, UnitTests], number: int) -> Iterator[_Case]:
    bounds = Bounds(MOST_STATES, PUBLISHED.search.time_limit_s)
    checkers = {name: Checker(DOMAINS[name], each, bounds) for name, each in tests.items()}
    for domain, model, log in published_logs(logs, number):
        found = replay(log, OPENINGS[domain], checkers[domain], MAX_CALLS)
        # Each condition takes another replay, so only those that differ get them.
        why = _explained(log, domain, checkers[domain]) if found.differences else ""
        yield _Case(model, domain, log, found, why)


def _explained(log: PublishedLog, domain: str, checker: Checker) -> str:
    """Return the condition under which the replay of a log does not differ."""
    for description, changed in VARIATIONS.items():
        found = replay(log, OPENINGS[domain], changed(checker), MAX_CALLS)
        if not found.differences:
            return description
    return _UNEXPLAINED


def _comparisons(cases: Sequence[_Case]) -> tuple[Comparison, ...]:
    ends = sum(case.replayed.end == published_end(case.log) for case in cases)
    calls = sum(case.same_calls for case in cases)
    equal = sum(not case.replayed.differences for case in cases)
    explained = [case for case in cases if case.explanation not in {"", _UNEXPLAINED}]
    number = len(cases)
    remark = f"{len(explained)} of the {number - equal} others are explained"
    return (
        _count("logs with the published end", ends, number, remark),
        checked(_count("logs whose replay does not end early; it cannot end late",
                       calls, number, remark)),
        _count("logs in which every failure has the published category", equal, number, remark),
        _count(
            "logs that agree, or whose difference a condition of the authors' code explains",
            equal + len(explained), number, "", is_fit=True,
        ),
        _table1(list(_cells(cases)), is_complete=number == PUBLISHED.calls.logs),
    )  # fmt: skip


def _table1(cells: Sequence[tuple[str, str, str, str]], *, is_complete: bool) -> Comparison:
    """Compare Table 1 with the logs; replays, which cannot have more calls, do not show it."""
    same = sum(paper == ours for _, _, paper, ours in cells)
    return Comparison(
        what="cells of Table 1 for these domains: mean number of calls in the logs",
        paper=(Quantity(len(cells), of=len(cells)),),
        ours=(Quantity(same, of=len(cells)),),
        decision=decide(Fact(same == len(cells), len(cells)) if is_complete else None),
        remark="" if is_complete else "a part of the logs has other means",
    )


def _count(what: str, count: int, of: int, remark: str, *, is_fit: bool = False) -> Comparison:
    return Comparison(
        what=what,
        paper=(Quantity(of, of=of),),
        ours=(Quantity(count, of=of),),
        decision=decide(Fact(count == of, of) if of else None),
        remark=remark if count < of else "",
        is_fit=is_fit,
    )


def _cells(cases: Sequence[_Case]) -> Iterator[tuple[str, str, str, str]]:
    """Yield model, domain, the paper's mean number of calls, and that of the logs."""
    for domain, means in ((name, PUBLISHED.calls[name]) for name in FOLDERS):
        for model, calls in zip(PUBLISHED.calls.models, means, strict=True):
            counts = [
                len(case.log.calls)
                for case in cases
                if (case.model, case.domain) == (model, domain)
            ]
            ours = rounded(Fraction(sum(counts), len(counts)), 1) if counts else NO_NUMBER
            yield model, domain, rounded(calls, 1), ours


def _call_table(cases: Sequence[_Case]) -> TextTable:
    names = dict(zip(PUBLISHED.calls.models, PUBLISHED.calls.names, strict=True))
    rows: dict[str, list[str]] = {}
    for model, _, paper, ours in _cells(cases):
        rows.setdefault(names[model], []).extend((paper, ours))
    headings = tuple(f"{domain}: {side}" for domain in FOLDERS for side in ("paper", "logs"))
    return TextTable(
        ("model", *headings), tuple((name, *cells) for name, cells in rows.items()), names=1
    )


def _errors(cases: Sequence[_Case]) -> TextTable:
    """Return the feedback in the logs beside that of the loop; a last failure gets none."""
    sides: dict[str, list[Tried]] = {"logs": [], "replay": []}
    for case in cases:
        published = [call.category for call in case.log.calls if call.category is not None]
        ours = case.replayed.failures
        # The last failure of a run that was given up is told to no model.
        given = ours[:-1] if case.replayed.end is not End.ACCEPTED else ours
        sides["logs"].append(Tried({}, tuple(published), accepted=True))
        sides["replay"].append(Tried({}, given, accepted=True))
    return error_table(sides)


def _difference_table(cases: Sequence[_Case]) -> TextTable:
    headings = ("log", "call", "published", "replay", "explained by")
    rows = tuple(
        (case.name, str(difference.call), difference.published, difference.ours, case.explanation)
        for case in cases
        for difference in case.replayed.differences
    )
    return TextTable(headings, rows, names=len(headings))


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


def _accuracies(bench: Workbench) -> StudyResult:
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
    found = [
        _Accuracy(
            domain,
            model,
            test,
            log.score,
            *_solved(log, domain, instances[domain], bounds, known),
            len(instances[domain]),
        )
        for test in _KINDS
        for domain, model, log in published_logs(data.logs, bench.count(quick=1, paper=5), test)
    ]
    sizes = ", ".join(f"{len(each)} of {name}" for name, each in instances.items())
    return StudyResult(
        conditions=f"The functions of {len(found)} published logs, with and without the partial "
        f"soundness test, at the points of Figure 3, on instances: {sizes}. Breadth-first search; "
        f"a plan must be valid and have the fewest steps. Limits: {bounds.seconds:g} s and "
        f"{bounds.states:,} states a search. No model is called.",
        comparisons=tuple(_stages(found, bounds)),
        tables=(
            NamedTable("Accuracy by point (%), of the logs that reach it", _stage_table(found)),
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
    Study("autotos-replay", "its published conversations with models, through our loop", _replay),
    Study(
        "autotos-replay-accuracy",
        "the accuracy of the functions in those conversations, by point",
        _accuracies,
    ),
)
