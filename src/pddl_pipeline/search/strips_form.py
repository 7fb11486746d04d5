"""Recognises plain STRIPS with types, equality, negated atoms, and action costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pddl_pipeline.validation.effects import effects_of
from pddl_pipeline.validation.language import (
    Action,
    Add,
    Arithmetic,
    Atom,
    Condition,
    Delete,
    Effect,
    Expression,
    Fluent,
    Not,
    Same,
    Update,
)
from pddl_pipeline.validation.problem_reader import TOTAL_COST, TOTAL_TIME
from pddl_pipeline.validation.schema import conjuncts
from pddl_pipeline.validation.task import Task


class Rule(NamedTuple):
    """An action schema with its parts grouped by kind."""

    action: Action
    atoms: tuple[Atom, ...]
    """The atoms that must hold."""
    negated: tuple[Atom, ...]
    """The atoms that must not hold."""
    alike: tuple[tuple[Same, bool], ...]
    """Equalities, and whether each must hold."""
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    prices: tuple[Expression, ...]
    """The increases of total-cost; they read only constant values."""


def rules_of(task: Task) -> list[Rule] | None:
    """Return the actions of a task as rules; None if the task is not plain STRIPS."""
    metric = task.facts.metric
    served = metric is None or (not metric.maximise and metric.value in (TOTAL_COST, TOTAL_TIME))
    if not served or task.vocabulary.strata or literals(task.facts.goal) is None:
        return None
    has_costs = any(isinstance(each, Update) for each in effects_of(task.vocabulary))
    if (TOTAL_COST.function,) not in task.facts.values and has_costs:
        return None
    rules = [_rule(action) for action in task.vocabulary.actions.values()]
    found = [rule for rule in rules if rule is not None]
    return found if len(found) == len(rules) else None


def literals(condition: Condition) -> list[tuple[Atom, bool]] | None:
    """Return the atoms of a conjunction and whether each must hold; None for other conditions."""
    found: list[tuple[Atom, bool]] = []
    for part in conjuncts(condition):
        match part:
            case Atom():
                found.append((part, True))
            case Not(Atom() as atom):
                found.append((atom, False))
            case _:
                return None
    return found


def _rule(action: Action) -> Rule | None:
    parts = list(conjuncts(action.precondition))
    alike = [found for found in map(_alike, parts) if found is not None]
    atoms = [part for part in parts if isinstance(part, Atom)]
    negated = [part.part for part in parts if isinstance(part, Not) and isinstance(part.part, Atom)]
    effects = _effects(action.effects)
    if effects is None or len(alike) + len(atoms) + len(negated) < len(parts):
        return None
    return Rule(action, tuple(atoms), tuple(negated), tuple(alike), *effects)


def _alike(part: Condition) -> tuple[Same, bool] | None:
    match part:
        case Same():
            return part, True
        case Not(Same() as same):
            return same, False
    return None


def _effects(
    effects: Iterable[Effect],
) -> tuple[tuple[Atom, ...], tuple[Atom, ...], tuple[Expression, ...]] | None:
    """Return the atoms that effects add and delete, and their costs; None for other effects."""
    adds, deletes, prices = list[Atom](), list[Atom](), list[Expression]()
    for effect in effects:
        match effect:
            case Add(atom):
                adds.append(atom)
            case Delete(atom):
                deletes.append(atom)
            case Update("increase", fluent, value) if fluent == TOTAL_COST and _is_fixed(value):
                prices.append(value)
            case _:
                return None
    return tuple(adds), tuple(deletes), tuple(prices)


def _is_fixed(value: Expression) -> bool:
    """Return whether an expression does not read total-cost, the only fluent that changes."""
    match value:
        case Fluent():
            return value != TOTAL_COST
        case Arithmetic(_, operands):
            return all(map(_is_fixed, operands))
    return True
