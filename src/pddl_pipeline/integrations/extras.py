"""Errors for missing packages that an extra installs."""

from __future__ import annotations

from pddl_pipeline.model.extras import install_command


def missing(error: ImportError, extra: str) -> ImportError:
    """Return the error for a missing package, with the command that installs its extra."""
    return ImportError(f"{error}; fix: {install_command(extra)}", name=error.name)
