"""Random walks through tasks: plans of applicable steps, which need not reach the goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.task import Task

Choose = Callable[[list[Any]], Any]
"""Chooses one of several values."""


def walk(task: Task, choose: Choose, most: int) -> Plan:
    """Return a plan of `most` steps, or fewer if no step is applicable."""
    state = task.initial_state()
    steps: list[Step] = []
    while len(steps) < most:
        found = list(task.successors(state))
        if not found:
            break
        chosen = choose(found)
        steps.append(chosen.step)
        state = chosen.state
    return Plan(steps)


def is_told_again(plan: Plan) -> bool:
    """Return whether a plan repeats the same steps; a reader of answers accepts them once.

    The first step of a plan may also be a sentence about it, so it is not accepted twice.
    """
    steps = [step[:2] for step in plan]
    return steps[:1] == steps[1:2] or any(
        len(steps) % length == 0 and steps == steps[:length] * (len(steps) // length)
        for length in range(2, len(steps) // 2 + 1)
    )
