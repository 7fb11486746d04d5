"""Any task as a black box: in the form of its domain, or its state space as two functions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any

from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.search.black_boxes.pddl import blocksworld, countdown, sokoban
from pddl_pipeline.search.black_boxes.pddl.bridge import Bridge, Unsound
from pddl_pipeline.search.space import Space
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.validation.task import Task


def bridge_of(task: Task, domain: str, problem: str) -> Bridge:
    """Return a task as a black box: that of its domain if it has one, else that of `world_bridge`.

    Args:
        task: the task.
        domain: text of the domain.
        problem: text of the problem.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    return (
        blocksworld.bridge(task, domain, problem)
        or sokoban.bridge(task, domain)
        or countdown.bridge(task)
        or world_bridge(task)
    )


def world_bridge(task: Task) -> Bridge:
    """Return a task as a black box with the states of `world_of`.

    Raises:
        NotJudged: the task uses a part of PDDL that is not judged.
    """
    world = world_of(task)
    space = Space(
        world.start,
        lambda state: (after for _, after in world.successors(state)),
        world.is_goal,
        _itself,
    )
    return Bridge(space, lambda path: Plan(_steps(world, path)))


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
