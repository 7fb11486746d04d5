"""Scores of single runs, as planning and SAT competitions define them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final, NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status

_PENALTY: Final = 2


class PlanCost(NamedTuple):
    """The cost of a valid plan, and its planner. The minimum of several is the best known."""

    in_steps: bool
    """Whether `value` is the number of steps, because the exact cost is unknown."""
    value: Number
    planner: str


def plan_cost(result: RunResult) -> PlanCost | None:
    """Return the cost of a run's plan, even if over budget, or None without a valid plan."""
    if result.status is not Status.VALID:
        return None
    if result.cost is not None:
        return PlanCost(in_steps=False, value=result.cost, planner=result.planner)
    return PlanCost(in_steps=True, value=result.steps or 0, planner=result.planner)


def time_limit(result: RunResult) -> float | None:
    """Return the wall-clock limit of a run in seconds, or None if it had none."""
    limit = result.limits.get("time_s")
    return None if limit is None else float(limit)


def satisficing_score(result: RunResult, best: PlanCost | None) -> Fraction:
    """Return C*/C, from 0 to 1: the quality score of the satisficing tracks of IPC 2008 to 2018.

    Args:
        result: a run; its score is 0 unless it is solved.
        best: C*, the cost of the best known plan for the instance. A plan of that cost scores 1,
            even if the cost is 0.
    """
    cost = plan_cost(result)
    if cost is None or best is None or not result.solved:
        return Fraction(0)
    if cost.value <= best.value:
        return Fraction(1)
    # A negative cost has no ratio: any plan worse than the best then scores 0.
    return Fraction(max(best.value, 0)) / cost.value if cost.value > 0 else Fraction(0)


def agile_score(result: RunResult) -> float | None:
    """Return the score of the agile track of IPC 2018, from 0 to 1.

    With T seconds of wall-clock time and a limit of L: 1 if T <= 1, else 1 - log T / log L, and 0
    if the run is not solved within L. Return None if a limit is required and there is none.
    """
    limit = time_limit(result)
    if not result.solved or (limit is not None and result.wall_s > limit):
        return 0.0
    if result.wall_s <= 1:
        return 1.0
    return None if limit is None else 1 - math.log(result.wall_s) / math.log(limit)


def par2_s(result: RunResult) -> float | None:
    """Return the PAR-2 score of a run, in seconds, as in the SAT competitions.

    This is the wall-clock time if the run is solved, else twice the limit, or None without a limit.
    """
    return result.wall_s if result.solved else unsolved_par2_s(time_limit(result))


def unsolved_par2_s(limit: float | None) -> float | None:
    """Return the PAR-2 score of a run that is not solved: twice its limit, in seconds."""
    return None if limit is None else _PENALTY * limit
