"""Gripper: rooms with balls, and robots whose grippers hold balls."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.pages.pictures.boxes import drawn_by
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.pictures.profile import Profile, Rule

PICTURES: Final = (
    Picture(
        "grippers",
        "Balls lie in rooms. A robot moves between rooms; each of its grippers holds one ball.",
        drawn_by(
            Profile(
                {"at-robby": 2, "at": 2, "free": 2, "carry": 3},
                (
                    Rule("at-robby", "{1}", "{2}", "robot"),
                    Rule("free", "{1} {2}", "{1}", "gripper"),
                    Rule("carry", "{1} {3}", "{1}", "gripper"),
                    Rule("carry", "{2}", "{1} {3}", "ball"),
                    Rule("at", "{1}", "{2}", "ball"),
                ),
                {"robot": "robot", "ball": "ball", "room": "place"},
            ),
            Profile(
                {"at-robby": 1, "at": 2, "free": 1, "carry": 2},
                (
                    Rule("at-robby", "robby", "{1}", "robot"),
                    Rule("free", "{1}", "robby", "gripper"),
                    Rule("carry", "{2}", "robby", "gripper"),
                    Rule("carry", "{1}", "{2}", "ball"),
                    Rule("at", "{1}", "{2}", "ball"),
                ),
                {"ball": "ball", "room": "place", "gripper": "gripper"},
            ),
        ),
    ),
)
