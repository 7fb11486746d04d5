"""The messages between the runner and the process that supervises an attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pddl_pipeline.model.limits import Limits

LARGEST_MESSAGE: Final = 2**16
"""Largest message between the runner and the warm process, in bytes."""
DOMAIN: Final = "domain.pddl"
PROBLEM: Final = "problem.pddl"
PLAN: Final = "plan"
WORK: Final = "work"
"""The folder of an attempt's directory in which the planner runs. It contains the files `DOMAIN`,
`PROBLEM` and `PLAN`; the names of several plans begin with `PLAN`."""


@dataclass(frozen=True, slots=True)
class UpEngine:
    """An engine of Unified Planning."""

    name: str
    """Unified Planning's name of the engine."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the engine object."""
    anytime: bool = False
    """Whether it continues after its first plan until the time limit."""
    overlook: frozenset[str] = frozenset()
    """Problem features that the engine supports although Unified Planning reports otherwise."""


@dataclass(frozen=True, slots=True)
class Request:
    """The request for one attempt."""

    place: str
    """The attempt's private directory; the planner runs in its folder `WORK`."""
    log: str
    """File for the planner's raw output."""
    what: tuple[str, ...] | UpEngine
    """A command line, or the engine for Unified Planning to run."""
    environment: dict[str, str]
    """Environment variables in addition to those of the warm process."""
    limits: Limits


@dataclass(frozen=True, slots=True)
class Observation:
    """What the supervisor observed of an attempt."""

    status: int | None = None
    """Exit status of the planner; negative for a signal, None if it did not end by itself."""
    hit: str | None = None
    """``time``, ``cpu`` or ``memory`` if the attempt was ended at that limit."""
    fault: str | None = None
    """Why the planner could not be started."""
    through_up: bool = False
    """Whether Unified Planning ran it; its process writes plan files completely or not at all."""
    stopped: bool = False
    """Whether the attempt was ended because it was cancelled."""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0
    measured: str = "rss"
    """How memory was measured: ``rss`` or ``cgroup``."""
