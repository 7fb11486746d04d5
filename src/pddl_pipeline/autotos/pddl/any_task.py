"""Any task as a black box: its state space as two functions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any

from pddl_pipeline.autotos.pddl.bridge import Bridge, Unsound
from pddl_pipeline.autotos.space import Space
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.validation.task import Task


def bridge(task: Task) -> Bridge:
    """Return a task as a black box with the states of `world_of`.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    world = world_of(task)
    return Bridge(_space(world), lambda path: Plan(_steps(world, path)))


def space_of(task: Task) -> Space:
    """Return the state space of a task. Raises the same errors as `bridge`."""
    return _space(world_of(task))


def _space(world: World[Any]) -> Space:
    return Space(
        world.start,
        lambda state: (after for _, after in world.successors(state)),
        world.is_goal,
        _itself,
    )


def _itself(state: Hashable) -> Hashable:
    return state


def _steps(world: World[Any], path: Sequence[Any]) -> list[Step]:
    steps = []
    for number, (before, after) in enumerate(pairwise(path), start=1):
        found = (step for step, state in world.successors(before) if state == after)
        step = next(found, None)
        if step is None:
            raise Unsound(number, before, after)
        steps.append(step)
    return steps
