"""What a planner found for one of the tutorial's computational problems, every plan judged."""

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
from pddl_pipeline.runs.solving import judge_plan, solve_task
from pddl_pipeline.validation.task import Task


class Subject(NamedTuple):
    """What planners are run on."""

    instance: Instance[object]
    task: Task
    texts: Problem


class Found(NamedTuple):
    """What came of a planner."""

    planner: str
    plans: tuple[str, ...] = ()
    """In the order in which the planner gives them, the best or first one first."""
    costs: tuple[Number | None, ...] = ()
    """Of each plan, by the validator."""
    valid: int = 0
    """How many of the plans are."""
    seconds: float = 0.0
    """Wall-clock time of the planner."""
    reason: str = ""
    """Why there is no plan."""
    missing: bool = False
    """Whether the planner is not installed."""
    unexplained: bool = False
    """Whether it crashed or was lost, or a plan is not valid: all of them are claimed."""

    @property
    def is_right(self) -> bool:
        """Whether there are plans, all valid, and no two the same."""
        return 0 < len(self.plans) == self.valid == len(set(self.plans))

    @property
    def distance(self) -> float | None:
        """How different its plans are, see `mean_distance`."""
        return mean_distance(self.plans)


def found_by(planner: str, subject: Subject, limits: Limits) -> Found:
    """Run a planner and judge each of its plans; one that is not installed is said, not raised."""
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
    """Return the mean over pairs of plans of the share of their actions that only one has.

    One minus the overlap of the sets of actions over their union, which the literature on diverse
    planning calls stability (Coman and Munoz-Avila 2011); None for fewer than two plans.
    """
    sets = [frozenset(plan.splitlines()) for plan in plans]
    pairs = [1 - len(one & other) / len(one | other) for one, other in combinations(sets, 2)]
    return fmean(pairs) if pairs else None
