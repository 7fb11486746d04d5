"""Operations of answers, and the numbers in their text."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pddl_pipeline.arithmetic.operations import SIGNS, operand_text, without_signs
from pddl_pipeline.model.number import MAX_DIGITS, Number, normal
from pddl_pipeline.translators.answers.lines import AnswerLine


class Operand(NamedTuple):
    """A number that an operation combines."""

    value: Number | None
    """None if it is unknown: after a division by 0, or if it is too large."""
    name: str | None
    """Name of its object; None if it is not on the board."""
    turned: bool = False
    """Whether the object holds minus the value, because of a sign before it."""

    @property
    def held(self) -> Number | None:
        """The number that the object holds."""
        return -self.value if self.turned and self.value is not None else self.value


class Operation(NamedTuple):
    """One operation of an answer."""

    action: str
    """This project's name of the action."""
    first: Operand
    second: Operand
    value: Number | None
    """The result; None if it is unknown."""
    piece: AnswerLine
    """The piece that contains it."""

    @property
    def sum(self) -> str:
        """The operation as an expression, such as ``5 - 8``."""
        return f"{shown(self.first.value)} {SIGNS[self.action]} {shown(self.second.value)}"


def shown(value: Number | None) -> str:
    """Return the text of a number for a message."""
    if value is None:
        return "?"
    if max(abs(value.numerator), value.denominator).bit_length() > 200:
        return "a large number"
    return operand_text(value)


def turned_around(operand: Operand) -> Operand:
    """Return the negated number."""
    value = None if operand.value is None else -operand.value
    return Operand(value, operand.name, not operand.turned)


def worked_out(action: str, first: Operand, second: Operand) -> tuple[str, Operand, Operand, bool]:
    """Return an operation without signs before its numbers, and whether a sign remains."""
    x, y = Operand(first.held, first.name), Operand(second.held, second.name)
    action, swapped, negative = without_signs(action, first=first.turned, second=second.turned)
    return (action, y, x, negative) if swapped else (action, x, y, negative)


def distance(x: Number, y: Number) -> Fraction:
    """Return the distance of two numbers."""
    return abs(Fraction(x) - y)


def number_of(word: str) -> Number | None:
    """Return the value of ``12``, ``-3``, ``8/3`` or ``2.5``; None if it is invalid or too long."""
    if len(word) > MAX_DIGITS:
        return None
    try:
        return int(word) if word.isdigit() else normal(Fraction(word.replace(" ", "")))
    except (ValueError, ZeroDivisionError):
        return None


def cut(word: str) -> str:
    """Return a number as written, or its length if it is long, for a message."""
    return word if len(word) <= 40 else f"a number of {len(word)} digits"
