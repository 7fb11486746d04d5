"""The extras of this distribution: optional packages that pip installs."""

from __future__ import annotations


def install_command(extra: str) -> str:
    """Return the command that installs an extra, quoted for every shell."""
    return f'pip install "pddl-pipeline[{extra}]"'
