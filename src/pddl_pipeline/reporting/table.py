"""The tables of a report, as text cells and as lines of JSON with exact numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.number import number_fields
from pddl_pipeline.reporting.about import about_json
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import Part, Row, columns, exact_columns
from pddl_pipeline.reporting.run_comparison import RunComparison
from pddl_pipeline.runs.store import result_to_json
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

_FORMER: Final = {"Claimed plans that fail validation": "Claimed plans that are no plans"}
"""Titles whose former text stays the value in JSON, which scripts compare."""


def coverage_table(report: Report) -> TextTable:
    """Return the main table, by domain and planner."""
    return _by_planner(report, "counts", "coverage", "scores", "common", *_model_part(report))


def count_table(report: Report) -> TextTable:
    """Return the columns of the main table with the counts, and the mean cost and time.

    Like `score_table`, it has a column of missing runs only if a run is missing.
    """
    return _by_planner(report, "counts", *_model_part(report), brief=True)


def score_table(report: Report, *, counts: bool = False) -> TextTable:
    """Return the columns of the main table with the scores, after the counts if `counts`."""
    parts: tuple[Part, ...] = ("coverage", "scores")
    first: tuple[Part, ...] = ("counts", *_model_part(report)) if counts else ()
    return _by_planner(report, *first, *parts, brief=True)


def size_table(report: Report) -> TextTable:
    """Return the table by domain, size and planner."""
    return _table(report.sizes, ("names", "counts", "common"))


def brief_size_table(report: Report) -> TextTable:
    """Return the table by size without the comparable means, for a terminal."""
    return _table(report.sizes, ("names", "counts"), _unused(report))


def outcome_counts(report: Report) -> dict[str, dict[Outcome, int]]:
    """Return the number of runs by planner and outcome, for the outcomes that occur."""
    counts = Counter((result.planner, result.outcome) for result in report.runs)
    occur = [outcome for outcome in Outcome if any(outcome is other for _, other in counts)]
    planners = sorted({planner for planner, _ in counts})
    return {planner: {o: counts[planner, o] for o in occur} for planner in planners}


def outcome_table(report: Report) -> TextTable:
    """Return the table of the number of runs by planner and outcome."""
    counts = outcome_counts(report)
    outcomes = next(iter(counts.values()), {})
    return TextTable(
        headings=("planner", *map(str, outcomes)),
        rows=tuple((planner, *map(str, row.values())) for planner, row in counts.items()),
        names=1,
    )


def report_json(report: Report, compared: Sequence[RunComparison] = ()) -> str:
    """Return one object per line: the rows of each table, then each listed run.

    ``table`` is ``coverage``, ``sizes``, ``outcomes``, or the title of a list. A listed run has all
    stored fields except the plan, which is in the store under ``key``.
    """
    lines = chain(_lines(report), *(each.to_json() for each in compared))
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def _by_planner(report: Report, *parts: Part, brief: bool = False) -> TextTable:
    left_out = {"size", *(_unused(report) if brief else ())}
    return _table((*report.rows, *report.totals), ("names", *parts), left_out)


def _model_part(report: Report) -> tuple[Part, ...]:
    """Return the part with the calls of language models, if there are any."""
    return ("model",) if any(row.calls is not None for row in report.rows) else ()


def _unused(report: Report) -> AbstractSet[str]:
    """Return the columns that tell nothing about this report."""
    return frozenset() if report.missing else {"not_run"}


def _table(
    rows: Sequence[Row], parts: Sequence[Part], left_out: AbstractSet[str] = frozenset()
) -> TextTable:
    chosen = {
        name: column
        for part in parts
        for name, column in columns().items()
        if column.part == part and name not in left_out
    }
    return TextTable(
        headings=tuple(column.heading for column in chosen.values()),
        rows=tuple(
            tuple(_cell(getattr(row, name), column.digits) for name, column in chosen.items())
            for row in rows
        ),
        names=sum(column.part == "names" for column in chosen.values()),
        marked=tuple(row.claimed > row.validated for row in rows),
    )


def _cell(value: Any, digits: int | None) -> str:
    if value is None:
        return NO_NUMBER
    return str(value) if digits is None else rounded(value, digits)


def _lines(report: Report) -> Iterator[dict[str, Any]]:
    exact = exact_columns()
    for row in (*report.rows, *report.totals):
        line = _object(row, exact)
        del line["size"]
        yield {"table": "coverage", **line}
    for row in report.sizes:
        yield {"table": "sizes", **_object(row, exact)}
    for planner, counts in outcome_counts(report).items():
        yield {"table": "outcomes", "planner": planner, **{str(o): n for o, n in counts.items()}}
    for title, results in report.sections:
        for result in results:
            line = result_to_json(result)
            del line["plan"]
            yield {"table": _FORMER.get(title, title), **line, "why": report.why(result)}
    if report.planned:
        yield {"table": "about", **about_json(report)}


def _object(row: Row, exact: AbstractSet[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in columns():
        value = getattr(row, name)
        found |= number_fields(name, value) if name in exact else {name: value}
    return found
