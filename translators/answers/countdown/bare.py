"""Judges a bare expression by itself: no PDDL, no plan, no reasons, and so in microseconds."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.answers.countdown.expression import (
    Expression,
    Flaw,
    Program,
    read_expression,
)
from pddl_pipeline.translators.answers.countdown.operations import computed, distance, number_of

_LONGEST: Final = 2_000


def reaches(text: str, numbers: Collection[int], target: int, tolerance: Number = 0) -> bool | None:
    """Whether an expression uses just these numbers, each once, and gives the target.

    Negative numbers and fractions are allowed on the way, as in the 24 game and reasoning-gym.

    Args:
        text: an expression and nothing else; None is returned for what is none, and for a long one.
        numbers: what may be used.
        target: what is to be reached.
        tolerance: by how much it may be missed.
    """
    expression = read_expression(text) if len(text) <= _LONGEST else None
    if expression is None or isinstance(expression, Flaw):
        return None
    if len(expression.numbers) != len(numbers) or not all(map(str.isdigit, expression.numbers)):
        return False
    values: list[Number] = [int(number) for number in expression.numbers]
    if sorted(values) != sorted(numbers):
        return False
    value = _result(expression.program, values)
    return value is not None and (value == target or distance(value, target) <= tolerance)


def _result(program: Program, values: list[Number]) -> Number | None:
    """Return the exact result on some numbers, which are used up; None after a division by 0."""
    for action, first, second in program.operations:
        value = computed(action, values[first], values[second])
        if value is None:
            return None
        values[first] = value
    result = values[program.result]
    return -result if program.negative else result


def value_of(expression: Expression) -> Number | None:
    """Return the exact value of an expression; None for a division by 0 or a number too long."""
    values = [number_of(word) for word in expression.numbers]
    known = [value for value in values if value is not None]
    return _result(expression.program, known) if len(known) == len(values) else None
