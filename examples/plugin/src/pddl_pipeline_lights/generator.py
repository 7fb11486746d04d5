"""Random lights: some of the lamps must be on."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from pddl_pipeline.generators.generator import Draft, Generator
from pddl_pipeline_lights.translator import Lights


@dataclass(frozen=True, slots=True)
class LightsSettings:
    """The options of ``pddl-pipeline generate lights``."""

    share: int = field(default=50, metadata={"help": "Share of lamps to switch on, in percent."})


def _make(settings: LightsSettings, size: int, seed: int) -> tuple[Draft, ...]:
    random = Random(seed)
    lamps = tuple(f"lamp{number}" for number in range(1, size + 1))
    number = max(1, size * settings.share // 100)
    return (Draft(Lights(lamps, tuple(sorted(random.sample(lamps, number))))),)


GENERATORS = (
    Generator(
        domain="lights",
        method="random",
        about="a random choice of lamps to switch on",
        settings=LightsSettings,
        sizes=range(3, 9),
        make=_make,
    ),
)
