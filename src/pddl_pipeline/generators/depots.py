"""Depots instances as in SimPlan: crates in random stacks, with new stacks for most crates as goal.

SimPlan, Appendix D and Table 8: 2 to 5 crates in simple and 11 to 15 in complex instances. The
paper does not state the other numbers. All instances are solvable: every place has a hoist, and a
truck holds any number of crates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal

from pddl_pipeline.generators.generator import (
    METHOD,
    AtLeastOne,
    Draft,
    Generator,
    NotNegative,
    presets,
)
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators.domains.depots import Depots

_SIMPLE: Final = range(2, 6)


@dataclass(frozen=True, slots=True)
class DepotsSettings:
    """The numbers that are the same in all instances."""

    depots: NotNegative = field(default=2, metadata={"help": "Number of depots."})
    distributors: NotNegative = field(default=2, metadata={"help": "Number of distributors."})
    trucks: AtLeastOne = field(default=2, metadata={"help": "Number of trucks."})
    pallets: AtLeastOne = field(
        default=4,
        metadata={"help": "Number of pallets: one at each place, others at random places."},
    )
    hoists: int = field(
        default=4, metadata={"help": "Number of hoists: at least one at each place."}
    )

    def __post_init__(self) -> None:
        places = self.depots + self.distributors
        if places < 1:
            raise InputError("depots=0 and distributors=0: expected at least one place")
        if self.hoists < places:
            raise InputError(f"hoists={self.hoists}: expected one for each of {places} places")


def _make(settings: DepotsSettings, size: int, seed: int) -> tuple[Draft, ...]:
    random = Random(seed)
    places: dict[str, Literal["depot", "distributor"]] = {}
    places |= dict.fromkeys(_names("depot", settings.depots), "depot")
    places |= dict.fromkeys(_names("distributor", settings.distributors), "distributor")
    where = list(places)
    pallets, hoists = _names("pallet", settings.pallets), _names("hoist", settings.hoists)
    trucks, crates = _names("truck", settings.trucks), _names("crate", size)
    at = {
        **_spread(random, pallets, where),
        **{truck: random.choice(where) for truck in trucks},
        **_spread(random, hoists, where),
    }
    on = _stacked(random, crates, pallets)
    # Drawn with repetition, so that some crates are in no part of the goal.
    wanted = dict.fromkeys(random.choices(crates, k=2 * size)) if crates else {}
    goal = _stacked(random, wanted, pallets)
    # The goal holds at the start; another seed is tried.
    if goal.items() <= on.items():
        return ()
    atoms = tuple(("on", crate, below) for crate, below in goal.items())
    return (Draft(Depots(places, trucks, hoists, pallets, crates, at, on, atoms)),)


def _names(kind: str, count: int) -> tuple[str, ...]:
    return tuple(f"{kind}{number}" for number in range(count))


def _spread(random: Random, things: Sequence[str], places: Sequence[str]) -> dict[str, str]:
    """Assign one thing to every place, in order, and the other things to random places."""
    rest = {thing: random.choice(places) for thing in things[len(places) :]}
    return dict(zip(things, places, strict=False)) | rest


def _stacked(random: Random, crates: Iterable[str], pallets: Sequence[str]) -> dict[str, str]:
    """Stack the crates, one after the other, on random pallets."""
    tops, on = dict(zip(pallets, pallets, strict=True)), {}
    for crate in crates:
        pallet = random.choice(pallets)
        on[crate], tops[pallet] = tops[pallet], crate
    return on


GENERATORS: Final = (
    Generator(
        domain="depots",
        method=METHOD,
        about="crates stacked on random pallets, with new random stacks for most of them as goal",
        settings=DepotsSettings,
        sizes=_SIMPLE,
        make=_make,
        presets=presets(_SIMPLE, range(11, 16)),
    ),
)
