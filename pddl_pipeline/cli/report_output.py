"""Prints a report on standard output."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from pddl_pipeline.experiment.report import Report
from pddl_pipeline.experiment.report_table import HEADINGS, cells, why
from pddl_pipeline.model.result import RunResult

_LISTED: Final = 5
_PIPE_WIDTH: Final = 120


def print_report(report: Report) -> None:
    """Print what needs a look, the most urgent first, then the main table."""
    # A pipe has no width of its own; a table that is cut there would be of no use.
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    for title, results in (*report.urgent, *report.further):
        if results:
            console.print(f"{title}: {len(results)}{_kinds(results)}")
            for result in results[:_LISTED]:
                line = f"  {result.id} ({result.planner}): {why(result)}"
                console.print(line, markup=False, soft_wrap=True)
            if len(results) > _LISTED:
                console.print(f"  and {len(results) - _LISTED} more")
    console.print(_table(report))


def _kinds(results: Iterable[RunResult]) -> str:
    """Return how many runs without a plan ended in which way, in parentheses."""
    counts = Counter(str(result.outcome) for result in results if not result.claimed)
    kinds = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    return f" ({kinds})" if kinds else ""


def _table(report: Report) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for index, heading in enumerate(HEADINGS):
        # Only headings of several words may be broken where the terminal is narrow.
        justify: Literal["left", "right"] = "left" if index < 2 else "right"
        table.add_column(heading, justify=justify, no_wrap=" " not in heading)
    for row in report.rows:
        table.add_row(*cells(row), style="yellow" if row.claimed > row.validated else None)
    return table
