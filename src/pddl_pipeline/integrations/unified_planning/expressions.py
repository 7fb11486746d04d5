"""Expressions of Unified Planning as PDDL, with exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from unified_planning.io.pddl_writer import ConverterToPDDLString

TRUE = "(and)"
FALSE = "(or)"


def decimal_text(value: Fraction) -> str | None:
    """Return a number as an exact PDDL number, or None if it has no finite decimal.

    Raises:
        ValueError: the number has more digits than Python converts.
    """
    twos, rest = _divided(value.denominator, 2)
    fives, rest = _divided(rest, 5)
    if rest != 1:
        return None
    places = max(twos, fives)
    if not places:
        return str(value.numerator)
    digits = str(abs(value.numerator) * 10**places // value.denominator).zfill(places + 1)
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _divided(number: int, factor: int) -> tuple[int, int]:
    """Return how often a factor divides a number, and the rest."""
    count = 0
    while number % factor == 0:
        number, count = number // factor, count + 1
    return count, number


class PddlExpressions(ConverterToPDDLString):  # type: ignore[misc] # it has no types
    """Writes expressions as PDDL.

    Unified Planning's own converter rounds numbers to ten digits, and does not write constants of
    truth values.
    """

    def __init__(self, environment: Any, name_of: Callable[[Any], str]) -> None:
        super().__init__(environment, name_of)

    def walk_real_constant(self, expression: Any, args: list[str]) -> str:
        """Return a number, as a quotient if it has no finite decimal."""
        del args
        value = expression.constant_value()
        text = decimal_text(value)
        return f"(/ {value.numerator} {value.denominator})" if text is None else text

    def walk_bool_constant(self, expression: Any, args: list[str]) -> str:
        """Return a condition that always holds, or one that never does."""
        del args
        return TRUE if expression.bool_constant_value() else FALSE
