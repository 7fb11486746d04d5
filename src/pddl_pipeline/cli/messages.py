"""Lines on standard error that no option silences.

Notes, which ``-q`` silences, are in `progress`. This module is imported by `validate` without
options, which does not import click.
"""

from __future__ import annotations

import sys


def warn(message: object) -> None:
    """Print a warning."""
    print(f"warning: {message}", file=sys.stderr)


def report_skipped(reason: object) -> None:
    """Print why a row of the data or the answers is left out."""
    print(f"skipped: {reason}", file=sys.stderr)
