"""The functions of a conversation, applied to the instances of a dataset.

Breadth-first search uses both functions; the path that it finds is converted to a plan and
validated. As in the paper (section 5), a plan counts if it is valid and as short as possible.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pddl_pipeline.papers.autotos.loop.trial import Trial
from pddl_pipeline.planners.functions.guarded import CodeFails, Guarded
from pddl_pipeline.planners.functions.process import Functions
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.domain import Domain
from pddl_pipeline.search.space import Bounds, NonDeterministic, Searched, breadth_first


class Result(StrEnum):
    """The result of the functions on an instance."""

    SOLVED = "solved"
    """A valid plan with as few steps as possible, or a correct proof that there is no plan."""
    LONGER = "longer"
    """A valid plan, but there is a shorter one."""
    INVALID = "invalid"
    """The path is not a valid plan."""
    NO_PLAN = "no-plan"
    """No path: all states were visited, or a limit was reached."""
    ERROR = "error"
    """A function failed, or returned different successors when it was called again."""


class Evaluated(NamedTuple):
    """The result on one instance."""

    id: str
    result: Result
    reason: str = ""
    """One line; empty if the instance is solved."""
    steps: int | None = None
    """The number of steps of the path."""
    expanded: int = 0
    """The number of states that the search expanded."""


def evaluate(trial: Trial, functions: Functions, domain: Domain, bounds: Bounds) -> Evaluated:
    """Solve an instance with functions, and judge what they find.

    Args:
        trial: the instance.
        functions: the functions of a model.
        domain: their domain.
        bounds: the limits of the search.
    """
    effort = SearchEffort()
    # As in the paper, only the plan is judged here, not each transition.
    guarded = Guarded(functions, domain, partial_soundness=False)
    try:
        found = breadth_first(guarded.space(trial.puzzle), bounds, effort, late_test=True)
    except CodeFails as error:
        return Evaluated(trial.id, Result.ERROR, str(error), expanded=effort.expanded)
    except NonDeterministic:
        reason = "succ returned other successors when it was called again"
        return Evaluated(trial.id, Result.ERROR, reason, expanded=effort.expanded)
    result, reason = _judged(trial, found, bounds)
    steps = None if found.path is None else len(found.path) - 1
    return Evaluated(trial.id, result, reason, steps, effort.expanded)


def _judged(trial: Trial, found: Searched, bounds: Bounds) -> tuple[Result, str]:
    if found.path is None and not found.exhausted:
        return Result.NO_PLAN, found.reason
    fault = None if found.path is None else trial.fault(found.path)
    if fault is not None:
        return Result.INVALID, fault
    own = trial.own_search(bounds)
    if found.path is None:
        return (Result.SOLVED, "") if own.exhausted else (Result.NO_PLAN, found.reason)
    if own.path is not None and len(own.path) < len(found.path):
        few, many = len(own.path) - 1, len(found.path) - 1
        return Result.LONGER, f"{many} steps, the fewest are {few}"
    return Result.SOLVED, ""
