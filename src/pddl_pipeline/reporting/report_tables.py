"""All tables of a report, in the order of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pddl_pipeline.reporting.about import about_table, command_table
from pddl_pipeline.reporting.instance_table import RunName, instance_table, linked
from pddl_pipeline.reporting.report import Report, Section
from pddl_pipeline.reporting.table import coverage_table, outcome_table, size_table
from pddl_pipeline.tables.linked_text import Link
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import TextTable

Pages = Mapping[RunName, Sequence[Link]]
"""The links to the pages of runs."""


def report_tables(report: Report) -> list[NamedTable]:
    """Return all tables; those that nothing belongs to have no rows."""
    return [
        about(report),
        *urgent_tables(report),
        *main_tables(report),
        *long_tables(report),
    ]


def about(report: Report) -> NamedTable:
    """Return the table of what the report is about."""
    return NamedTable("About these runs", about_table(report))


def urgent_tables(report: Report, pages: Pages | None = None) -> list[NamedTable]:
    """Return the lists of runs to inspect before relying on the other tables, and false claims."""
    sections = (*report.urgent, report.false_claims)
    return [_listed(report, section, pages) for section in sections]


def main_tables(report: Report) -> list[NamedTable]:
    """Return the tables by planner."""
    return [
        NamedTable("Coverage and scores", coverage_table(report)),
        NamedTable("How the runs ended", outcome_table(report)),
    ]


def long_tables(report: Report, pages: Pages | None = None) -> list[NamedTable]:
    """Return the tables by size and instance, the other lists of runs, and the commands."""
    return [
        NamedTable("By size", size_table(report)),
        NamedTable("By instance and planner", instance_table(report, pages)),
        *(_listed(report, section, pages) for section in report.further),
        NamedTable("Commands that made the runs", command_table(report)),
    ]


def _listed(report: Report, section: Section, pages: Pages | None) -> NamedTable:
    title, results = section
    rows = tuple(
        (
            linked(r.id, (pages or {}).get((r.planner, r.key), ())), r.domain, r.planner,
            str(r.outcome), str(r.status or "-"), report.why(r),
        )
        for r in results
    )  # fmt: skip
    headings = ("instance", "domain", "planner", "outcome", "verdict", "why")
    return NamedTable(f"{title} ({len(rows)})", TextTable(headings, rows, names=len(headings)))
