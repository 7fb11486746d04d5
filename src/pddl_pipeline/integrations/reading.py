"""Compare what another library read of a domain and problem with the task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.validation.explanation import condition_text, expression_text
from pddl_pipeline.validation.language import TOTAL_COST, conjuncts
from pddl_pipeline.validation.shapes import effects_shape, shape
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import OBJECT, Signature

_SHOWN = 3
_TOTAL_COST = (TOTAL_COST.function,)


class DifferentReading(InputError):
    """A library has read a different problem."""


def check_reading(task: Task, theirs: Task | Mapping[str, set[Any]], name: str) -> None:
    """Check that a library has read the problem of a task.

    Args:
        task: the task.
        theirs: the library's problem as a task; or the names of its objects and actions, and its
            initial facts and values.
        name: the library's name.

    Raises:
        DifferentReading: the problems differ.
    """
    found = _contents(theirs) if isinstance(theirs, Task) else theirs
    for what, parts in _contents(task).items():
        other = found.get(what, parts)
        own = parts if isinstance(other, dict) else {each: each for each in parts.values()}
        # Keys identify; values are the words for the message.
        only = [own[key] for key in own if key not in other]
        more = [other[key] if isinstance(other, dict) else key for key in other if key not in own]
        if only or more:
            left, right = _some(only), _some(more)
            how = (
                f"{left} differ"
                if left == right
                else f"only in the task {left}, only in {name} {right}"
            )
            raise DifferentReading(f"{name} reads a different problem: {what}: {how}")


def _contents(task: Task) -> dict[str, dict[Any, Any]]:
    """Return what a task consists of, and for each part what a message shows of it.

    Equal parts have equal keys, independent of order, nesting and repetition.
    """
    words, facts = task.vocabulary, task.facts
    tree = words.types
    derived = [axiom for group in words.strata for axiom in group]
    values = {key: value for key, value in facts.values.items() if key != _TOTAL_COST or value}
    return {
        "types": {(name, tree.with_ancestors([name])): name for name in {*tree.parents} - {OBJECT}},
        "objects": {(name, tree.declared and types): name for name, types in words.objects.items()},
        "predicates": _signatures(words.predicates),
        "functions": _signatures(words.functions),
        "derived predicates": {shape(each): each.head.predicate for each in derived},
        "actions": {
            (name, shape(each.parameters), shape(each.precondition), effects_shape(each.effects)): (
                name,
                len(each.parameters),
            )
            for name, each in words.actions.items()
        },
        "initial facts": {fact: fact for fact in facts.facts if fact[0] not in words.derived},
        "initial values": {each: each for each in values.items()},
        "goal": {shape(part): condition_text(part, {}) for part in conjuncts(facts.goal)},
        "metric": {shape(facts.metric): facts.metric and expression_text(facts.metric.value, {})},
    }


def _signatures(known: Mapping[str, Signature]) -> dict[Any, str]:
    return {(name, *map(frozenset, types)): name for name, types in known.items()}


def up_contents(theirs: Any) -> dict[str, set[Any]]:
    """Return the names and the initial facts and values of a problem of Unified Planning."""
    initial = {
        (fluent.fluent().name.lower(), *(str(name).lower() for name in fluent.args)): value
        for fluent, value in theirs.explicit_initial_values.items()
    }
    values = {
        (ground, value.constant_value())
        for ground, value in initial.items()
        if not value.is_bool_constant()
    }
    return {
        "objects": {each.name.lower() for each in theirs.all_objects},
        "actions": {(each.name.lower(), len(each.parameters)) for each in theirs.actions},
        "initial facts": {ground for ground, value in initial.items() if value.is_true()},
        "initial values": values - {(_TOTAL_COST, 0)},
    }


def _some(things: Iterable[Any]) -> str:
    found = sorted(map(_text, things))
    return ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "") or "none"


def _text(thing: Any) -> str:
    if isinstance(thing, tuple):
        return f"({' '.join(map(_text, thing))})"
    return str(thing)
