"""The numbers that the Countdown paper publishes."""

from __future__ import annotations

from typing import Final

import msgspec

from pddl_pipeline.papers.published import Margins, Sourced, published

Bounds = tuple[int, int]
"""The first and the last of consecutive whole numbers."""


class Datasets(Sourced, frozen=True):
    """The generated datasets, and the count of their solutions."""

    sizes: Bounds
    sizes_of_sos: Bounds
    instances: int
    """The number of instances of each size."""
    largest_counted: int
    """The largest size at which all solutions of an instance could be counted."""
    count_limit_h: int
    """The time limit of a count, in hours."""


class Game24(Sourced, frozen=True):
    """The 24 game."""

    states: int
    """The approximate number of states."""
    states_margin: int
    puzzles: int
    evaluated: Bounds
    """The ranks of the puzzles that Yao et al. and the paper evaluate."""


class Runs(Sourced, frozen=True):
    """The conditions of a run."""

    time_limit_s: int


class Accuracy(Sourced, frozen=True):
    """Accuracy in percent, on 100 instances of each size of the dataset CD and on the 24 game."""

    last_easy: int
    """The largest size before the accuracy drops."""
    easy_again: Bounds
    """The sizes at which ENHSP solves all instances again."""
    enhsp_easy_again: float
    autotos_game24: float


class Transitions(Sourced, frozen=True):
    """The sizes around which the phase transitions happen."""

    easy_to_hard: int
    hard_to_easy: int


class AnswerAccuracy(Sourced, frozen=True):
    """Accuracy of prompting in percent on the 24 game: by input/output, by chain of thought."""

    accuracy_at_5: dict[str, tuple[float, float]]
    """By model."""
    mean: dict[str, tuple[float, float]]


class Thoughts(Sourced, frozen=True):
    """Accuracy of GPT-4 on the 24 game in percent: by input/output, by chain of thought."""

    mean: tuple[float, float]
    best_of_100: tuple[float, float]


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``published.toml``."""

    datasets: Datasets
    game24: Game24
    runs: Runs
    accuracy: Accuracy
    transitions: Transitions
    answers: AnswerAccuracy
    thoughts: Thoughts
    margins: Margins


PUBLISHED: Final = published(__package__, Published)
MARGINS: Final = PUBLISHED.margins


def inclusive(bounds: Bounds) -> range:
    """Return the numbers from the first to the last."""
    first, last = bounds
    return range(first, last + 1)
