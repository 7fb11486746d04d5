"""Recognises a domain in a task by its predicates."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates


def fits(task: Task, predicates: Mapping[str, int]) -> bool:
    """Return whether a task has predicates of these arities, and changes no others.

    A picture that leaves out a fact would be wrong. ``a|b`` is a predicate with one of two names.
    """
    known = {name: len(each) for name, each in task.vocabulary.predicates.items()}
    names = {name: name.split("|") for name in predicates}
    has_all = all(
        arity in (known.get(each) for each in names[name]) for name, arity in predicates.items()
    )
    return has_all and changing_predicates(task.vocabulary) <= {*chain(*names.values())}
