"""Countdown instances by the three methods that Katz et al. compare (section 5).

The witness of every instance is the combination of numbers that led to its target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from random import Random
from typing import Annotated, Final

from msgspec import Meta

from pddl_pipeline.countdown.compiling import has_numba
from pddl_pipeline.countdown.frequencies import Frequencies, frequencies
from pddl_pipeline.countdown.left_to_right import chain
from pddl_pipeline.countdown.walks import Move, walk, witness
from pddl_pipeline.countdown.whole_number_reach import Reach
from pddl_pipeline.generators.generator import Draft, Generator
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.limits import parse_range
from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.translators.domains.countdown import Countdown

_ANY: Final = "any"
_LARGEST_SIZE: Final = 1000
# From left to right, one try in a thousand succeeds at size 50.
_TRIES: Final = 100_000
# One number equals the target once in a hundred draws; several numbers reach it far more often.
_DRAWS: Final = 2000


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """Options of Algorithm 1."""

    numbers: range = field(
        default=range(1, 100),
        metadata={"help": "Numbers are drawn from this range."},
    )
    walks: Annotated[int, Meta(ge=1, le=10_000_000)] = field(
        default=100_000, metadata={"help": "Number of random walks for each instance."}
    )
    targets: str = field(
        default=_ANY,
        metadata={"help": "Range of the targets."},
    )

    def __post_init__(self) -> None:
        _check_numbers(self.numbers)
        _wanted(self.targets)


@dataclass(frozen=True, slots=True)
class ChainSettings:
    """Options of Reasoning Gym's method."""

    numbers: range = field(
        default=range(1, 101), metadata={"help": "Numbers are drawn from this range."}
    )
    targets: str = field(default="100-999", metadata={"help": "Range of the targets."})

    def __post_init__(self) -> None:
        _check_numbers(self.numbers)
        _wanted(self.targets)


@dataclass(frozen=True, slots=True)
class ReachSettings:
    """Options of Stream of Search's method."""

    numbers: range = field(
        default=range(1, 100), metadata={"help": "Numbers are drawn from this range."}
    )
    targets: str = field(default="10-100", metadata={"help": "Range of the targets."})

    def __post_init__(self) -> None:
        _check_numbers(self.numbers)
        if self.targets == _ANY:
            raise InputError("targets=any: sos draws targets, expected a range such as 10-100")
        _wanted(self.targets)


def _by_walks(settings: WalkSettings, size: int, seed: int) -> tuple[Draft, ...]:
    """Return an instance by Algorithm 1 (appendix C): the least frequent end of random walks."""
    _check_size(size)
    random = Random(seed)
    numbers = [random.choice(settings.numbers) for _ in range(size)]
    found = frequencies(numbers, settings.walks, seed)
    rarest = least_frequent(found, _wanted(settings.targets), random)
    if rarest is None:
        return ()
    # The moves of a hundred thousand walks are not stored: this one is walked again.
    moves, target = walk(numbers, seed, found.walks[rarest])
    return (_draft(numbers, int(target), moves),)


def least_frequent(found: Frequencies, wanted: range, random: Random) -> int | None:
    """Return the position of a least frequent whole number in `wanted`.

    All such numbers are equally likely. Return None if no number in `wanted` is an end value.
    """
    frequency = found.counts.__getitem__
    for _, positions in groupby(sorted(range(len(found.counts)), key=frequency), frequency):
        level = list(positions)
        while level:  # in random order, no further than necessary
            chosen = random.randrange(len(level))
            level[chosen], level[-1] = level[-1], level[chosen]
            position = level.pop()
            if (whole := found.whole(position)) is not None and whole in wanted:
                return position
    return None


def _left_to_right(settings: ChainSettings, size: int, seed: int) -> tuple[Draft, ...]:
    """Draw numbers and operations until the result is in the range of the targets."""
    _check_size(size)
    wanted = _wanted(settings.targets)
    random = Random(seed)
    for _ in range(_TRIES):
        made = chain([random.choice(settings.numbers) for _ in range(size)], random)
        if made.value in wanted:
            return (_draft(made.numbers, made.value, made.moves),)
    raise InputError(f"size {size}: {_TRIES} tries have no result in {settings.targets}")


def _by_reach(settings: ReachSettings, size: int, seed: int) -> tuple[Draft, ...]:
    """Draw a target, then draw numbers until they reach it."""
    _check_size(size)
    random = Random(seed)
    target = random.choice(_wanted(settings.targets))
    for _ in range(_DRAWS):
        numbers = [random.choice(settings.numbers) for _ in range(size)]
        moves = Reach(numbers).moves(target)
        if moves is not None:
            return (_draft(numbers, target, moves),)
    raise InputError(f"size {size}: {_DRAWS} draws of numbers do not reach {target}")


def _draft(numbers: Sequence[int], target: int, moves: Sequence[Move]) -> Draft:
    return Draft(Countdown(tuple(numbers), target), extras={"witness": witness(moves)})


def _wanted(targets: str) -> range:
    """Return the range of targets, limited to the numbers that records accept.

    Raises:
        InputError: the text is neither a range nor ``any``.
    """
    if targets == _ANY:
        return range(10**MAX_DIGITS)
    try:
        return parse_range(targets)
    except InputError as error:
        raise InputError(f"targets: {error.message}") from None


def _check_numbers(numbers: range) -> None:
    if not numbers or numbers[0] < 0 or numbers[-1] < 0:
        raise InputError(f"numbers={numbers}: expected a range of numbers from 0 on")


def _check_size(size: int) -> None:
    if not 1 <= size <= _LARGEST_SIZE:
        raise InputError(f"size {size}: countdown requires 1 to {_LARGEST_SIZE} numbers")


GENERATORS: Final = (
    Generator(
        domain="countdown",
        method="cd",
        about="Katz et al., Algorithm 1: the least frequent whole number at the end of many random"
        " walks",
        settings=WalkSettings,
        sizes=range(4, 11),
        make=_by_walks,
        prefix="cd",
        # A seed takes up to a third of a second.
        patience=300,
        faster=lambda: "" if has_numba() else f"{install_command('countdown')}, or --method rg",
    ),
    Generator(
        domain="countdown",
        method="rg",
        about="Reasoning Gym: random operations from left to right, until the result is in a range",
        settings=ChainSettings,
        sizes=range(4, 11),
        make=_left_to_right,
        prefix="rg",
    ),
    Generator(
        domain="countdown",
        method="sos",
        about="Stream of Search: a random target, and numbers from which a search reaches it, using"
        " whole numbers only",
        settings=ReachSettings,
        sizes=range(4, 10),
        make=_by_reach,
        prefix="sos",
    ),
)
