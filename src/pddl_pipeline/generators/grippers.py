"""Grippers instances as in SimPlan: robots and balls in random rooms, with a goal for each ball.

SimPlan, Appendix D and Table 8: 1 robot, 5 rooms; 2 to 5 balls in simple and 11 to 25 in complex
instances.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

from pddl_pipeline.generators.generator import METHOD, AtLeastOne, Draft, Generator, presets
from pddl_pipeline.translators.domains.grippers import Grippers

_SIMPLE: Final = range(2, 6)


@dataclass(frozen=True, slots=True)
class GrippersSettings:
    """The numbers that are the same in all instances."""

    robots: AtLeastOne = field(
        default=1, metadata={"help": "Number of robots, with two grippers each."}
    )
    rooms: AtLeastOne = field(default=5, metadata={"help": "Number of rooms."})


def _make(settings: GrippersSettings, size: int, seed: int) -> tuple[Draft, ...]:
    random = Random(seed)
    robots: dict[str, tuple[str, ...]] = {
        f"robot{number}": (f"lgripper{number}", f"rgripper{number}")
        for number in range(1, settings.robots + 1)
    }
    rooms = tuple(f"room{number}" for number in range(1, settings.rooms + 1))
    balls = tuple(f"ball{number}" for number in range(1, size + 1))
    places = {robot: random.choice(rooms) for robot in robots}
    at = {ball: random.choice(rooms) for ball in balls}
    goal = {ball: random.choice(rooms) for ball in balls}
    if at == goal:
        return ()
    return (Draft(Grippers(robots, rooms, balls, places | at, goal)),)


GENERATORS: Final = (
    Generator(
        domain="grippers",
        method=METHOD,
        about="robots and balls in random rooms, with a random goal for every ball",
        settings=GrippersSettings,
        sizes=_SIMPLE,
        make=_make,
        presets=presets(_SIMPLE, range(11, 26)),
    ),
)
