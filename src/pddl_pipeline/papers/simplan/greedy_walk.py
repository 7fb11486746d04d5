"""SimPlan's goal heuristic without a queue: each step is one after which most goals hold.

The paper calls it a greedy best-first search. This module implements that search without a queue,
keeping only the current state. If the goal is one atom, it equals the random baseline.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.translators import read_instance


class Walked(NamedTuple):
    """The result of a walk."""

    steps: tuple[Step, ...]
    arrived: bool
    """Whether the goal holds at the end."""
    scored: int
    """The number of evaluated successors."""
    out_of_time: bool


def greedy_walk(world: World[Any], most_steps: int, seconds: float, seed: int) -> Walked:
    """Walk until the goal holds or a limit is reached.

    Args:
        world: the state space.
        most_steps: the largest number of steps.
        seconds: the time limit.
        seed: the seed of the draws among equally good steps.
    """
    random, end = Random(seed), time.monotonic() + seconds  # noqa: S311 -- no secret
    state, steps, scored = world.start, list[Step](), 0
    while not world.is_goal(state) and len(steps) < most_steps:
        found = world.successors(state)
        if not found or time.monotonic() > end:
            return Walked(tuple(steps), arrived=False, scored=scored, out_of_time=bool(found))
        scored += len(found)
        met = [world.goals_met(after) for _, after in found]
        best = [each for each, number in zip(found, met, strict=True) if number == max(met)]
        step, state = random.choice(best)
        steps.append(step)
    return Walked(tuple(steps), world.is_goal(state), scored, out_of_time=False)


def walk_instance(instance: Instance[Any], most_steps: int, seconds: float, seed: int) -> Walked:
    """Walk in the task of an instance, and validate the plan.

    Raises:
        AssertionError: the validator rejects the plan.
    """
    task = read_instance(instance)
    walked = greedy_walk(world_of(task), most_steps, seconds, seed)
    if walked.arrived and task.judge(Plan(walked.steps)).status is not Status.VALID:
        raise AssertionError(f"{instance.id}: the walk is not a plan")
    return walked
