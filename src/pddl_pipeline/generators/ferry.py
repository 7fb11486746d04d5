"""Ferry instances as in SimPlan: cars and ferry at random locations, with a goal for each car.

SimPlan, Appendix D and Table 8: 5 locations; 2 to 5 cars in simple and 11 to 25 in complex
instances.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

from pddl_pipeline.generators.generator import METHOD, AtLeastOne, Draft, Generator, presets
from pddl_pipeline.translators.domains.ferry import Ferry

_SIMPLE: Final = range(2, 6)


@dataclass(frozen=True, slots=True)
class FerrySettings:
    """The numbers that are the same in all instances."""

    locations: AtLeastOne = field(default=5, metadata={"help": "Number of locations."})


def _make(settings: FerrySettings, size: int, seed: int) -> tuple[Draft, ...]:
    random = Random(seed)
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
        method=METHOD,
        about="cars and ferry at random locations, with a random goal for every car",
        settings=FerrySettings,
        sizes=_SIMPLE,
        make=_make,
        presets=presets(_SIMPLE, range(11, 26)),
    ),
)
