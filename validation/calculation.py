"""Numeric expressions, comparisons and effects, compiled into functions.

Almost all operands in PDDL are fluents or numbers. Functions of two of them read the values without
further calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.arithmetic import COMBINE, CannotEvaluate, negated
from pddl_pipeline.validation.frame import Environment, Frame
from pddl_pipeline.validation.language import Arithmetic, Expression, Fluent, Update
from pddl_pipeline.validation.state import Change, State

Evaluate = Callable[[Environment, State], Number]
Updating = Callable[[Environment, State], Change]
"""Returns the numeric effect of a step in a state."""
Result = TypeVar("Result", Number, bool)


def evaluation(expression: Expression, frame: Frame) -> Evaluate:
    """Return a function that computes a numeric expression.

    Like the other functions of this module's results, it raises CannotEvaluate when it reads an
    undefined fluent or divides by zero, and NotJudged when a number exceeds the limits.
    """
    match expression:
        case Fluent(function, terms):
            pick = frame.pick(function, *terms)

            def value(environment: Environment, state: State) -> Number:
                try:
                    return state.values[pick(environment)]
                except KeyError as error:
                    raise _undefined(error) from None

            return value
        case Arithmetic(operator, operands):
            return _calculation(operator, operands, frame)
    return lambda _environment, _state: expression


def of_two(
    function: Callable[[Number, Number], Result], left: Expression, right: Expression, frame: Frame
) -> Callable[[Environment, State], Result]:
    """Return a function that applies a function to the values of two expressions."""
    if isinstance(left, Fluent) and isinstance(right, Fluent):
        one, other = (
            frame.pick(left.function, *left.terms),
            frame.pick(right.function, *right.terms),
        )

        def of_fluents(environment: Environment, state: State) -> Result:
            values = state.values
            try:
                x, y = values[one(environment)], values[other(environment)]
            except KeyError as error:
                raise _undefined(error) from None
            return function(x, y)

        return of_fluents
    first, second = evaluation(left, frame), evaluation(right, frame)
    return lambda environment, state: function(
        first(environment, state), second(environment, state)
    )


def updating(effect: Update, frame: Frame) -> Updating:
    """Return a function that computes a numeric effect."""
    operator, amount = effect.operator, effect.value
    pick = frame.pick(effect.fluent.function, *effect.fluent.terms)
    match amount:
        case Fluent(function, terms):
            other = frame.pick(function, *terms)

            def by_fluent(environment: Environment, state: State) -> Change:
                try:
                    return pick(environment), operator, state.values[other(environment)]
                except KeyError as error:
                    raise _undefined(error) from None

            return by_fluent
        case Arithmetic():
            evaluate = evaluation(amount, frame)
            return lambda environment, state: (
                pick(environment), operator, evaluate(environment, state),
            )  # fmt: skip
    if frame.is_ground(*effect.fluent.terms):
        change = (effect.fluent.function, *effect.fluent.terms), operator, amount
        return lambda _environment, _state: change
    return lambda environment, _: (pick(environment), operator, amount)


def _undefined(error: KeyError) -> CannotEvaluate:
    return CannotEvaluate(f"{atom_text(error.args[0])} is undefined")


def _calculation(operator: str, operands: tuple[Expression, ...], frame: Frame) -> Evaluate:
    if len(operands) == 1:
        operand = evaluation(operands[0], frame)
        return lambda environment, state: negated(operand(environment, state))
    combine = COMBINE[operator]
    if len(operands) == 2:
        # Not `*operands`: such a call takes C stack, which deep nesting would exhaust.
        left, right = operands
        return of_two(combine, left, right, frame)
    first, *others = (evaluation(operand, frame) for operand in operands)

    def calculation(environment: Environment, state: State) -> Number:
        result = first(environment, state)
        for operand in others:
            result = combine(result, operand(environment, state))
        return result

    return calculation
