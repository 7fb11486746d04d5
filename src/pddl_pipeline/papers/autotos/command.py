"""The line of ``pddl-pipeline autotos`` in the list of commands."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.cli.group import Listed

COMMANDS: Final = (
    Listed(
        "Papers",
        "autotos",
        "Let a model write the code of a search, or check such code.",
        "pddl_pipeline.papers.autotos.experiment",
    ),
)
