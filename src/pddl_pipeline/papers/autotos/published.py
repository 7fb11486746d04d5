"""The numbers that AutoToS publishes."""

from __future__ import annotations

from typing import Final

import msgspec

from pddl_pipeline.papers.published import Margins, Sourced, published


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


class Calls(Sourced, frozen=True, rename={"game24": "24game"}):
    """The number of calls of the models."""

    models: list[str]
    """The names of the models in the folders of the logs."""
    names: list[str]
    """The names in the paper."""
    game24: list[float]
    """This and the following: the mean number of calls of each model."""
    blocksworld: list[float]
    sokoban: list[float]
    logs: int
    """The number of logs of these domains with the partial soundness test."""

    def by_domain(self) -> dict[str, list[float]]:
        """Return the mean numbers of calls by the name of the domain."""
        return {
            "24game": self.game24, "blocksworld": self.blocksworld, "sokoban": self.sokoban
        }  # fmt: skip


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``published.toml``."""

    blocksworld: Blocksworld
    sokoban: Sokoban
    game24: Game24
    search: Search
    calls: Calls
    margins: Margins


PUBLISHED: Final = published(__package__, Published)
MARGINS: Final = PUBLISHED.margins
OWN_FUNCTIONS: Final = "the functions are this project's; the paper's are of language models"
"""Why no study compares the paper's accuracies."""
