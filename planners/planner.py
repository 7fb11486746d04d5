"""What an engine's file says of each of its planners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pddl_pipeline.model.attempt import Outcome


@dataclass(frozen=True, slots=True)
class Ending:
    """What a planner's log says where Unified Planning's status does not tell the truth."""

    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Planner:
    """One configuration of an engine, run through Unified Planning."""

    name: str
    about: str
    """One line for users."""
    engine: str
    """Unified Planning's name of the engine."""
    distribution: str
    """The distribution on the package index that brings the engine."""
    expanded: str
    """Regular expression whose last match in the log holds the number of expanded states."""
    ending: Callable[[str], Ending | None]
    """What the log says on an attempt without a plan; None where it says nothing special."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of Unified Planning's engine object."""
    anytime: bool = False
    """Whether it goes on after its first plan until the time is over."""
    features: frozenset[str] = frozenset()
    """What it supports beyond classical planning: ``numeric``, ``costs``."""
    overlook: frozenset[str] = frozenset()
    """Features of problems that Unified Planning takes for unsupported, but which are served."""
    needs_values: bool = False
    """Whether it takes a numeric fluent without an initial value for a proof that there is no
    plan."""
    needs_java: bool = False
