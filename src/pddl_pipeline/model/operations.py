"""Countdown's four operations: actions, signs, precedence, exact results, and texts of operands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, overload

from pddl_pipeline.model.number import Number, normal

ACTIONS: Final = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
"""The PDDL actions of the operations, by sign."""
SIGNS: Final = {action: sign for sign, action in ACTIONS.items()}
CHECK: Final = "checkgoal"
"""The action that checks the last number."""
PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "/": 2}


def is_defined(action: str, second: float | Number) -> bool:
    """Return whether an operation has a result for a second number; a division by 0 has none."""
    return action != "divide" or bool(second)


@overload
def combine(action: str, x: Number, y: Number) -> Number: ...
@overload
def combine(action: str, x: float, y: float) -> float: ...
def combine(action: str, x: Any, y: Any) -> Any:
    """Return the result of an operation, exact unless a number is a float.

    Raises:
        ZeroDivisionError: the operation is a division by 0.
    """
    if action == "divide":
        return quotient(x, y)
    value = x + y if action == "add" else x - y if action == "subtract" else x * y
    # Tests for the type, because `isinstance` is slow for `Fraction`.
    return normal(value) if type(value) is Fraction else value


def quotient(x: Any, y: Any) -> Any:
    """Return x / y, exact unless a number is a float.

    Raises:
        ZeroDivisionError: y is 0.
    """
    if isinstance(x, int) and isinstance(y, int):
        whole, rest = divmod(x, y)
        return Fraction(x, y) if rest else whole
    value = x / y
    return normal(value) if type(value) is Fraction else value


def without_signs(action: str, *, first: bool, second: bool) -> tuple[str, bool, bool]:
    """Return an operation on signed numbers as an operation on their absolute values.

    For example, -5 + 8 is 8 - 5, and -5 - 8 is -(5 + 8).

    Args:
        action: the operation.
        first: whether the first number has a minus sign.
        second: whether the second number has a minus sign.

    Returns:
        The action, whether the numbers change places, and whether the result is negated.
    """
    if action in {"multiply", "divide"}:
        return action, False, first != second
    if first == (second != (action == "subtract")):
        return "add", False, first
    return "subtract", first, False


def operand_text(value: Number) -> str:
    """Return a number as an operand, a fraction in parentheses: ``12`` or ``(3/4)``."""
    return str(value) if value.denominator == 1 else f"({value})"
