"""One attempt of a planner on one problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from pddl_pipeline.model.shortening import shortened


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
class Statistics:
    """What a planner printed about its own search; None where it did not."""

    expanded: int | None = None
    """Expanded states."""
    evaluated: int | None = None
    """Evaluated states."""
    generated: int | None = None
    """Generated states."""
    search_s: float | None = None
    """Seconds of search, without reading and grounding."""
    planner_memory_mb: float | None = None
    """Peak memory in MiB, as the planner counts it."""
    claimed_cost: float | None = None
    """Cost of the plan as the planner computes it, which may be in floats."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one attempt, and what it used."""

    outcome: Outcome
    plan: str | None = None
    """Text of the plan that the planner claims, in IPC form; the best one of an anytime planner."""
    further_plans: tuple[str, ...] = ()
    """Texts of the other plans, of a planner that was asked for several."""
    optimal: bool | None = None
    """Whether the planner claims that no plan is cheaper; None where there is no plan."""
    reason: str | None = None
    """One line on why there is no plan."""
    hit: str | None = None
    """``time``, ``cpu`` or ``memory`` when the attempt was ended by that limit."""
    wall_s: float = 0.0
    """Seconds from the planner's start to its end."""
    cpu_s: float = 0.0
    """CPU seconds of all processes of the attempt."""
    memory_mb: float = 0.0
    """Largest resident memory seen over all processes together, in MiB."""
    measured: str | None = None
    """How memory was measured: ``rss``, resident sets summed over all processes again and again,
    or ``cgroup``, by the kernel."""
    statistics: Statistics = Statistics()
    log: bytes = field(default=b"", repr=False)
    """The planner's raw output; of more than 8 MiB the beginning and the end."""

    def __repr__(self) -> str:
        reason = f": {shortened(self.reason)}" if self.reason else ""
        return f"<Attempt {self.outcome}, {self.wall_s:.2f} s, {self.memory_mb:.0f} MiB{reason}>"
