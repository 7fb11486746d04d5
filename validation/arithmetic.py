"""Exact arithmetic, comparison and updates of fluents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.language import TOTAL_COST, Ground
from pddl_pipeline.validation.state import Change

MAX_BITS: Final = 2**20
"""Maximum size of a number, in bits. Repeated squaring exceeds it; below it, all is exact."""
_TOO_LARGE: Final = f"a number of more than {MAX_BITS} bits is not judged"


class CannotEvaluate(Exception):
    """A condition or effect reads an undefined fluent, divides by zero, or effects collide.

    The step or goal that needs the value fails; the message is the reason.
    """


def _checked(result: Number) -> Number:
    # Tests for the type, because `isinstance` and the properties of `Fraction` are slow.
    if type(result) is Fraction:
        numerator, denominator = result.as_integer_ratio()
        if denominator == 1:
            result = numerator
        elif denominator.bit_length() > MAX_BITS:
            raise NotJudged(_TOO_LARGE)
    elif isinstance(result, int):
        numerator = result
    else:
        return result  # an interval: see `discretised`
    if numerator.bit_length() > MAX_BITS:
        raise NotJudged(_TOO_LARGE)
    return result


# Integers of ordinary size avoid a further call: most plans compute only with these.


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
    if type(left) is int and type(right) is int:
        whole, rest = divmod(left, right)
        return _checked(Fraction(left, right) if rest else whole)
    return _checked((Fraction(left) if isinstance(left, int) else left) / right)


def _power(base: Number, exponent: Number) -> Number:
    if type(exponent) is not int:
        raise NotJudged("an exponent that is not a whole number is not judged")
    if exponent < 0:
        return _divide(1, _power(base, -exponent))
    # The size is bounded before the power is computed, which could take all memory.
    sizes = (
        [part.bit_length() for part in base.as_integer_ratio()]
        if isinstance(base, int | Fraction)
        # Intervals and algebraic numbers have no size in bits.
        else [1]
    )
    if max(sizes) * exponent > MAX_BITS:
        raise NotJudged(_TOO_LARGE)
    return _checked(base**exponent)


COMBINE: Final[Mapping[str, Callable[[Number, Number], Number]]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "^": _power,
}
"""The functions for ``+ - * / ^``. They raise CannotEvaluate and NotJudged."""

_COMPARE: Final[Mapping[str, Callable[[Number, Number], bool]]] = {
    "<": lt,
    "<=": le,
    "=": eq,
    ">=": ge,
    ">": gt,
}


def comparisons(tolerance: Number) -> Mapping[str, Callable[[Number, Number], bool]]:
    """Return the functions for ``< <= = >= >``, with an absolute tolerance like VAL's (1e-4).

    The tolerance also applies to strict comparisons: if it is above 0, ``(> 0 0)`` is true. If it
    is 0, comparisons are exact.
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


_ADDITIVE: Final = frozenset({"increase", "decrease"})
_TOTAL_COST: Final[Ground] = (TOTAL_COST.function,)
UPDATE: Final[Mapping[str, Callable[[Number, Number], Number]]] = {
    "increase": _add,
    "decrease": _subtract,
    "scale-up": _multiply,
    "scale-down": _divide,
}
"""For each numeric effect but ``assign``, its function of the old value and the operand."""


def updated(updates: Sequence[Change], values: Mapping[Ground, Number]) -> dict[Ground, Number]:
    """Return the new values of the updated fluents.

    Effects that increase or decrease one fluent add up; any other effect must be the only one on
    its fluent. Two scalings would commute, but PDDL 2.1 does not allow them, nor does VAL.

    Raises:
        CannotEvaluate: effects on one fluent exclude each other (Fox and Long 2003, section 6),
            or a fluent that they increase, decrease or scale is undefined.
    """
    new: dict[Ground, Number] = {}
    absolute: set[Ground] | None = None
    for fluent, operator, amount in updates:
        old = new.get(fluent)
        if old is None:
            old = values.get(fluent)
        else:
            # Only now: nearly all steps change each fluent once.
            if absolute is None:
                absolute = {name for name, how, _ in updates if how not in _ADDITIVE}
            if fluent in absolute:
                raise CannotEvaluate(
                    f"{atom_text(fluent)} is changed by effects that exclude each other"
                )
        if operator == "assign":
            new[fluent] = amount
        elif old is None and (fluent != _TOTAL_COST or operator != "increase"):
            raise CannotEvaluate(f"{atom_text(fluent)} is undefined")
        else:
            # Only the total cost may be undefined here; it starts from 0.
            new[fluent] = UPDATE[operator](old or 0, amount)
    return new
