"""The line of ``pddl-pipeline reproduce`` in the list of commands."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.cli.group import Listed

COMMANDS: Final = (
    Listed(
        "Papers",
        "reproduce",
        "Reproduce figures and tables of the papers.",
        "pddl_pipeline.papers.reproduction",
    ),
)
