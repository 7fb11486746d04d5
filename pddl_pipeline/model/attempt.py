"""One attempt of a planner on one problem."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How an attempt ended. A found plan and an unsolvability are the planner's claims."""

    PLAN_FOUND = "plan-found"
    CLAIMS_UNSOLVABLE = "claims-unsolvable"
    GAVE_UP = "gave-up"
    TIMEOUT = "timeout"
    MEMOUT = "memout"
    UNSUPPORTED = "unsupported"
    INPUT_ERROR = "input-error"
    CRASH = "crash"
    LOST = "lost"

    @property
    def unexplained(self) -> bool:
        """Whether somebody has to look at why the attempt ended so."""
        return self in (Outcome.CRASH, Outcome.LOST)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one attempt, and what it used."""

    outcome: Outcome
    plan: str | None = None
    """Text of the plan that the planner claims, in IPC form; the best one of an anytime planner."""
    reason: str | None = None
    """One line on why there is no plan."""
    hit: str | None = None
    """``time`` or ``memory`` when the attempt was ended by that limit."""
    wall_s: float = 0.0
    """Seconds from the planner's start to its end."""
    cpu_s: float = 0.0
    """CPU seconds of all processes of the attempt."""
    memory_mb: float = 0.0
    """Largest resident memory seen over all processes together, in MiB."""
    expanded: int | None = None
    """Expanded states as the planner printed them."""
