"""Ferry instances as SimPlan draws them: cars and ferry anywhere, each car with a goal of its own.

SimPlan, Appendix D and Table 8: 5 locations, 2 to 5 cars in simple and 11 to 25 in complex ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

from pddl_pipeline.generators.generator import Draft, Generator, Preset
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators.ferry import Ferry

_SIMPLE: Final = Preset(range(2, 6), {"train": 100, "dev": 30, "test": 30})
_COMPLEX: Final = Preset(range(11, 26), {"test": 50})


@dataclass(frozen=True, slots=True)
class FerrySettings:
    """What is the same in all instances."""

    locations: int = field(default=5, metadata={"help": "How many locations there are."})

    def __post_init__(self) -> None:
        if self.locations < 1:
            raise InputError(f"--locations {self.locations}: expected at least 1")


def _make(settings: FerrySettings, size: int, seed: int) -> tuple[Draft, ...]:
    random = Random(seed)  # noqa: S311 -- no secret
    locations = tuple(f"l{number}" for number in range(settings.locations))
    cars = tuple(f"c{number}" for number in range(size))
    at = {car: random.choice(locations) for car in cars}
    goal = {car: random.choice(locations) for car in cars}
    if at == goal:
        return ()
    return (Draft(Ferry(locations, cars, at, None, random.choice(locations), goal)),)


GENERATORS: Final = (
    Generator(
        domain="ferry",
        method="simplan",
        about="cars and ferry at random locations, every car with a random goal",
        settings=FerrySettings,
        sizes=_SIMPLE.sizes,
        make=_make,
        presets={"simple": _SIMPLE, "complex": _COMPLEX},
    ),
)
