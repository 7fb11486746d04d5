"""The console for tables and for lines that a terminal may wrap."""

from __future__ import annotations

import sys
from typing import Final

import click
from rich.console import Console

from pddl_pipeline.cli.parameters import is_output_taken

_PIPE_WIDTH: Final = 160


def output_console() -> Console:
    """Return a console on standard output; it prints plain text unless that is a terminal.

    If standard output is a file that the command writes, the console is on standard error.
    """
    taken = is_output_taken()
    # A pipe has no width, and a truncated table would be useless there.
    width = None if (sys.stderr if taken else sys.stdout).isatty() else _PIPE_WIDTH
    return Console(stderr=taken, width=width, highlight=False, markup=False)


def print_beside(message: str) -> None:
    """Print a line about the results, beside them."""
    click.echo(message, err=is_output_taken())
