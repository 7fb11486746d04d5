"""Prints a report on standard output."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from pddl_pipeline.experiment.report import Report
from pddl_pipeline.experiment.report_table import HEADINGS, cells

_LISTED = 10


def print_report(report: Report) -> None:
    """Print what needs a look, the most urgent first, then the main table."""
    # A pipe has no width of its own; a table that is cut there would be of no use.
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    for title, results in report.sections[:-1]:
        if results:
            console.print(f"{title}: {len(results)}")
            for result in results[:_LISTED]:
                why = f"cost {result.cost}" if result.within_budget is False else result.reason
                console.print(f"  {result.id} ({result.planner}): {why}", markup=False)
            if len(results) > _LISTED:
                console.print(f"  and {len(results) - _LISTED} more")
    table = Table()
    for index, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="left" if index < 2 else "right")
    for row in report.rows:
        style = "yellow" if row.claimed > row.validated else None
        table.add_row(*cells(row), style=style)
    console.print(table)
