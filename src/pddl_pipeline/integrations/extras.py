"""Says which extra brings what is missing."""

from __future__ import annotations


def missing(error: ImportError, extra: str) -> ImportError:
    """Return the error for a package that only an extra brings."""
    return ImportError(f'{error}; mend: pip install "pddl-pipeline[{extra}]"', name=error.name)
