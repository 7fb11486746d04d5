"""Blocksworld: stacks of blocks on a table, and a hand."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.pages.pictures.boxes import drawn_by
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.pictures.profile import Profile, Rule


def _blocks(on: str, table: str, clear: str, holding: str, empty: str) -> Profile:
    """Return the profile of a variant with these predicates."""
    return Profile(
        {on: 2, table: 1, clear: 1, holding: 1, empty: 0},
        (
            Rule(holding, "{1}", "the hand", "block"),
            Rule(on, "{1}", "{2}", "block", on=True),
            Rule(table, "{1}", "the table", "block"),
        ),
        {"the hand": "hand", "the table": "table", "object": "block"},
    )


PICTURES: Final = (
    Picture(
        "blocksworld",
        "Blocks stand in stacks on a table. The hand holds at most one block.",
        drawn_by(
            *(
                _blocks("on", table, "clear", "holding", empty)
                for table in ("ontable", "on-table")
                for empty in ("handempty", "arm-empty")
            )
        ),
    ),
    Picture(
        "mystery",
        "Drawn as blocks: an object stands on the one that it craves; those with planet stand on "
        "the table, the one with pain is in the hand, and in harmony the hand is empty.",
        drawn_by(_blocks("craves", "planet", "province", "pain", "harmony")),
    ),
)
