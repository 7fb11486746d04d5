"""The stored result of one run: a planner's attempt on one instance and the verdict on its plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from pddl_pipeline.model.attempt import Outcome, Statistics, TimedPlan
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number, number_fields, number_json, number_text
from pddl_pipeline.model.verdict import CONTINUOUS, Status, is_right


class _Ended:
    """What follows from the outcome of a run and its verdict."""

    __slots__ = ()
    outcome: Outcome
    status: Status | None
    within_budget: bool | None

    @property
    def claimed(self) -> bool:
        """Whether the planner claims to have solved the instance."""
        return self.outcome is Outcome.PLAN_FOUND

    @property
    def solved(self) -> bool:
        """Whether the claimed plan is valid, and within the budget if there is one."""
        return self.status is Status.VALID and self.within_budget is not False

    @property
    def unexplained(self) -> bool:
        """Whether this run needs investigation: crashed, lost, undecided or disputed."""
        return self.outcome.unexplained or (
            self.status is not None and self.status.is_valid is None
        )


class RunSummary(_Ended, msgspec.Struct, frozen=True):
    """The part of a result that is kept in memory; an experiment may have 100,000 runs."""

    key: str
    """This and the following fields: as in `RunResult`."""
    outcome: Outcome
    status: Status | None
    within_budget: bool | None


class Improvement(NamedTuple):
    """A plan that a planner wrote during a run, and the verdict on it."""

    time_s: float
    """Seconds from the planner's start until the plan was written."""
    status: Status
    cost: Number | None
    steps: int | None
    reason: str | None
    """The last four: as in `Verdict`."""


def improvements_of(plans: Iterable[TimedPlan]) -> tuple[Improvement, ...]:
    """Return the improvements that an attempt made; plans without verdicts are left out."""
    judged = ((plan.time_s, plan.verdict) for plan in plans if plan.verdict is not None)
    return tuple(
        Improvement(round(time_s, 3), each.status, each.cost, each.steps, each.reason)
        for time_s, each in judged
    )


def improvements_json(found: Iterable[Improvement] | None) -> list[dict[str, Any]] | None:
    """Return improvements as objects of JSON."""
    return (
        None
        if found is None
        else [
            {**each._asdict(), "status": str(each.status), **number_fields("cost", each.cost)}
            for each in found
        ]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult(_Ended, Statistics):
    """One line of ``runs.jsonl``; with the search statistics that the planner printed.

    Its truth value is `solved`. It raises `TypeError` if the verdict is undecided or disputed.
    """

    key: str
    """Hash of everything that determines the run; a run is stored once for each key."""
    id: str
    domain: str
    size: int
    planner: str
    planner_version: str
    outcome: Outcome
    status: Status | None
    """Verdict on the claimed plan; None if there is no plan."""
    plan: tuple[str, ...] | None
    """Steps of the claimed plan."""
    cost: Number | None
    steps: int | None
    within_budget: bool | None
    wall_s: float
    cpu_s: float
    memory_mb: float
    limits: dict[str, Any] = field(hash=False)
    """``time_s``, ``cpu_s`` (None: no limit) and ``memory_mb`` as requested; ``hit``: ``time``,
    ``cpu``, ``memory`` or None; ``measured``: how memory was measured, ``rss`` or ``cgroup``;
    ``core``: the core that the run had for itself, only if it had one."""
    reason: str | None
    opinions: dict[str, Any] = field(hash=False)
    """As in ``validate --json``."""
    started: str
    """UTC time, ISO 8601."""
    log: str
    """Path of the raw output, relative to the store."""
    optimal: bool | None = None
    """Whether the planner claims that no plan is cheaper."""
    plans: int | None = None
    """Number of claimed plans, for planners that are asked for several; None without a plan."""
    extra: dict[str, Any] = field(default_factory=dict, hash=False)
    """The instance's own fields of its dataset; see `Instance.extra`."""
    verdict_version: int | None = None
    """The version of the verdict; None without a verdict, and in the first stores."""
    problem: str = ""
    """Hash of the PDDL and the budget; see `problem_hash`. Empty in the first stores."""
    repetition: int = 1
    """The number of the run among the repetitions of the planner on the instance."""
    seed: int | None = None
    """The planner's seed; None if it takes none, and in the first stores."""
    confirmed_by: str | None = None
    """What confirms the claim that there is no plan, such as ``the record``."""
    improvements: tuple[Improvement, ...] | None = None
    """The plans in the order in which the planner wrote them. None without a plan, for planners
    that are asked for several, and in stores of former versions."""
    optimal_cost: Number | None = None
    """The cost of the cheapest plan; None if the record does not have it, and in stores of former
    versions."""
    maximise: bool | None = None
    """Whether the metric is maximised; None as for `cost`, and in stores of former versions."""
    semantics: str | None = None
    """The meaning by which a plan of PDDL+ is judged; see `Verdict`."""
    delta: Number | None = None
    """The length of its steps of time."""
    rewritten: bool = False
    """Whether the planner was given canonical PDDL; it is stored beside the log."""
    cost_factor: int = 1
    """What costs are multiplied by in this PDDL, so that they are integers."""

    def __repr__(self) -> str:
        judged = f", {self.status}" if self.status is not None else ""
        return f"<RunResult {self.id} {self.planner}: {self.outcome}{judged}>"

    def __bool__(self) -> bool:
        if self.status is None:
            return False
        return is_right(self.status, within_budget=self.within_budget)

    def _repr_html_(self) -> str:
        return notebook_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return the object of JSON: the fields of this class, then the statistics."""
        return {
            **{name: getattr(self, name) for name in (*self.__slots__, *Statistics.__slots__)},
            "outcome": str(self.outcome),
            "status": None if self.status is None else str(self.status),
            "plan": None if self.plan is None else list(self.plan),
            **number_fields("cost", self.cost),
            "improvements": improvements_json(self.improvements),
            **number_fields("optimal_cost", self.optimal_cost),
            "delta": number_json(self.delta),
        }

    @property
    def continuous(self) -> Status | None:
        """The verdict in continuous time beside that in steps of time, if both are known."""
        return Status(self.opinions[CONTINUOUS]["status"]) if CONTINUOUS in self.opinions else None

    @property
    def meanings(self) -> str:
        """Both verdicts in words: ``valid discretised (delta 1), invalid continuously: …``."""
        if self.delta is None or self.continuous is None:
            return ""
        why = self.opinions[CONTINUOUS]["reason"]
        exact = f"{self.continuous} continuously{f': {why}' if why else ''}"
        return f"{self.status} {self.semantics} (delta {number_text(self.delta)}), {exact}"

    @property
    def name(self) -> str:
        """The id of the instance, and the number of the repetition from the second on."""
        return self.id if self.repetition == 1 else f"{self.id} #{self.repetition}"

    @property
    def claims_unsolvable(self) -> bool:
        """Whether the planner claims that there is no plan."""
        return self.outcome is Outcome.CLAIMS_UNSOLVABLE

    @property
    def decided(self) -> bool:
        """Whether it is solved, or its claim that there is no plan is confirmed."""
        return self.solved or self.confirmed_by is not None

    @property
    def summary(self) -> RunSummary:
        """The result without the plan, the reason and the measurements."""
        return RunSummary(self.key, self.outcome, self.status, self.within_budget)
