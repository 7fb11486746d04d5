"""Compare Unified Planning's reading of a domain and problem with the task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.problem_reader import TOTAL_COST
from pddl_pipeline.validation.task import Task

_SHOWN = 3


def reading_difference(task: Task, theirs: Any) -> str | None:
    """Return how a problem of Unified Planning differs from the task, or None.

    The comparison covers objects, actions with their numbers of parameters, initial facts and
    initial values.
    """
    actions = {(name, len(a.parameters)) for name, a in task.vocabulary.actions.items()}
    their_actions = {(a.name.lower(), len(a.parameters)) for a in theirs.actions}
    facts, values = _initial(theirs)
    ours = dict(task.facts.values)
    if (TOTAL_COST.function,) not in values:
        ours.pop((TOTAL_COST.function,), None)  # 0 by default
    derived = task.vocabulary.derived
    pairs: dict[str, tuple[set[Any], set[Any]]] = {
        "objects": (set(task.vocabulary.objects), {o.name.lower() for o in theirs.all_objects}),
        "actions": (actions, their_actions),
        "initial facts": ({f for f in task.facts.facts if f[0] not in derived}, facts),
        "initial values": (set(ours.items()), set(values.items())),
    }
    for what, (mine, other) in pairs.items():
        if mine != other:
            own, other_own = _some(mine - other), _some(other - mine)
            return f"{what}: only in the task {own}, only in Unified Planning {other_own}"
    return None


def _initial(theirs: Any) -> tuple[set[Ground], dict[Ground, Any]]:
    facts: set[Ground] = set()
    values: dict[Ground, Any] = {}
    for fluent, value in theirs.explicit_initial_values.items():
        ground = (fluent.fluent().name.lower(), *(str(name).lower() for name in fluent.args))
        if not value.is_bool_constant():
            values[ground] = value.constant_value()
        elif value.constant_value():
            facts.add(ground)
    return facts, values


def _some(things: Iterable[Any]) -> str:
    found = sorted(map(_text, things))
    return ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "") or "none"


def _text(thing: Any) -> str:
    if isinstance(thing, tuple):
        return f"({' '.join(map(_text, thing))})"
    return str(thing)
