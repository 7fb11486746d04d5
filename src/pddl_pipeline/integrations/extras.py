"""Errors for missing packages that an extra installs."""

from __future__ import annotations


def missing(error: ImportError, extra: str) -> ImportError:
    """Return the error for a missing package, with the command that installs its extra."""
    return ImportError(f'{error}; fix: pip install "pddl-pipeline[{extra}]"', name=error.name)
