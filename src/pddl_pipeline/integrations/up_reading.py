"""Compare what Unified Planning read of a domain and problem with the task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.validation.language import TOTAL_COST
from pddl_pipeline.validation.task import Task

_SHOWN = 3
_TOTAL_COST = (TOTAL_COST.function,)


class DifferentReading(InputError):
    """A library has read a different problem."""


def check_reading(task: Task, theirs: Any) -> None:
    """Check that Unified Planning has read the problem of a task.

    Raises:
        DifferentReading: the problems differ.
    """
    for (what, own), other in zip(_contents(task).items(), _up_contents(theirs), strict=True):
        if own != other:
            sides = f"only in the task {_some(own - other)}, only in Unified Planning"
            reason = f"{what}: {sides} {_some(other - own)}"
            raise DifferentReading(f"Unified Planning reads a different problem: {reason}")


def _contents(task: Task) -> dict[str, set[Any]]:
    words, facts = task.vocabulary, task.facts
    return {
        "objects": {*words.objects},
        "actions": {(name, len(each.parameters)) for name, each in words.actions.items()},
        "initial facts": {fact for fact in facts.facts if fact[0] not in words.derived},
        "initial values": {*facts.values.items()} - {(_TOTAL_COST, 0)},
    }


def _up_contents(theirs: Any) -> Iterable[set[Any]]:
    """Return the same of a problem of Unified Planning."""
    initial = {
        (fluent.fluent().name.lower(), *(str(name).lower() for name in fluent.args)): value
        for fluent, value in theirs.explicit_initial_values.items()
    }
    values = {
        (ground, value.constant_value())
        for ground, value in initial.items()
        if not value.is_bool_constant()
    }
    return (
        {thing.name.lower() for thing in theirs.all_objects},
        {(action.name.lower(), len(action.parameters)) for action in theirs.actions},
        {ground for ground, value in initial.items() if value.is_true()},
        values - {(_TOTAL_COST, 0)},
    )


def _some(things: Iterable[Any]) -> str:
    found = sorted(map(_text, things))
    return ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "") or "none"


def _text(thing: Any) -> str:
    if isinstance(thing, tuple):
        return f"({' '.join(map(_text, thing))})"
    return str(thing)
