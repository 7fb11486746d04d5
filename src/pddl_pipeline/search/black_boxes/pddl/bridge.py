"""A task as a black box, and the conversion of a path to a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle
from pddl_pipeline.search.space import Space, State
from pddl_pipeline.validation.state import State as PddlState
from pddl_pipeline.validation.task import Task


class Unsound(Exception):
    """No step of the task leads from one state of a path to the next; the text names both."""

    def __init__(self, number: int, before: State, after: State) -> None:
        super().__init__(f"no step leads from {before} to {after} (step {number})")


class Form(NamedTuple):
    """A task in the form of a black-box domain."""

    domain: Domain
    puzzle: Puzzle


class Bridge(NamedTuple):
    """A task as a black box."""

    space: Space
    """The state space with the project's functions."""
    plan: Callable[[Sequence[State]], Plan]
    """Return the plan of a path that includes the start. Raise `Unsound` if there is none."""
    form: Form | None = None
    """The arguments for external functions; None if the task is not of a black-box domain."""


def replayed(task: Task, path: Sequence[State], same: Callable[[PddlState, State], bool]) -> Plan:
    """Return the plan of a path, by trying the steps that the task allows.

    Args:
        task: the task.
        path: the states, including the start.
        same: returns whether a state of the task equals a state of the path.

    Raises:
        Unsound: no step leads from one state to the next.
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
