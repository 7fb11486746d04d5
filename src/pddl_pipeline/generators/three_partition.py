"""Countdown instances by the reduction from 3-partition (Katz et al., section 4.2, Theorem 1).

3-partition asks whether n = 3m numbers x of the sum mT can be split into triples of the sum T. The
proof of Theorem 1 makes a Countdown instance of them: with B = n + 1 and U = mT + 1, the numbers
are B^(x + U), and the target is m B^(T + 3U). A partition is a plan: the product of each triple is
B^(T + 3U), and the sum of the m products is the target.

The converse, which the proof states too, fails because of division. Six numbers f, f, a, b, c, d
with f + a + b + c - d = T always have the plan (B^(f + U) + B^(f + U)) B^(a + U) B^(b + U)
B^(c + U) / B^(d + U), but 1, 1, 1, 1, 2, 4 have no partition. Distinct numbers can have such plans,
too, also without division, and they hold for every B and U. So an instance counts as unsolvable
only if `solve_exact` proves that Countdown itself has no plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Annotated, Final, Literal

from msgspec import Meta

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.countdown.walks import Move, witness
from pddl_pipeline.generators.generator import Draft, Generator
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.field_checks import FieldFault

_LARGEST: Final = 1000
_PROVED: Final = 6
"""The largest size that is proved to have no plan: a proof for nine numbers takes too long."""


@dataclass(frozen=True, slots=True)
class PartitionSettings:
    """Options of the reduction."""

    total: Annotated[int, Meta(ge=3, le=_LARGEST)] = field(
        default=20, metadata={"help": "Sum of each triple (T)."}
    )
    solvable: Literal["yes", "no"] = field(
        default="yes",
        metadata={"help": f"yes; no for instances proved to have no plan, of size {_PROVED}."},
    )


def reduction(parts: Sequence[int]) -> Countdown:
    """Return the Countdown instance of the numbers of a 3-partition problem.

    Raises:
        InputError: the target has more digits than records accept.
    """
    triples = len(parts) // 3
    base, shift = len(parts) + 1, sum(parts) + 1
    target = triples * base ** (sum(parts) // triples + 3 * shift)
    try:
        return Countdown(tuple(base ** (part + shift) for part in parts), target)
    except FieldFault as fault:
        raise InputError(f"size {len(parts)}: {fault}") from None


def _make(settings: PartitionSettings, size: int, seed: int) -> tuple[Draft, ...]:
    """Draw the triples in random order, or else numbers until there is no plan."""
    if size % 3 or not 3 <= size <= _LARGEST:
        raise InputError(f"size {size}: 3-partition requires a multiple of 3, 3 to {_LARGEST}")
    random = Random(seed)
    if settings.solvable == "yes":
        places = random.sample(range(size), size)
        triples = [places[at : at + 3] for at in range(0, size, 3)]
        drawn = [part for _ in triples for part in _parts(settings.total, 3, random)]
        by_place = dict(zip(places, drawn, strict=True))
        moves = [Move("*", first, other) for first, *rest in triples for other in rest]
        moves += [Move("+", places[0], first) for first, *_ in triples[1:]]
        task = reduction([by_place[place] for place in range(size)])
        return (Draft(task, extras={"witness": witness(moves)}),)
    if size > _PROVED:
        raise InputError(f"size {size}: solvable=no is proved up to size {_PROVED}")
    parts = _parts(size // 3 * settings.total, size, random)
    # The problem's numbers are below T: any other would be in no triple.
    if max(parts) >= settings.total:
        return ()
    task = reduction(parts)
    proved = solve_exact(task.numbers, task.target).proof
    return (Draft(task, extras={"solvable": False}),) if proved else ()


def _parts(total: int, count: int, random: Random) -> list[int]:
    """Return positive numbers with a sum; all such lists are equally likely."""
    cuts = sorted(random.sample(range(1, total), count - 1))
    return [after - before for before, after in pairwise([0, *cuts, total])]


GENERATORS: Final = (
    Generator(
        domain="countdown",
        method="3-partition",
        about="Katz et al., Theorem 1: the reduction from 3-partition, with very large numbers",
        settings=PartitionSettings,
        sizes=range(6, 13, 3),
        make=_make,
        prefix="3p",
    ),
)
