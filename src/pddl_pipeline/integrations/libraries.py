"""Libraries whose problems are accepted as objects, and problems as objects of these libraries."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any, Final

from pddl_pipeline.integrations.pddl_text import library_texts
from pddl_pipeline.integrations.reading import check_reading
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.unified_planning import one_line
from pddl_pipeline.translators import read_instance
from pddl_pipeline.validation.given_objects import Library
from pddl_pipeline.validation.task import Task, Texts, read_task, task_of


def _texts_of(name: str, domain: Any, problem: Any) -> Problem:
    texts: Problem = import_module(f"{__package__}.{name}").texts_of(domain, problem)
    return texts


LIBRARIES: Final = tuple(
    Library(name, partial(_texts_of, name)) for name in ("pddl", "tarski", "unified_planning")
)


def given_task(source: Any, problem: Any = None) -> Task:
    """Return a task, the task of an instance, or that of what `read_task` accepts.

    Raises:
        InputError, TypeError: as for `read_task`.
    """
    if isinstance(source, Instance):
        return read_instance(source)
    return source if isinstance(source, Task) else read_task(source, problem)


def converted(name: str, task: Task, texts: Texts | None = None) -> Any:
    """Return a task as an object of a library; what the library read is compared with the task.

    The module of the library has the functions ``read`` and ``texts_of``, and what the library
    cannot read, by a part of its error that does not say it: ``UNREADABLE``.

    Args:
        name: the library's name.
        task: the task.
        texts: the texts that the library reads; None for those of the task.

    Raises:
        DifferentReading: the library reads a different problem.
        InputError: the library cannot read the texts.
        ImportError: the library is not installed.
    """
    module = import_module(f"{__package__}.{name}")
    task.check_supported()
    texts = texts or task.texts
    if texts is None:
        raise InputError("the task has no PDDL texts")
    try:
        found = module.read(library_texts(*texts))
    except Exception as error:
        text, features = one_line(error), module.UNREADABLE
        known = [f"it has {features[sign]}" for sign in features if sign in text]
        raise InputError(f"{name} cannot read the problem: {[*known, text][0]}") from error
    check_reading(task, task_of(module.texts_of(found)), name)
    return found
