"""Recognises a domain in a task by its predicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates


def fits(task: Task, predicates: Mapping[str, int]) -> bool:
    """Return whether a task has predicates of these arities, and changes no others.

    A picture that leaves out a fact would be wrong.
    """
    known = task.vocabulary.predicates
    has_all = all(len(known.get(name, "?" * 9)) == arity for name, arity in predicates.items())
    return has_all and changing_predicates(task.vocabulary) <= predicates.keys()


def predicate_names(
    task: Task, variants: Iterable[Mapping[str, tuple[str, int]]]
) -> Mapping[str, str] | None:
    """Return the names of a task's predicates by role, or None if it is not the domain.

    Args:
        task: the task.
        variants: for each variant, name and arity of the predicate by role.
    """
    for variant in variants:
        if fits(task, dict(variant.values())):
            return {role: name for role, (name, _) in variant.items()}
    return None
