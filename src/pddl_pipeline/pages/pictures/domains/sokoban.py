"""Sokoban: a map with walls and goals, a player and stones."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.pages.pictures.boxes import drawn_by
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.pictures.profile import Profile, Rule

PICTURES: Final = (
    Picture(
        "sokoban",
        "The player walks on the map and pushes stones, one at a time. Cells with a green frame "
        "are goals; dark cells are walls.",
        drawn_by(
            Profile(
                {"clear": 1, "at": 2, "at-goal": 1, "is-goal": 1, "move-dir": 3},
                (Rule("at", "{1}", "{2}", "stone"),),
                {"player": "player", "stone": "stone", "is-goal": "goal", "location": "cell"},
                grid="move-dir",
            )
        ),
        limit=2500,
    ),
)
