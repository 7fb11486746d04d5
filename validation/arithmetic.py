"""Exact arithmetic, comparison and updates of fluents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.validation.language import Ground

MAX_BITS: Final = 2**20
"""Repeated squaring makes numbers that no machine can hold; up to here all is exact."""


class CannotEvaluate(Exception):
    """A condition or effect reads an undefined fluent, divides by zero, or effects collide.

    The step or the goal that needs it fails, and the message is the reason.
    """


def _checked(result: Number) -> Number:
    if isinstance(result, Fraction):
        result = normal(result)
        bits = max(result.numerator.bit_length(), result.denominator.bit_length())
    else:
        bits = result.bit_length()
    if bits > MAX_BITS:
        raise NotJudged(f"a number of more than {MAX_BITS} bits is not judged")
    return result


def _add(left: Number, right: Number) -> Number:
    return _checked(left + right)


def _subtract(left: Number, right: Number) -> Number:
    return _checked(left - right)


def _multiply(left: Number, right: Number) -> Number:
    return _checked(left * right)


def _divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise CannotEvaluate("division by zero")
    # An int divided by an int would be a float.
    return _checked(Fraction(left) / right)


def negated(number: Number) -> Number:
    """Return the number with the other sign."""
    return -number


COMBINE: Final[Mapping[str, Callable[[Number, Number], Number]]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
}
"""What ``+ - * /`` do with two numbers. They raise CannotEvaluate and NotJudged."""

_COMPARE: Final[Mapping[str, Callable[[Number, Number], bool]]] = {
    "<": lt,
    "<=": le,
    "=": eq,
    ">=": ge,
    ">": gt,
}


def comparisons(tolerance: Number) -> Mapping[str, Callable[[Number, Number], bool]]:
    """Return what ``< <= = >= >`` mean, with an absolute slack as VAL has it (there 1e-4).

    Strict comparisons have the slack too: with any, ``(> 0 0)`` is true. Without it all is exact.
    """
    if tolerance == 0:
        return _COMPARE
    return {
        "<": lambda left, right: left - right < tolerance,
        "<=": lambda left, right: left - right <= tolerance,
        "=": lambda left, right: abs(left - right) < tolerance,
        ">=": lambda left, right: left - right >= -tolerance,
        ">": lambda left, right: left - right > -tolerance,
    }


_ADDITIVE: Final = {"increase": _add, "decrease": _subtract}
_SCALING: Final = {"scale-up": _multiply, "scale-down": _divide}


def updated(
    fluent: Ground, updates: list[tuple[str, Number]], values: Mapping[Ground, Number]
) -> Number:
    """Return the new value of a fluent: additive effects add up, an assignment stands alone.

    Raises:
        CannotEvaluate: the effects exclude each other (Fox and Long 2003, definition 8), or the
            fluent that they change is undefined.
    """
    if len(updates) == 1 and updates[0][0] == "assign":
        return updates[0][1]
    operators = {operator for operator, _ in updates}
    combine = _ADDITIVE if operators <= _ADDITIVE.keys() else _SCALING
    if not operators <= combine.keys():
        raise CannotEvaluate(f"({' '.join(fluent)}) is changed by effects that exclude each other")
    if fluent not in values:
        raise CannotEvaluate(f"({' '.join(fluent)}) is undefined")
    result = values[fluent]
    for operator, amount in updates:
        result = combine[operator](result, amount)
    return result
