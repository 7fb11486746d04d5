"""Execute the steps of a plan and return the verdict."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pddl_pipeline.model.errors import NotJudged, StepFails
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.plan_reader import Steps
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.transition_system import TransitionSystem

if TYPE_CHECKING:
    from pddl_pipeline.validation.explanation import Unsatisfied

_REASON_LIMIT = 400


def verdict_on(
    steps: Steps,
    system: TransitionSystem,
    budget: Number | None,
) -> Verdict:
    """Return the verdict on steps that are all actions of the task.

    Args:
        steps: the plan.
        system: the task.
        budget: maximum cost of the plan; None for no limit.
    """
    count = len(steps.words)
    try:
        state = system.initial_state()
        for number, group in steps.happenings():
            system.happen(group, state, number)
        missing = system.missing_goals(state)
        return _goal_missed(count, missing) if missing else _valid(count, system, state, budget)
    except StepFails as error:
        return Verdict(
            Status.INVALID, count, failed_step=error.step, reason=_cut(error.reason),
            unsatisfied=error.conditions,
        )  # fmt: skip
    except NotJudged as error:
        return Verdict(Status.UNDECIDED, count, reason=str(error))


def _valid(count: int, system: TransitionSystem, state: State, budget: Number | None) -> Verdict:
    try:
        cost = system.cost(state, count)
    except CannotEvaluate as error:
        reason = f"the metric cannot be computed: {error}"
        return Verdict(Status.VALID, count, reason=reason)
    return Verdict(
        Status.VALID, count, cost, within_budget=None if budget is None else cost <= budget
    )


def _goal_missed(count: int, missing: list[Unsatisfied]) -> Verdict:
    why = "; ".join(found.why for found in missing)
    return Verdict(
        Status.INVALID, count, reason=_cut(f"goal not satisfied: {why}"),
        unsatisfied=tuple(found.condition for found in missing),
    )  # fmt: skip


def _cut(reason: str) -> str:
    return reason if len(reason) <= _REASON_LIMIT else f"{reason[:_REASON_LIMIT]}…"


class PlanProgress(NamedTuple):
    """How far a plan gets, also if it is not valid."""

    steps: int
    """Number of steps."""
    executed: int
    """Number of steps before the first that does not exist or is not applicable."""
    goals: float
    """Of the parts of the goal that do not hold at the start, the largest share that holds in a
    state that the executed steps reach; 1 if the whole goal holds at the start."""
    reached: bool
    """Whether all steps are executed and the goal holds at the end."""
    cost: Number | None = None
    """The cost of the plan; None if it cannot be computed, or the goal is not reached."""


def plan_progress(steps: Steps, system: TransitionSystem) -> PlanProgress:
    """Return how far steps get.

    Args:
        steps: the plan; a step that is no action of the task ends the execution.
        system: the task.

    Raises:
        NotJudged: a number, quantifier or axiom exceeds the limits of the validator in the initial
            state. A later state that exceeds them ends the execution.
    """
    state = system.initial_state()
    missing = least = now = system.missing_parts(state)
    executed = 0
    for position, group in steps.happenings():
        try:
            system.happen(group, state, position, explain=False)
            now = system.missing_parts(state)
        except (StepFails, NotJudged, KeyError):
            break
        executed += len(group)
        least = min(least, now)
    count = len(steps.words)
    reached = executed == count and not now
    cost = None
    if reached:
        with suppress(CannotEvaluate):
            cost = system.cost(state, count)
    goals = 1 - least / missing if missing else 1.0
    return PlanProgress(count, executed, goals, reached, cost)
