"""Prints a report on standard output."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from pddl_pipeline.experiment.reporting.report import Report
from pddl_pipeline.experiment.reporting.table import (
    TextTable,
    count_table,
    outcome_table,
    score_table,
    size_table,
)
from pddl_pipeline.model.result import RunResult

_LISTED: Final = 5
_PIPE_WIDTH: Final = 160
_BOUNDLESS: Final = 10_000


def print_report(report: Report, *, by_size: bool = False) -> None:
    """Print what needs a look, the most urgent first, then the tables."""
    # A pipe has no width of its own; a table that is cut there would be of no use.
    console = Console(
        width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False, markup=False
    )
    for title, results in (*report.urgent, *report.further):
        if results:
            console.print(f"{title}: {len(results)}{_kinds(results)}")
            for result in results[:_LISTED]:
                line = f"  {result.id} ({result.planner}): {report.why(result)}"
                console.print(line, markup=False, soft_wrap=True)
            if len(results) > _LISTED:
                console.print(f"  and {len(results) - _LISTED} more")
    _print_coverage(console, report)
    outcomes = outcome_table(report)
    if len(outcomes.headings) > 2:  # else all ended alike, and no count tells anything
        console.print(_table(outcomes))
    if by_size:
        console.print(_table(size_table(report, common=False)))


def _print_coverage(console: Console, report: Report) -> None:
    """Print the main table; in two parts where it is wider than the terminal."""
    table = _table(score_table(report, counts=True))
    boundless = console.options.update(max_width=_BOUNDLESS)
    if console.measure(table, options=boundless).maximum <= console.width:
        console.print(table)
    else:
        console.print(_table(count_table(report)))
        console.print(_table(score_table(report)))


def _kinds(results: Iterable[RunResult]) -> str:
    """Return how many runs without a plan ended in which way, in parentheses."""
    counts = Counter(str(result.outcome) for result in results if not result.claimed)
    kinds = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    return f" ({kinds})" if kinds else ""


def _table(text: TextTable) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for index, heading in enumerate(text.headings):
        # Only headings of several words may be broken where the terminal is narrow.
        justify: Literal["left", "right"] = "left" if index < text.names else "right"
        table.add_column(heading, justify=justify, no_wrap=" " not in heading)
    for index, row in enumerate(text.rows):
        marked = bool(text.marked) and text.marked[index]
        table.add_row(*row, style="yellow" if marked else None)
    return table
