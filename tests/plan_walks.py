"""Random walks through tasks: plans whose steps can be executed, whatever they lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.task import Task

Choose = Callable[[list[Any]], Any]
"""Takes one of several."""


def walk(task: Task, choose: Choose, most: int) -> Plan:
    """Return a plan of at most so many steps; shorter where none is applicable any more."""
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
    """Whether a plan is the same steps several times over: a reader takes them once."""
    steps = [step[:2] for step in plan]
    return any(
        len(steps) % length == 0 and steps == steps[:length] * (len(steps) // length)
        for length in range(2, len(steps) // 2 + 1)
    )
