"""The groups of entry points by which other distributions add to the papers' systems."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.model.discovery import PluginGroup

GROUPS: Final = {
    "pddl_pipeline.rewards": PluginGroup(
        "REWARDS",
        ("pddl_pipeline.papers.rewards:Reward",),
        "pddl_pipeline.papers.rewards:rewards",
    ),
    "pddl_pipeline.studies": PluginGroup(
        "STUDIES", ("pddl_pipeline.papers.study:Study",), "pddl_pipeline.papers.study:studies"
    ),
}
