"""The plans of planners for the tutorial's computational problems, each plan judged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.planners.attempt import check_engine
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.solving import solve_task
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.validation.task import Task


class Subject(NamedTuple):
    """The task that planners run on."""

    instance: Instance[object]
    task: Task
    texts: Problem


class Found(NamedTuple):
    """The result of a planner."""

    planner: str
    plans: tuple[str, ...] = ()
    """The plans in the planner's order, the best or first one first."""
    costs: tuple[Number | None, ...] = ()
    """The cost of each plan, by the validator."""
    valid: int = 0
    """The number of valid plans."""
    seconds: float = 0.0
    """The planner's wall-clock time."""
    reason: str = ""
    """The reason why there is no plan."""
    missing: bool = False
    """Whether the planner is not installed."""
    unexplained: bool = False
    """Whether the planner crashed, was lost, or claimed an invalid plan. Every plan is a claim."""

    @property
    def is_right(self) -> bool:
        """Whether there are plans, all of them valid and distinct."""
        return 0 < len(self.plans) == self.valid == len(set(self.plans))

    @property
    def distance(self) -> float | None:
        """The diversity of the plans; see `mean_distance`."""
        return mean_distance(self.plans)


def found_by(planner: str, subject: Subject, limits: Limits) -> Found:
    """Run a planner and judge each of its plans.

    The result of a planner that is not installed states so; no error is raised.
    """
    chosen = planner_named(planner)
    try:
        check_engine(chosen)
    except EngineError as error:
        return Found(planner, reason=str(error), missing=True)
    instance, task, texts = subject
    done = solve_task(chosen, task, texts, limits, instance=instance).attempt
    plans = () if done.plan is None else (done.plan, *done.further_plans)
    verdicts = [judge_plan(plan, task, instance) for plan in plans]
    valid = sum(verdict.status is Status.VALID for verdict in verdicts)
    return Found(
        planner,
        plans,
        tuple(verdict.cost for verdict in verdicts),
        valid,
        done.wall_s,
        done.reason or "",
        unexplained=done.outcome.unexplained or valid < len(plans),
    )


def mean_distance(plans: Sequence[str]) -> float | None:
    """Return the mean distance of pairs of plans: the share of their actions that only one has.

    The distance is one minus the size of the intersection of the sets of actions over the size of
    their union, which the literature on diverse planning calls stability (Coman and Munoz-Avila
    2011). Return None for fewer than two plans.
    """
    sets = [frozenset(plan.splitlines()) for plan in plans]
    pairs = [1 - len(one & other) / len(one | other) for one, other in combinations(sets, 2)]
    return fmean(pairs) if pairs else None
