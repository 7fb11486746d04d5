"""A task as a black box, and how a path becomes a plan again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pddl_pipeline.autotos.domain import Domain, Puzzle
from pddl_pipeline.autotos.space import Space, State
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.state import State as PddlState
from pddl_pipeline.validation.task import Task


class Unsound(Exception):
    """No step of the task leads from one state of a path to the next; the text says where."""

    def __init__(self, number: int, before: State, after: State) -> None:
        super().__init__(f"no step leads from {before} to {after} (step {number})")


class Form(NamedTuple):
    """A task in the form of a black-box domain."""

    domain: Domain
    puzzle: Puzzle


class Bridge(NamedTuple):
    """A task as a black box."""

    space: Space
    """Under functions of the project's own."""
    plan: Callable[[Sequence[State]], Plan]
    """Returns the plan that goes along a path, the start included. Raises `Unsound`."""
    form: Form | None = None
    """What functions of others are given; None where the task is of no domain that they know."""


def replayed(task: Task, path: Sequence[State], same: Callable[[PddlState, State], bool]) -> Plan:
    """Return the plan that goes along a path, by trying the steps that the task allows.

    Args:
        task: the task.
        path: the states, the start included.
        same: whether a state of the task is one of the path.

    Raises:
        Unsound: no step leads from one to the next.
    """
    state, steps = task.initial_state(), list[Step]()
    for number, after in enumerate(path[1:], start=1):
        found = (each for each in task.successors(state) if same(each.state, after))
        taken = next(found, None)
        if taken is None:
            raise Unsound(number, path[number - 1], after)
        steps.append(taken.step)
        state = taken.state
    return Plan(steps)
