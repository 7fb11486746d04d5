"""The console on standard output, for tables and for lines that a terminal may wrap."""

from __future__ import annotations

import sys
from typing import Final

from rich.console import Console

_PIPE_WIDTH: Final = 160


def output_console() -> Console:
    """Return a console on standard output; it prints plain text unless that is a terminal."""
    # A pipe has no width, and a truncated table would be useless there.
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return Console(width=width, highlight=False, markup=False)
