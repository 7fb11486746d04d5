"""Libraries whose problems are accepted as objects."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.translators import read_instance
from pddl_pipeline.validation.given_objects import Library
from pddl_pipeline.validation.task import Task, read_task


def _of_unified_planning(domain: Any, problem: Any) -> Problem:
    from pddl_pipeline.integrations.unified_planning import texts_of  # a second

    return texts_of(domain, problem)


LIBRARIES: Final = (Library("unified_planning", _of_unified_planning),)


def given_task(source: Any, problem: Any = None) -> Task:
    """Return a task, the task of an instance, or that of what `read_task` accepts.

    Raises:
        InputError, TypeError: as for `read_task`.
    """
    if isinstance(source, Instance):
        return read_instance(source)
    return source if isinstance(source, Task) else read_task(source, problem)
