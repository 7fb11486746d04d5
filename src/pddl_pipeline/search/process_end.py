"""How this project's search processes end: with a last line of output and an exit status.

The exit statuses are those of Fast Downward.
"""

from __future__ import annotations

import sys
from typing import Final

FOUND: Final = 0
UNSOLVABLE: Final = 11
GAVE_UP: Final = 12
OUT_OF_MEMORY: Final = 22
INPUT_ERROR: Final = 33
UNSUPPORTED: Final = 34


def end(status: int, line: str) -> int:
    """Print the last line and return the exit status."""
    say(line)
    return status


def say(line: str) -> None:
    """Print a line and flush it, since the process may be ended at any time."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
