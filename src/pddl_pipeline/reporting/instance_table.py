"""The table by instance and planner: how each run ended, with links to its pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import Entry
from pddl_pipeline.tables.linked_text import Link, LinkedText
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

NOT_RUN: Final = "not run"
RunName = tuple[str, str]
"""The planner of a run, as the report names it, and its key."""


def instance_table(
    report: Report, pages: Mapping[RunName, Sequence[Link]] | None = None
) -> TextTable:
    """Return the table of how each planner ended on each instance.

    Args:
        report: the runs.
        pages: the links to the pages of runs.
    """
    planners = sorted({row.planner for row in report.rows})
    cells: dict[tuple[str, int, str], dict[str, str]] = {}
    entries: list[Entry] = [*report.runs, *report.missing]
    for entry in entries:
        row = cells.setdefault((entry.domain, entry.size, entry.id), {})
        row[entry.planner] = (
            _cell(report, entry, (pages or {}).get((entry.planner, entry.key), ()))
            if isinstance(entry, RunResult)
            else NOT_RUN
        )
    rows = [
        (name, domain, str(size), *(cells[domain, size, name].get(p, NO_NUMBER) for p in planners))
        for domain, size, name in sorted(cells)
    ]
    headings = ("instance", "domain", "size", *planners)
    return TextTable(headings, tuple(rows), names=len(headings))


def ending_text(result: RunResult) -> str:
    """Return how a run ended, in a few words: cost and time if it is solved."""
    if result.solved:
        cost = "" if result.cost is None else f"{number_text(result.cost)} in "
        return f"{cost}{rounded(result.wall_s)} s"
    if result.within_budget is False:
        return "over budget"
    return str(result.outcome if result.status is None else result.status)


def linked(text: str, links: Sequence[Link], note: str = "") -> LinkedText:
    """Return a cell that is the first of these links, with the others behind it."""
    named = (Link(text, links[0].href), *links[1:]) if links else ()
    return LinkedText(text, named, note)


def _cell(report: Report, result: RunResult, links: Sequence[Link]) -> str:
    return linked(ending_text(result), links, report.why(result))
