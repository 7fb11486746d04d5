"""Ferry: shores with cars, and a ferry that carries one of them."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.pages.pictures.boxes import drawn_by
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.pictures.profile import Profile, Rule

PICTURES: Final = (
    Picture(
        "ferry",
        "Cars stand at places. The ferry sails between the places and carries one car.",
        drawn_by(
            Profile(
                {"at-ferry": 1, "at": 2, "empty-ferry": 0, "on": 1},
                (
                    Rule("on", "{1}", "the ferry", "car"),
                    Rule("at", "{1}", "{2}", "car"),
                    Rule("at-ferry", "the ferry", "{1}", "boat"),
                ),
                {"car": "car", "location": "place"},
            )
        ),
    ),
)
