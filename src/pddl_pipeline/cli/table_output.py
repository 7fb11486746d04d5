"""Prints tables on standard output."""

from __future__ import annotations

import sys
from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from pddl_pipeline.tables.text_table import TextTable

_PIPE_WIDTH: Final = 160


def output_console() -> Console:
    """Return a console on standard output; it prints plain text unless that is a terminal."""
    # A pipe has no width, and a truncated table would be useless there.
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return Console(width=width, highlight=False, markup=False)


def rich_table(text: TextTable) -> Table:
    """Return a table for `Console.print`."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for index, heading in enumerate(text.headings):
        # On a narrow terminal, wrap only headings of several words.
        justify: Literal["left", "right"] = "left" if index < text.names else "right"
        table.add_column(heading, justify=justify, no_wrap=" " not in heading)
    for index, row in enumerate(text.rows):
        marked = bool(text.marked) and text.marked[index]
        table.add_row(*row, style="yellow" if marked else None)
    return table
