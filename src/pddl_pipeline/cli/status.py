"""Exit statuses, and lines on standard error that no option silences. Scripts depend on both.

Notes, which ``-q`` silences, are in `console`. `validate` without options imports this module, and
does not import click.
"""

from __future__ import annotations

import sys
from typing import Final

DONE: Final = 0
"""Done. For `validate`, all plans are valid; for `solve`, a valid plan was found."""
NOT_VALID: Final = 1
"""For `validate`, a plan is invalid; for `solve`, no valid plan was found within the limits."""
BAD_INPUT: Final = 2
"""Bad input or usage, including a plan that cannot be read."""
UNEXPLAINED: Final = 3
"""A crash, or a plan without a verdict."""
INTERRUPTED: Final = 130

VARIABLE: Final = "_PDDL_PIPELINE_COMPLETE"
"""The environment variable by which the shell asks the program for completions."""

WORST_FIRST: Final = (BAD_INPUT, UNEXPLAINED, NOT_VALID, DONE)
"""Order of precedence when several plans have different statuses."""


def warn(message: object) -> None:
    """Print a warning."""
    print(f"warning: {message}", file=sys.stderr)


def report_skipped(reason: object) -> None:
    """Print why a row of the data or the answers is left out."""
    print(f"skipped: {reason}", file=sys.stderr)
