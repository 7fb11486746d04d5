"""AutoToS, section 5: its published conversations, replayed through this project's loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.papers.autotos.checks.unit_tests import UnitTests, read_unit_tests
from pddl_pipeline.papers.autotos.log_files import (
    FOLDERS,
    MOST_STATES,
    log_name,
    published_data,
    published_logs,
    without_data,
)
from pddl_pipeline.papers.autotos.loop.checker import Checker
from pddl_pipeline.papers.autotos.loop.loop import MAX_CALLS, End
from pddl_pipeline.papers.autotos.loop.opening import OPENINGS
from pddl_pipeline.papers.autotos.loop.published_log import PublishedLog
from pddl_pipeline.papers.autotos.loop.replaying import Replayed, published_end, replay
from pddl_pipeline.papers.autotos.loop.summary import Tried, error_table
from pddl_pipeline.papers.autotos.published import PUBLISHED
from pddl_pipeline.papers.autotos.variation import VARIATIONS
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.search.black_boxes.domain import domains
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

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
        return log_name(self.model, self.domain, self.log)

    @property
    def same_calls(self) -> bool:
        published = Counter(call.function for call in self.log.calls)
        return all(published[name] == count for name, count in self.replayed.calls.items())


def _run(bench: Workbench) -> StudyResult:
    data = published_data(bench)
    if data is None:
        return without_data("replay")
    number = bench.count(quick=1, paper=5)
    tests = {
        name: read_unit_tests(folder, domains()[name]) for name, folder in data.domains.items()
    }
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
    checkers = {name: Checker(domains()[name], each, bounds) for name, each in tests.items()}
    for domain, model, log in published_logs(logs, number):
        found = replay(log, OPENINGS[domain], checkers[domain], MAX_CALLS)
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
        _count("logs with the published number of calls of each function", calls, number, remark),
        _count("logs in which every failure has the published category", equal, number, remark),
        _count(
            "logs that agree, or whose difference a condition of the authors' code explains",
            equal + len(explained), number, "",
        ),
        _table1(list(_cells(cases)), is_complete=number == PUBLISHED.calls.logs),
    )  # fmt: skip


def _table1(cells: Sequence[tuple[str, str, str, str]], *, is_complete: bool) -> Comparison:
    same = sum(paper == ours for _, _, paper, ours in cells)
    return Comparison(
        what="cells of Table 1 for these domains: mean number of calls",
        paper=(Quantity(len(cells), of=len(cells)),),
        ours=(Quantity(same, of=len(cells)),),
        decision=decide(Fact(same == len(cells), len(cells)) if is_complete else None),
        remark="" if is_complete else "a part of the logs has other means",
    )


def _count(what: str, count: int, of: int, remark: str) -> Comparison:
    return Comparison(
        what=what,
        paper=(Quantity(of, of=of),),
        ours=(Quantity(count, of=of),),
        decision=decide(Fact(count == of, of) if of else None),
        remark=remark if count < of else "",
    )


def _cells(cases: Sequence[_Case]) -> Iterator[tuple[str, str, str, str]]:
    """Yield model, domain, the paper's mean number of calls, and that of the replays."""
    for domain, means in PUBLISHED.calls.by_domain().items():
        for model, mean in zip(PUBLISHED.calls.models, means, strict=True):
            counts = [
                sum(case.replayed.calls.values())
                for case in cases
                if (case.model, case.domain) == (model, domain)
            ]
            ours = rounded(Fraction(sum(counts), len(counts)), 1) if counts else NO_NUMBER
            yield model, domain, rounded(mean, 1), ours


def _call_table(cases: Sequence[_Case]) -> TextTable:
    names = dict(zip(PUBLISHED.calls.models, PUBLISHED.calls.names, strict=True))
    rows: dict[str, list[str]] = {}
    for model, _, paper, ours in _cells(cases):
        rows.setdefault(names[model], []).extend((paper, ours))
    headings = tuple(f"{domain}: {side}" for domain in FOLDERS for side in ("paper", "replay"))
    return TextTable(
        ("model", *headings), tuple((name, *cells) for name, cells in rows.items()), names=1
    )


def _errors(cases: Sequence[_Case]) -> TextTable:
    """Return the feedback in the logs beside that of the loop; a last failure gets none."""
    sides: dict[str, list[Tried]] = {"logs": [], "replay": []}
    for case in cases:
        published = [call.category for call in case.log.calls if call.category is not None]
        ours = case.replayed.failures
        given = ours[:-1] if case.replayed.end is not End.ACCEPTED else ours
        sides["logs"].append(Tried({}, tuple(published), accepted=True))
        sides["replay"].append(Tried({}, given, accepted=True))
    return error_table(sides)


def _difference_table(cases: Sequence[_Case]) -> TextTable:
    headings = ("log", "call", "published", "replay", "explained by")
    rows = tuple(
        (case.name, str(each.call), each.published, each.ours, case.explanation)
        for case in cases
        for each in case.replayed.differences
    )
    return TextTable(headings, rows, names=len(headings))


STUDIES: Final = (
    Study("autotos-replay", "its published conversations with models, through our loop", _run),
)
