"""The numbers that AutoToS publishes."""

from __future__ import annotations

from typing import Final

import msgspec

from pddl_pipeline.studies.published import Margins, Sourced, published


class Blocksworld(Sourced, frozen=True):
    """The blocksworld instances."""

    instances_by_blocks: dict[int, int]
    """The number of instances by the number of blocks."""
    solved: int
    """The number of instances that are solved optimally."""


class Sokoban(Sourced, frozen=True):
    """The Sokoban instances."""

    instances: int
    solved: int


class Game24(Sourced, frozen=True):
    """The puzzles of the 24 game."""

    puzzles: int
    unit_tests: int
    """The number of puzzles, from the first, that are used as unit tests."""
    solved: int
    """The number of the other puzzles that are solved."""
    called_unsolvable: list[list[int]]
    """The puzzles that the files call unsolvable."""


class Search(Sourced, frozen=True):
    """The conditions of a search."""

    time_limit_s: float


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``published.toml``."""

    blocksworld: Blocksworld
    sokoban: Sokoban
    game24: Game24
    search: Search
    margins: Margins


PUBLISHED: Final = published(__package__, Published)
MARGINS: Final = PUBLISHED.margins
OWN_FUNCTIONS: Final = "the functions are this project's; the paper's are of language models"
"""Why no study compares the paper's accuracies."""
