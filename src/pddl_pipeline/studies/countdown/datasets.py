"""The datasets of the Countdown paper: three that are generated, and the 24 game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from statistics import median_low
from typing import Any, Final, NamedTuple

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.studies.countdown.replay import magnitude
from pddl_pipeline.studies.workbench import Workbench
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.records import from_record

METHODS: Final = {"CD": "cd", "RG": "rg", "SoS": "sos"}
"""The names of the paper's datasets, and the methods that generate them."""
ANY: Final = "any"
"""The targets of Algorithm 1, without a range."""
GAME_OF_24: Final = "24 game"
PUZZLES: Final = 1362
"""The number of puzzles on the site from which the 24 game's dataset was taken."""
EVALUATED: Final = range(901, 1001)
"""The ranks of the puzzles that Yao et al. and the paper evaluate."""
_DOUBLE: Final = 2**53
"""Beyond this number, doubles do not represent every whole number."""
_TARGET: Final = 24
_CARDS: Final = range(1, 14)
_SEED: Final = 24

Tasks = list[Instance[Countdown]]


class Puzzles(NamedTuple):
    """The 24 game."""

    every: Tasks
    evaluated: Tasks
    """The hundred puzzles that the paper evaluates, or as many random ones."""
    source: str
    """The source of the puzzles, in a clause."""


def made(
    bench: Workbench, dataset: str, size: int, number: int, targets: str | None = None
) -> Tasks:
    """Return instances of one of the paper's datasets, the same in each call.

    Args:
        bench: the workbench that generates them.
        dataset: a key of `METHODS`.
        size: the number of numbers per instance.
        number: the number of instances.
        targets: the range of targets, such as ``1-999``; None for the method's default.
    """
    settings: dict[str, Any] = {} if targets is None else {"targets": targets}
    return list(
        bench.generated("countdown", [size], number, method=METHODS[dataset], settings=settings)
    )


def target_table(datasets: Mapping[str, Tasks]) -> TextTable:
    """Return the table of the magnitudes of targets by dataset and size."""
    rows = []
    for name, tasks in datasets.items():
        for size in dict.fromkeys(task.size for task in tasks):
            targets = sorted(task.record.target for task in tasks if task.size == size)
            shown = (magnitude(value) for value in (targets[0], median_low(targets), targets[-1]))
            large = sum(target > _DOUBLE for target in targets)
            rows.append((name, str(size), str(len(targets)), *shown, str(large)))
    headings = ("dataset", "size", "instances", "least", "lower median", "largest", "above 2^53")
    return TextTable(headings, tuple(rows), names=2)


def puzzles(bench: Workbench) -> Puzzles:
    """Return the 24 game from the public data, or else every solvable hand of four cards.

    Raises:
        InputError: the file cannot be read.
    """
    file = bench.dataset("game24", "24.csv")
    if file is not None:
        return _public(file)
    every = list(solvable_hands())
    drawn = Random(_SEED).sample(every, len(EVALUATED))  # noqa: S311 -- no secret
    source = (
        "every solvable multiset of four numbers from 1 to 13, since the public file was not given;"
        f" {len(EVALUATED)} are drawn for evaluation"
    )
    return Puzzles(every, drawn, source)


def _public(file: Path) -> Puzzles:
    every = list(load_records(file))
    ranks = {f"24game-{rank}" for rank in EVALUATED}
    evaluated = [instance for instance in every if instance.id in ranks]
    source = f"24.csv of Tree of Thoughts; evaluated are ranks {EVALUATED[0]} to {EVALUATED[-1]}"
    return Puzzles(every, evaluated, source)


@cache
def solvable_hands() -> tuple[Instance[Countdown], ...]:
    """Return every multiset of four cards, 1 to 13, that can be combined to 24."""
    hands = combinations_with_replacement(_CARDS, 4)
    return tuple(_hand(list(hand)) for hand in hands if count_solutions(hand, _TARGET))


def _hand(numbers: list[int]) -> Instance[Countdown]:
    name = "24game-" + "-".join(map(str, numbers))
    return from_record({"id": name, "domain": "countdown", "numbers": numbers, "target": _TARGET})
