"""Judges a bare expression in microseconds: without PDDL, a plan or reasons."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Final

from pddl_pipeline.answers.countdown.expression import Flaw, read_expression
from pddl_pipeline.model.number import Number

_LONGEST: Final = 2_000


def reaches(text: str, numbers: Collection[int], target: int, tolerance: Number = 0) -> bool | None:
    """Return whether an expression uses exactly these numbers, each once, and equals the target.

    Intermediate results may be negative or fractions, as in the 24 game and reasoning-gym.

    Args:
        text: an expression and nothing else. The result is None if it is not one, or is too long.
        numbers: the numbers to use.
        target: the number to reach.
        tolerance: allowed difference from the target.
    """
    expression = read_expression(text) if len(text) <= _LONGEST else None
    if expression is None or isinstance(expression, Flaw):
        return None
    if len(expression.numbers) != len(numbers) or not all(map(str.isdigit, expression.numbers)):
        return False
    values: list[Number] = [int(number) for number in expression.numbers]
    if sorted(values) != sorted(numbers):
        return False
    value = expression.program.on(values)
    return value is not None and (
        value == target or (bool(tolerance) and abs(Fraction(value) - target) <= tolerance)
    )
