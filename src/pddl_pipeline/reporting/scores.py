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
    """What a valid plan costs, and whose it is. The least of several is the best known."""

    in_steps: bool
    """Whether the exact cost is not known, so that the number of steps stands for it."""
    value: Number
    planner: str


def plan_cost(result: RunResult) -> PlanCost | None:
    """Return the cost of a run's plan, within its budget or not; None without a valid plan."""
    if result.status is not Status.VALID:
        return None
    if result.cost is not None:
        return PlanCost(in_steps=False, value=result.cost, planner=result.planner)
    return PlanCost(in_steps=True, value=result.steps or 0, planner=result.planner)


def time_limit(result: RunResult) -> float | None:
    """Return the wall-clock limit of a run in seconds; None where it had none."""
    limit = result.limits.get("time_s")
    return None if limit is None else float(limit)


def satisficing_score(result: RunResult, best: PlanCost | None) -> Fraction:
    """Return C*/C, from 0 to 1: the quality score of the satisficing tracks of IPC 2008 to 2018.

    Args:
        result: a run; 0 unless it is solved.
        best: C*, the cost of the best plan that is known for the instance. A plan of that cost
            scores 1, also where it is 0.
    """
    cost = plan_cost(result)
    if cost is None or best is None or not result.solved:
        return Fraction(0)
    if cost.value <= best.value:
        return Fraction(1)
    # A cost below 0 has no ratio: what is worse than the best has no quality then.
    return Fraction(max(best.value, 0)) / cost.value if cost.value > 0 else Fraction(0)


def agile_score(result: RunResult) -> float | None:
    """Return the score of the agile track of IPC 2018, from 0 to 1.

    With T seconds of wall-clock time and a limit of L: 1 where T <= 1, else 1 - log T / log L,
    and 0 where the run is not solved within L. None where this needs a limit and there is none.
    """
    limit = time_limit(result)
    if not result.solved or (limit is not None and result.wall_s > limit):
        return 0.0
    if result.wall_s <= 1:
        return 1.0
    return None if limit is None else 1 - math.log(result.wall_s) / math.log(limit)


def par2_s(result: RunResult) -> float | None:
    """Return the seconds of a run as PAR-2 of the SAT competitions counts them.

    The wall-clock time where it is solved, else twice the limit; None where there is no limit.
    """
    if result.solved:
        return result.wall_s
    limit = time_limit(result)
    return None if limit is None else _PENALTY * limit
