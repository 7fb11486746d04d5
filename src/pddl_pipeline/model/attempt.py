"""One attempt of a planner on one problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from operator import itemgetter

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.text import shortened
from pddl_pipeline.model.verdict import Status, Verdict


class Outcome(StrEnum):
    """How an attempt ended. That a plan was found or none exists is the planner's claim."""

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
        """Whether the cause needs investigation: a crash or a lost run."""
        return self in (Outcome.CRASH, Outcome.LOST)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Search statistics that a planner printed; None for each that it did not print."""

    expanded: int | None = None
    """Expanded states."""
    evaluated: int | None = None
    """Evaluated states."""
    generated: int | None = None
    """Generated states."""
    search_s: float | None = None
    """Seconds of search, excluding reading and grounding."""
    planner_memory_mb: float | None = None
    """Peak memory in MiB, as the planner counts it."""
    claimed_cost: float | None = None
    """Cost of the plan as the planner computes it, possibly in floating point."""
    calls: int | None = None
    """Answers of a language model; the plan is from the first one."""
    prompt_tokens: int | None = None
    """Tokens of the prompts of all calls, as the model's endpoint counts them."""
    answer_tokens: int | None = None
    """Tokens of all answers, reasoning included."""


@dataclass(frozen=True, slots=True)
class TimedPlan:
    """A plan that a planner wrote."""

    time_s: float
    """Seconds from the planner's start until the plan was written."""
    text: str
    """The plan, in IPC format."""
    verdict: Verdict | None
    """None if it was not judged."""


def best_plan(plans: Iterable[TimedPlan]) -> TimedPlan | None:
    """Return the first of the best valid plans, or None; the cost of a plan may be unknown."""
    valid = [
        (
            # A known cost comes first; of equal ones, `min` returns the first plan.
            plan.verdict.cost is None,
            (plan.verdict.cost or 0) * (-1 if plan.verdict.maximise else 1),
            plan,
        )
        for plan in plans
        if plan.verdict is not None and plan.verdict.status is Status.VALID
    ]
    ranked = min(valid, key=itemgetter(0, 1), default=None)
    return None if ranked is None else ranked[-1]


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one attempt and the resources that it used."""

    outcome: Outcome
    plan: str | None = None
    """Text of the claimed plan, in IPC format; the best one for an anytime planner."""
    further_plans: tuple[str, ...] = ()
    """Texts of the other plans, if the planner was asked for several."""
    improvements: tuple[TimedPlan, ...] = ()
    """The plans in the order in which the planner wrote them; none if it was asked for several."""
    optimal: bool | None = None
    """Whether the planner claims that no plan is cheaper; None if there is no plan."""
    reason: str | None = None
    """One line on why there is no plan."""
    hit: str | None = None
    """``time``, ``cpu`` or ``memory`` if that limit ended the attempt."""
    wall_s: float = 0.0
    """Seconds from the planner's start to its end."""
    cpu_s: float = 0.0
    """CPU seconds of all processes of the attempt."""
    memory_mb: float = 0.0
    """Peak resident memory of all processes together, in MiB."""
    measured: str | None = None
    """How memory was measured: ``rss``, by repeatedly summing the resident sets of all processes.
    Stores of versions up to 1.0.0 also have ``cgroup``, by the kernel."""
    statistics: Statistics = Statistics()
    rewritten: Problem | None = field(default=None, repr=False)
    """The texts that the planner was given; None if they are the user's."""
    cost_factor: int = 1
    """What costs are multiplied by in these texts."""
    log: bytes = field(default=b"", repr=False)
    """The planner's raw output; if it exceeds 8 MiB, its beginning and end."""
    answers: bytes = field(default=b"", repr=False)
    """A language model's answers, as lines of JSON that `score` reads."""

    def __repr__(self) -> str:
        reason = f": {shortened(self.reason)}" if self.reason else ""
        return f"<Attempt {self.outcome}, {self.wall_s:.2f} s, {self.memory_mb:.0f} MiB{reason}>"
