"""Why a condition does not hold: every unsatisfied part, as ground PDDL and in words."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from math import prod
from typing import Final, NamedTuple

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
    Variable,
    conjuncts,
    ground,
    walk,
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
    detail = ""
    try:
        if isinstance(condition, Comparison):
            operator = condition.operator
            left = semantics.value(condition.left, binding, state)
            right = semantics.value(condition.right, binding, state)
            if semantics.comparisons[operator](left, right):
                return []
            detail = f": {number_text(left)} {operator} {number_text(right)} is false"
        elif semantics.holds(condition, binding, state):
            return []
        else:
            with suppress(NotJudged):  # the condition is false; only the detail would take too long
                detail = _detail(semantics, condition, binding, state)
    except CannotEvaluate as error:
        text = condition_text(condition, binding)
        return [Unsatisfied(text, f"{text} cannot be evaluated: {error}")]
    text = condition_text(condition, binding)
    return [Unsatisfied(text, f"{text} does not hold{detail}")]


def _detail(semantics: Semantics, condition: Condition, binding: Binding, state: State) -> str:
    """Return for which objects a false condition fails, and why; empty if its text says enough.

    Raises:
        NotJudged: a part exceeds the limits of the validator.
    """
    match condition:
        case Imply(_, right):
            return f": {_joined(unsatisfied(semantics, right, binding, state))}"
        case Not(Quantified(False, variables, part)):
            # (not (exists (?b) (on ?b a))) fails for the b that is on a.
            every = Quantified(universal=True, variables=variables, part=Not(part))
            return _detail(semantics, every, binding, state)
        case Quantified():
            return _of_quantifier(semantics, condition, binding, state)
    return ""


_MOST_TRIED: Final = 5_000
"""Maximum number of combinations of objects that one explanation tries."""
_MOST_NAMED: Final = 3


def _of_quantifier(
    semantics: Semantics, condition: Quantified, outer: Binding, state: State
) -> str:
    """Return the objects for which a ``forall`` fails, or the nearest ones of an ``exists``."""
    variables, parts = condition.variables, list(conjuncts(condition.part))

    def failing(binding: Binding) -> And:
        return And(tuple(p for p in parts if not surely_holds(semantics, p, binding, state)))

    inner = (each for each, _ in walk(condition.part) if isinstance(each, Quantified))
    # Each combination of this quantifier costs all those of the ones inside it.
    most = max(1, _MOST_TRIED // max(1, prod(semantics.count(each.variables) for each in inner)))
    tried = ((b, failing(b)) for b in islice(semantics.bindings(variables, outer), most))
    if condition.universal:
        # One more than are named tells whether there are others.
        chosen = list(islice((pair for pair in tried if pair[1].parts), _MOST_NAMED + 1))
        others = " and others" if len(chosen) > _MOST_NAMED else ""
        names = ", ".join(_objects(variables, binding) for binding, _ in chosen[:_MOST_NAMED])
        said = f" for {names}{others}"
    else:
        # An object that satisfies no part is not near.
        near = (pair for pair in tried if len(pair[1].parts) < len(parts))
        chosen = sorted(near, key=lambda pair: len(pair[1].parts))[:1]
        said = " for any object"
        said += "".join(f"; nearest is {_objects(variables, binding)}" for binding, _ in chosen)
    if not chosen:  # a forall may fail only for objects that were not tried
        return "" if condition.universal else said
    binding, missing = chosen[0]
    return f"{said}: {_joined(unsatisfied(semantics, missing, binding, state))}"


def surely_holds(
    semantics: Semantics, condition: Condition, binding: Binding, state: State
) -> bool:
    """Return whether a condition holds; False if it cannot be evaluated."""
    try:
        return semantics.holds(condition, binding, state)
    except CannotEvaluate:
        return False


def _objects(variables: tuple[Variable, ...], binding: Binding) -> str:
    names = [binding[variable.name] for variable in variables]
    return names[0] if len(names) == 1 else atom_text(names)


def _joined(missing: list[Unsatisfied]) -> str:
    return "; ".join(each.why for each in missing)


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
