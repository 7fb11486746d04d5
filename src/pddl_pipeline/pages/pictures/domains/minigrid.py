"""Minigrid: rooms on a map, locked doors, keys of different shapes, and a robot."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.pages.pictures.boxes import drawn_by
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.pictures.profile import Profile, Rule

PICTURES: Final = (
    Picture(
        "minigrid",
        "The robot moves between places that are open. A locked place opens with a key of its "
        "shape, from a neighbouring place; keys and doors of one shape have one colour.",
        drawn_by(
            Profile(
                {"conn": 2, "open": 1, "locked": 1, "key-shape": 2, "lock-shape": 2, "at": 2,
                 "at-robot": 1, "holding": 1, "arm-empty": 0},
                (
                    Rule("holding", "{1}", "the robot holds", "key"),
                    Rule("at", "{1}", "{2}", "key"),
                    Rule("at-robot", "the robot", "{1}", "player"),
                ),
                {"the robot holds": "place", "place": "cell", "key": "key"},
                badges={"locked": "locked"},
                tints=("key-shape", "lock-shape"),
                grid="conn",
            )
        ),
        limit=2500,
    ),
)  # fmt: skip
