"""Selects the black box for a task."""

from __future__ import annotations

from pddl_pipeline.autotos.pddl import any_task, blocksworld, countdown, sokoban
from pddl_pipeline.autotos.pddl.bridge import Bridge
from pddl_pipeline.validation.task import Task


def bridge_of(task: Task, domain: str, problem: str) -> Bridge:
    """Return a task as a black box: that of its domain if it has one, else the general one.

    Args:
        task: the task.
        domain: text of the domain.
        problem: text of the problem.

    Raises:
        PddlError: the task uses a part of PDDL that is not judged.
    """
    return (
        blocksworld.bridge(task, domain, problem)
        or sokoban.bridge(task, domain)
        or countdown.bridge(task)
        or any_task.bridge(task)
    )
