"""Numeric expressions, comparisons and effects, compiled into functions."""

from __future__ import annotations

from collections.abc import Callable

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import COMBINE, CannotEvaluate, negated
from pddl_pipeline.validation.frame import Environment, Frame
from pddl_pipeline.validation.language import Arithmetic, Expression, Fluent, Update
from pddl_pipeline.validation.state import Change, State

Evaluate = Callable[[Environment, State], Number]
Updating = Callable[[Environment, State], Change]
"""Returns the numeric effect of a step in a state."""


def evaluation(expression: Expression, frame: Frame) -> Evaluate:
    """Return a function that computes a numeric expression.

    Like the other functions of this module's results, it raises CannotEvaluate when it reads an
    undefined fluent or divides by zero, and NotJudged when a number exceeds the limits.
    """
    match expression:
        case Fluent(function, terms):
            pick = frame.pick(function, *terms)

            def value(environment: Environment, state: State) -> Number:
                fluent = pick(environment)
                try:
                    return state.values[fluent]
                except KeyError:
                    raise CannotEvaluate(f"{atom_text(fluent)} is undefined") from None

            return value
        case Arithmetic(operator, operands):
            return _calculation(operator, operands, frame)
    return lambda _environment, _state: expression


def comparison(
    compare: Callable[[Number, Number], bool], left: Expression, right: Expression, frame: Frame
) -> Callable[[Environment, State], bool]:
    """Return a function that compares the values of two expressions."""
    first, second = evaluation(left, frame), evaluation(right, frame)
    return lambda environment, state: compare(first(environment, state), second(environment, state))


def updating(effect: Update, frame: Frame) -> Updating:
    """Return a function that computes a numeric effect."""
    pick = frame.pick(effect.fluent.function, *effect.fluent.terms)
    evaluate, operator = evaluation(effect.value, frame), effect.operator
    return lambda environment, state: (pick(environment), operator, evaluate(environment, state))


def _calculation(operator: str, operands: tuple[Expression, ...], frame: Frame) -> Evaluate:
    # A list, not a generator, which takes C stack that deep nesting would exhaust.
    first, *others = [evaluation(operand, frame) for operand in operands]
    if not others:
        return lambda environment, state: negated(first(environment, state))
    combine = COMBINE[operator]

    def calculation(environment: Environment, state: State) -> Number:
        result = first(environment, state)
        for operand in others:
            result = combine(result, operand(environment, state))
        return result

    return calculation
