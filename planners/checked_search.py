"""Search that rejects false plans: each claimed plan is judged exactly, and the search goes on.

A planner that computes in doubles claims plans that are none. When a claimed plan fails, the
planner is started again from the states on the way of that plan, the last one first: the steps to
them are valid, and a state near the end leaves a small problem. What it claims there is put behind
those steps and judged as a whole. So no false plan is returned, whatever is claimed. A search that
ends without a plan proves nothing, since the numbers of a later state are rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.planners.planner import Termination
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

FIRST_S: Final = 5.0
"""The CPU time limit of a search from a later state. Searches that end at it are repeated with
`FACTOR` times as much when all others have ended, and so on."""
FACTOR: Final = 4


class Claim(NamedTuple):
    """The result of one search."""

    plan: str | None
    """The text of the claimed plan."""
    was_cut: bool = False
    """Whether the search ended at its time limit."""
    ending: Termination | None = None
    """How it ended without a plan."""


Search = Callable[[State, float], Claim]
"""Searches from a state of the task, for some seconds of CPU time."""


def repaired_plan(task: Task, claimed: str, search: Search, rejected: list[str]) -> Plan | None:
    """Return the claimed plan if it is valid, or else a valid plan of further searches.

    Args:
        task: the task.
        claimed: the text of the plan that was claimed.
        search: searches from a later state.
        rejected: collects why plans are false.

    Returns:
        A valid plan; None if no search from a state of a false plan has led to one.

    Raises:
        NotJudged: the initial state cannot be evaluated.
    """
    open_, cut = list[Plan](), list[Plan]()
    seconds, known = FIRST_S, set[int]()
    plan: Plan | None = _read(task, claimed, Plan())
    while True:
        if plan is not None:
            verdict = task.judge(plan)
            if verdict.status is Status.VALID:
                return plan
            rejected.append(verdict.reason or str(verdict.status))
            open_ += _new_prefixes(task, plan, known)
        if not open_:
            if not cut:
                return None
            open_, cut, seconds = cut[::-1], [], seconds * FACTOR
        steps = open_.pop()
        claim = search(_state_after(task, steps), seconds)
        if claim.was_cut:
            cut.append(steps)
        plan = None if claim.plan is None else _read(task, claim.plan, steps)


def _read(task: Task, text: str, before: Plan) -> Plan | None:
    """Return the steps of a claimed plan behind those before it; None if it is no plan."""
    with suppress(PlanSyntaxError):
        # Without places and times, which are those of another text.
        steps = (Step(step.action, step.arguments) for step in task.read_plan(text))
        return Plan((*before, *steps))
    return None


def _new_prefixes(task: Task, plan: Plan, known: set[int]) -> Iterator[Plan]:
    """Yield the applicable beginnings of a plan that lead to new states, the shortest first."""
    with suppress(StepFails, NotJudged):
        for number, state in enumerate(task.trace(plan)):
            mark = hash((frozenset(state.facts), frozenset(state.values.items())))
            if mark not in known:
                known.add(mark)
                yield Plan(plan[:number])


def _state_after(task: Task, steps: Plan) -> State:
    state = task.initial_state()
    for step in steps:
        task.apply(step, state)
    return state
