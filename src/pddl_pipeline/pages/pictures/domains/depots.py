"""Depots: places with hoists, pallets with stacks of crates, and trucks."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.pages.pictures.boxes import drawn_by
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.pictures.profile import Profile, Rule

PICTURES: Final = (
    Picture(
        "depots",
        "At each place, hoists (above) lift crates from stacks on pallets and into trucks (below). "
        "Trucks drive between the places.",
        drawn_by(
            Profile(
                {"at": 2, "on": 2, "in": 2, "lifting": 2, "available": 1, "clear": 1},
                (
                    Rule("lifting", "{2}", "{1}", "block"),
                    Rule("in", "{1}", "{2}", "block"),
                    Rule("on", "{1}", "{2}", "block", on=True),
                    Rule("at", "{1}", "{2}", "block"),
                ),
                {
                    "hoist": "hoist",
                    "pallet": "pallet",
                    "truck": "truck",
                    "crate": "block",
                    "place": "place",
                },
                ("truck",),
            )
        ),
    ),
)
