"""The Countdown paper's numbers, its datasets, and exact replays of claimed plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise
from pathlib import Path
from random import Random
from statistics import median_low
from typing import Any, Final, NamedTuple

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.generators.countdown import ChainSettings, ReachSettings, WalkSettings
from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.data import published
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import task_of

Bounds = tuple[int, int]
"""The first and the last of consecutive whole numbers."""


PUBLISHED: Final = published(__package__)
MARGINS: Final = PUBLISHED.margins


def inclusive(bounds: Bounds) -> range:
    """Return the numbers from the first to the last."""
    first, last = bounds
    return range(first, last + 1)


# Floats end at 1e308 and 5e-324; exact values on the way of a plan may lie beyond.
_WIDE: Final = Context(prec=3, Emax=10**9, Emin=-(10**9))


class Replay(NamedTuple):
    """The result of a plan that was replayed as far as its steps are applicable."""

    last: Number | None
    """The number that is left at the end; None if several are."""
    zeros: int
    """The number of steps before the last operation that make a 0."""

    def miss(self, target: int) -> Number | None:
        """Return the distance of the last number from the target; None without a last number."""
        return None if self.last is None else normal(abs(Fraction(self.last) - target))


def replay(instance: Instance[Any], run: RunResult) -> Replay:
    """Replay the plan of a run, in any encoding, on its instance.

    Raises:
        PlanSyntaxError: the plan is not a plan of countdown.
    """
    texts = translate(instance)
    states: list[State] = []
    # The states up to the step that fails remain.
    with suppress(StepFails):
        states.extend(task_of(texts).trace("\n".join(run.plan or ())))
    boards = [
        [state.values["value", fact[1]] for fact in state.facts if fact[0] == "active"]
        for state in states
    ]
    left = boards[-1]
    # Not after the last operation, whose 0 would be the result.
    zeros = sum(
        after.count(0) > before.count(0) for before, after in pairwise(boards) if len(after) > 1
    )
    return Replay(left[0] if len(left) == 1 else None, zeros)


def magnitude(value: Number) -> str:
    """Return a number of any magnitude with three significant digits, such as ``2.80e-20``."""
    exact = Fraction(value)
    return f"{_WIDE.divide(Decimal(exact.numerator), Decimal(exact.denominator)):.2e}"


METHODS: Final = {"CD": "cd", "RG": "rg", "SoS": "sos"}
"""The names of the paper's datasets, and the methods that generate them."""
CARD_TO_999: Final = "data/paper-cd-to-999.toml"
CARDS: Final = (
    CARD_TO_999,
    *(f"data/paper-{name}.toml" for name in ("cd", "cd-rg-targets", "rg", "sos")),
)
"""The cards of the generated datasets, with up to 100 instances of a size."""
GAME_OF_24: Final = "24 game"
TARGETS_TO_999: Final = "1-999"
_EVALUATED: Final = inclusive(PUBLISHED.game24.evaluated)
_DOUBLE: Final = 2**53
"""Beyond this number, doubles do not represent every whole number."""
_TARGET: Final = 24
_CARDS: Final = range(1, 14)
_SEED: Final = 24

Instances = list[Instance[Countdown]]


def numbers_text(settings: WalkSettings | ChainSettings | ReachSettings) -> str:
    """Return the range of the numbers of a generator in words."""
    return f"numbers from {settings.numbers[0]} to {settings.numbers[-1]}"


NUMBERS: Final = numbers_text(WalkSettings())
"""`NUMBERS` and `WALKS`: the settings of Algorithm 1 in words."""
WALKS: Final = f"{WalkSettings().walks:,} walks"


class Puzzles(NamedTuple):
    """The 24 game."""

    every: Instances
    evaluated: Instances
    """The hundred puzzles that the paper evaluates, or as many random ones."""
    source: str
    """The source of the puzzles, in a clause."""


def instances_of(
    bench: Workbench, dataset: str, sizes: Sequence[int], number: int, targets: str | None = None
) -> Instances:
    """Return instances of one of the paper's datasets, the same in each call.

    Args:
        bench: the workbench that generates them.
        dataset: a key of `METHODS`.
        sizes: the numbers of numbers per instance.
        number: the number of instances of each size.
        targets: the range of targets, such as ``1-999``; None for the method's default.
    """
    settings: dict[str, Any] = {} if targets is None else {"targets": targets}
    return list(
        bench.generated("countdown", sizes, number, method=METHODS[dataset], settings=settings)
    )


def target_table(datasets: Mapping[str, Instances]) -> TextTable:
    """Return the table of the magnitudes of targets by dataset and size."""
    rows = []
    for name, instances in datasets.items():
        for size in dict.fromkeys(instance.size for instance in instances):
            targets = sorted(
                instance.record.target for instance in instances if instance.size == size
            )
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
    drawn = Random(_SEED).sample(every, len(_EVALUATED))
    source = (
        "every solvable multiset of four numbers from 1 to 13, since the public file was not given;"
        f" {len(_EVALUATED)} are drawn for evaluation"
    )
    return Puzzles(every, drawn, source)


def _public(file: Path) -> Puzzles:
    every = list(load_records(file))
    ranks = {f"24game-{rank}" for rank in _EVALUATED}
    evaluated = [instance for instance in every if instance.id in ranks]
    first, last = PUBLISHED.game24.evaluated
    source = f"24.csv of Tree of Thoughts; ranks {first} to {last} are evaluated"
    return Puzzles(every, evaluated, source)


@cache
def solvable_hands() -> tuple[Instance[Countdown], ...]:
    """Return every multiset of four cards, 1 to 13, that can be combined to 24."""
    hands = combinations_with_replacement(_CARDS, 4)
    return tuple(_hand(list(hand)) for hand in hands if count_solutions(hand, _TARGET))


def _hand(numbers: list[int]) -> Instance[Countdown]:
    name = "24game-" + "-".join(map(str, numbers))
    return from_record({"id": name, "domain": "countdown", "numbers": numbers, "target": _TARGET})
