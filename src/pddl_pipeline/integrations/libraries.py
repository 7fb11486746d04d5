"""Libraries whose problems are accepted as objects."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.translators import read_instance
from pddl_pipeline.validation.given_objects import Library
from pddl_pipeline.validation.task import Task, read_task


def _texts_of(name: str, domain: Any, problem: Any) -> Problem:
    texts: Problem = import_module(f"{__package__}.{name}").texts_of(domain, problem)
    return texts


LIBRARIES: Final = tuple(
    Library(name, partial(_texts_of, name)) for name in ("pddl", "unified_planning")
)


def given_task(source: Any, problem: Any = None) -> Task:
    """Return a task, the task of an instance, or that of what `read_task` accepts.

    Raises:
        InputError, TypeError: as for `read_task`.
    """
    if isinstance(source, Instance):
        return read_instance(source)
    return source if isinstance(source, Task) else read_task(source, problem)
