"""Exact arithmetic, comparison and updates of fluents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import Change

MAX_BITS: Final = 2**20
"""Repeated squaring makes numbers that no machine can hold; up to here all is exact."""
_TOO_LARGE: Final = f"a number of more than {MAX_BITS} bits is not judged"


class CannotEvaluate(Exception):
    """A condition or effect reads an undefined fluent, divides by zero, or effects collide.

    The step or the goal that needs it fails, and the message is the reason.
    """


def _checked(result: Number) -> Number:
    # Asked this way round, because `isinstance` is slow on Fraction.
    if not isinstance(result, int):
        result = normal(result)
        if result.denominator.bit_length() > MAX_BITS:
            raise NotJudged(_TOO_LARGE)
    if result.numerator.bit_length() > MAX_BITS:
        raise NotJudged(_TOO_LARGE)
    return result


# Whole numbers of usual size need no call more: they are what most plans compute with.


def _add(left: Number, right: Number) -> Number:
    result = left + right
    return result if type(result) is int and result.bit_length() < MAX_BITS else _checked(result)


def _subtract(left: Number, right: Number) -> Number:
    result = left - right
    return result if type(result) is int and result.bit_length() < MAX_BITS else _checked(result)


def _multiply(left: Number, right: Number) -> Number:
    result = left * right
    return result if type(result) is int and result.bit_length() < MAX_BITS else _checked(result)


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


_UPDATE: Final[Mapping[str, tuple[str, Callable[[Number, Number], Number] | None]]] = {
    "assign": ("assignment", None),
    "increase": ("addition", _add),
    "decrease": ("addition", _subtract),
    "scale-up": ("scaling", _multiply),
    "scale-down": ("scaling", _divide),
}
"""Of each numeric effect its kind, and what it does to the old value and its operand."""


def updated(updates: Sequence[Change], values: Mapping[Ground, Number]) -> dict[Ground, Number]:
    """Return the new values of fluents: additive effects add up, an assignment stands alone.

    Raises:
        CannotEvaluate: effects on one fluent exclude each other (Fox and Long 2003, definition 8),
            or a fluent that they change is undefined.
    """
    new: dict[Ground, Number] = {}
    kinds: dict[Ground, str] = {}
    for fluent, operator, amount in updates:
        kind, combine = _UPDATE[operator]
        if kinds.setdefault(fluent, kind) != kind or (combine is None and fluent in new):
            raise CannotEvaluate(
                f"({' '.join(fluent)}) is changed by effects that exclude each other"
            )
        if combine is None:
            new[fluent] = amount
            continue
        old = new[fluent] if fluent in new else values.get(fluent)
        if old is None:
            raise CannotEvaluate(f"({' '.join(fluent)}) is undefined")
        new[fluent] = combine(old, amount)
    return new
