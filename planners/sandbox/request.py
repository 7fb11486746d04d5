"""What passes between the runner and the process that supervises an attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pddl_pipeline.model.limits import Limits

LARGEST_MESSAGE: Final = 2**16
"""Between the runner and the warm process, in bytes."""
DOMAIN: Final = "domain.pddl"
PROBLEM: Final = "problem.pddl"
PLAN: Final = "plan"
WORK: Final = "work"
"""Files of an attempt, in the folder `WORK` of its directory, where the planner works; of several
plans, `PLAN` is how their names begin."""


@dataclass(frozen=True, slots=True)
class UpEngine:
    """An engine of Unified Planning."""

    name: str
    """Unified Planning's name of the engine."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the engine object."""
    anytime: bool = False
    """Whether it goes on after its first plan until the time is over."""
    overlook: frozenset[str] = frozenset()
    """Features of problems that Unified Planning takes for unsupported, but which are served."""


@dataclass(frozen=True, slots=True)
class Request:
    """One attempt to be made."""

    place: str
    """The attempt's private directory; the planner works in `work` below it."""
    log: str
    """File for the planner's raw output."""
    what: tuple[str, ...] | UpEngine
    """A command line, or what Unified Planning is to run."""
    environment: dict[str, str]
    """Variables beside those of the warm process."""
    limits: Limits


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen of an attempt."""

    status: int | None = None
    """Exit status of the planner; negative for a signal, None if it did not end by itself."""
    hit: str | None = None
    """``time``, ``cpu`` or ``memory`` when it was ended by that limit."""
    fault: str | None = None
    """Why it could not be started."""
    through_up: bool = False
    """Whether Unified Planning ran it, whose process writes plan files whole or not at all."""
    stopped: bool = False
    """Whether it was ended because nobody wants it any more."""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0
    measured: str = "rss"
    """How memory was measured: ``rss`` or ``cgroup``."""
