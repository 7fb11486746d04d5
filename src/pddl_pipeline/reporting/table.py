"""The tables of a report as text cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import Row
from pddl_pipeline.tables.text_table import TextTable, rounded

_Columns = dict[str, Callable[[Row], str]]

_DONE: Final[_Columns] = {
    "instances": lambda row: str(row.instances),
    "claimed solved": lambda row: str(row.claimed),
    "validated": lambda row: str(row.validated),
    "mean cost": lambda row: rounded(row.mean_cost),
    "mean time (s)": lambda row: rounded(row.mean_time_s),
}
_SCORES: Final[_Columns] = {
    "coverage (%)": lambda row: rounded(row.coverage, 1),
    "PAR-2 (s)": lambda row: rounded(row.par2_s),
    "IPC sat": lambda row: rounded(row.ipc_sat),
    "IPC agile": lambda row: rounded(row.ipc_agile),
}
_COMMON: Final[_Columns] = {
    "common": lambda row: str(row.common),
    "mean cost (common)": lambda row: rounded(row.common_mean_cost),
    "mean time (common, s)": lambda row: rounded(row.common_mean_time_s),
}
_NAMES: Final[_Columns] = {
    "domain": lambda row: row.domain,
    "planner": lambda row: row.planner,
}
_SIZE_NAMES: Final[_Columns] = {
    "domain": lambda row: row.domain,
    "size": lambda row: str(row.size),
    "planner": lambda row: row.planner,
}


def coverage_table(report: Report) -> TextTable:
    """Return the main table, by domain and planner."""
    return _by_planner(report, {**_DONE, **_SCORES, **_COMMON})


def count_table(report: Report) -> TextTable:
    """Return the columns of the main table with the counts, and the mean cost and time."""
    return _by_planner(report, _DONE)


def score_table(report: Report, *, counts: bool = False) -> TextTable:
    """Return the columns of the main table with the scores, after the counts if `counts`."""
    return _by_planner(report, {**_DONE, **_SCORES} if counts else _SCORES)


def size_table(report: Report, *, common: bool = True) -> TextTable:
    """Return the table by domain, size and planner; with `common`, add the comparable means."""
    columns = {**_SIZE_NAMES, **_DONE, **(_COMMON if common else {})}
    return _table(columns, report.sizes, len(_SIZE_NAMES))


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


def _by_planner(report: Report, columns: _Columns) -> TextTable:
    return _table({**_NAMES, **columns}, (*report.rows, *report.totals), len(_NAMES))


def _table(columns: _Columns, rows: Iterable[Row], names: int) -> TextTable:
    kept = tuple(rows)
    return TextTable(
        headings=tuple(columns),
        rows=tuple(tuple(text(row) for text in columns.values()) for row in kept),
        names=names,
        marked=tuple(row.claimed > row.validated for row in kept),
    )
