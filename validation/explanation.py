"""Why a condition does not hold: every unsatisfied part, as ground PDDL and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import (
    And,
    Arithmetic,
    Atom,
    Binding,
    Comparison,
    Condition,
    Expression,
    Fluent,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
    ground,
)
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import State


class Unsatisfied(NamedTuple):
    """One condition that does not hold."""

    condition: str
    """Ground PDDL."""
    why: str
    """The condition and why it fails: the values of both sides, or what is undefined."""


def unsatisfied(
    semantics: Semantics, condition: Condition, binding: Binding, state: State
) -> list[Unsatisfied]:
    """Return the unsatisfied parts of a conjunction, or any other condition if unsatisfied.

    Raises:
        NotJudged: a part exceeds the limits of the validator, and no other part is unsatisfied.
    """
    if isinstance(condition, And):
        return _of_conjunction(semantics, condition, binding, state)
    values = ""
    try:
        if isinstance(condition, Comparison):
            operator = condition.operator
            left = semantics.value(condition.left, binding, state)
            right = semantics.value(condition.right, binding, state)
            if semantics.comparisons[operator](left, right):
                return []
            values = f": {number_text(left)} {operator} {number_text(right)} is false"
        elif semantics.holds(condition, binding, state):
            return []
    except CannotEvaluate as error:
        text = condition_text(condition, binding)
        return [Unsatisfied(text, f"{text} cannot be evaluated: {error}")]
    text = condition_text(condition, binding)
    return [Unsatisfied(text, f"{text} does not hold{values}")]


def _of_conjunction(
    semantics: Semantics, condition: And, binding: Binding, state: State
) -> list[Unsatisfied]:
    found: list[Unsatisfied] = []
    given_up: NotJudged | None = None
    for part in condition.parts:
        try:
            found += unsatisfied(semantics, part, binding, state)
        except NotJudged as error:
            given_up = error
    # One unsatisfied part decides the result. Without one, the result is unknown.
    if given_up is not None and not found:
        raise given_up
    return found


def condition_text(condition: Condition, binding: Binding) -> str:
    """Return a condition as PDDL, its variables replaced by their objects."""
    match condition:
        case Atom(predicate, terms):
            return atom_text(ground(predicate, terms, binding))
        case Same(left, right):
            return _list("=", binding.get(left, left), binding.get(right, right))
        case Comparison(operator, left, right):
            return _list(operator, expression_text(left, binding), expression_text(right, binding))
        case Not(part):
            return _list("not", condition_text(part, binding))
        case And(parts):
            return _list("and", *[condition_text(part, binding) for part in parts])
        case Or(parts):
            return _list("or", *[condition_text(part, binding) for part in parts])
        case Imply(left, right):
            return _list("imply", condition_text(left, binding), condition_text(right, binding))
        case Quantified(universal, variables, part):
            names = [variable.name for variable in variables]
            inner: Mapping[str, str] = {k: v for k, v in binding.items() if k not in names}
            kind = "forall" if universal else "exists"
            return _list(kind, _list(*names), condition_text(part, inner))


def expression_text(expression: Expression, binding: Binding) -> str:
    """Return a numeric expression as PDDL, its variables replaced by their objects."""
    match expression:
        case Fluent(function, terms):
            return atom_text(ground(function, terms, binding))
        case Arithmetic(operator, operands):
            return _list(operator, *[expression_text(operand, binding) for operand in operands])
    return number_text(expression)


def _list(*parts: str) -> str:
    return f"({' '.join(parts)})"
