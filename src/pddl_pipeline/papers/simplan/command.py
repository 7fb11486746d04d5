"""The line of ``pddl-pipeline simplan`` in the list of commands."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.cli.group import Listed

COMMANDS: Final = (
    Listed(
        "Papers",
        "simplan",
        "Write SimPlan's training pairs, or train its ranker.",
        "pddl_pipeline.papers.simplan.ranker_command",
    ),
)
