"""What a planner must support to solve a task."""

from __future__ import annotations

from collections.abc import Iterable

from pddl_pipeline.validation.language import (
    And,
    Arithmetic,
    Comparison,
    Condition,
    Effect,
    Expression,
    Fluent,
    ForEach,
    Imply,
    Not,
    Or,
    Quantified,
    Update,
    When,
)
from pddl_pipeline.validation.problem_reader import TOTAL_COST, TOTAL_TIME
from pddl_pipeline.validation.task import Task


def task_features(task: Task) -> frozenset[str]:
    """Return ``numeric`` if numbers decide what is possible, ``costs`` if actions have costs."""
    actions = task.vocabulary.actions.values()
    numeric = _compares(task.facts.goal) or any(
        _compares(action.precondition) or _changes_numbers(action.effects) for action in actions
    )
    found = {"numeric"} if numeric else set()
    metric = task.facts.metric
    return frozenset(found | ({"costs"} if metric and _reads(metric.value) else set()))


def _reads(expression: Expression) -> bool:
    """Whether a metric reads a fluent other than the number of steps."""
    match expression:
        case Fluent():
            return expression != TOTAL_TIME
        case Arithmetic(_, operands):
            return any(map(_reads, operands))
    return False


def _compares(condition: Condition) -> bool:
    match condition:
        case Comparison():
            return True
        case And(parts) | Or(parts):
            return any(map(_compares, parts))
        case Not(part) | Quantified(_, _, part):
            return _compares(part)
        case Imply(left, right):
            return _compares(left) or _compares(right)
    return False


def _changes_numbers(effects: Iterable[Effect]) -> bool:
    for effect in effects:
        match effect:
            case Update(_, fluent, _) if fluent != TOTAL_COST:
                return True
            case When(condition, inner) if _compares(condition) or _changes_numbers(inner):
                return True
            case ForEach(_, inner) if _changes_numbers(inner):
                return True
    return False
