"""A small exact parser of arithmetic: numbers, + - * /, parentheses.

A factor may stand without a sign, as in ``6(3+5)``, but not behind a division.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import Fault
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.number import MAX_DIGITS, Number, normal
from pddl_pipeline.model.operations import ACTIONS, PRECEDENCE, combine, is_defined, without_signs

_CACHED: Final = 300
_LONGEST: Final = 2_000
"""Maximum length of an expression that is computed without the numbers of a task."""
_DIGITS: Final = r"\d+(?:\.\d+){0,3}"
_NUMBER: Final = re.compile(f"({_DIGITS})", re.ASCII)
_FOREIGN: Final = r"\*\*|//|<<|>>|[\^%!√²³&|~@]"
_TOKEN: Final = re.compile(
    rf"(?P<foreign>{_FOREIGN})|(?P<number>{_DIGITS})|(?P<sign>[-+*/()\[\]\u00b7]|[xX](?![^\W\d_]))"
    r"|(?P<word>[^\W\d]\w*)(?P<call>\s{0,3}\()?|(?P<other>\S)",
    re.ASCII,
)
_BEFORE: Final = ("- ", "+ ")
"""The signs before a number."""
_PRODUCT: Final = "\u00b7"
"""The sign of a product without a sign: 6(3+5) or (3+5)6."""
_NO_SIGN: Final = re.compile(
    rf"((?<![A-WYZa-wyz_.\d]){_DIGITS}|[)\]])\s*(?=[(\[])|([)\]])(?=\d)", re.ASCII
)
_RANKS: Final = {"(": 0, **PRECEDENCE, _PRODUCT: 3, **dict.fromkeys(_BEFORE, 3)}
_SAME: Final = {"[": "(", "]": ")", "x": "*", "X": "*"}


class Program(NamedTuple):
    """The operations of an expression on its numbers, by their 0-based positions in the text.

    Signs are eliminated: ``-5 + 8`` becomes 8 - 5. The values of the numbers do not matter here.
    """

    operations: tuple[tuple[str, int, int], ...]
    """Action, first and second position; the result stays at the first."""
    result: int
    """Position of the result."""
    negative: bool = False
    """Whether a sign remains, so that the expression is minus the result."""

    def on(
        self, values: list[Number], done: set[tuple[str, Number, Number]] | None = None
    ) -> Number | None:
        """Return the exact result on numbers, which are modified; None after a division by 0.

        The operations are added to ``done``, the numbers of sums and products sorted.
        """
        for action, first, second in self.operations:
            x, y = values[first], values[second]
            if not is_defined(action, y):
                return None
            if done is not None:
                done.add(ordered(action, x, y))
            values[first] = combine(action, x, y)
        return -values[self.result] if self.negative else values[self.result]


class Worked(NamedTuple):
    """What an expression computes."""

    numbers: tuple[Number, ...]
    """Its numbers, sorted."""
    value: Number | None
    """Its value; None after a division by 0."""
    operations: frozenset[tuple[str, Number, Number]]
    """Its operations on exact values; the numbers of sums and products are sorted."""


def read_expression(text: str) -> tuple[list[str], Program] | Fault:
    """Return the numbers of an expression as written, and its operations; or what is wrong.

    The operations of short texts are cached, since answers have few shapes.
    """
    parts = _NUMBER.split(text)  # every second one is a number
    shape = "9".join(parts[::2])
    found = program_of(shape) if len(shape) <= _CACHED else _parse(text)
    if isinstance(found, Fault):
        found = _parse(text)  # with the text's own tokens instead of those of its shape
    return found if isinstance(found, Fault) else (parts[1::2], found)


def _parse(text: str) -> Program | Fault:  # noqa: C901 -- a case for each kind of token
    """Return the program of an expression of any numbers."""
    # The shunting-yard algorithm (Dijkstra 1961): one stack of signs, one of operands.
    signs, values = list[str](), list[tuple[int, bool]]()
    operations = list[tuple[str, int, int]]()
    operand, numbers = False, 0
    for match in _TOKEN.finditer(_NO_SIGN.sub(rf"\1\2{_PRODUCT}", text)):
        token, kind = _SAME.get(match[0], match[0]), match.lastgroup
        flaw = _misplaced(kind, token, operand=operand)
        if flaw:
            return flaw
        if kind == "number":
            values.append((numbers, False))
            numbers += 1
        elif token == ")":  # noqa: S105 -- a parenthesis
            _apply(signs, values, operations, 1)
            if not signs:
                return Fault(ErrorKind.BAD_FORMAT, "found ')' without '('")
            signs.pop()
        else:
            if operand:
                _apply(signs, values, operations, _RANKS[token])
            if token == _PRODUCT:
                if signs[-1:] == ["/"]:
                    return Fault(
                        ErrorKind.BAD_FORMAT,
                        "a factor without a sign after '/': a/b(c) is (a/b)*c or a/(b*c)",
                    )
                # Before the factor, all products on its left: 6 * 2(3) is (6 * 2) * 3.
                _apply(signs, values, operations, 2)
                token = "*"  # noqa: S105 -- a sign
            alone = operand or token == "("  # noqa: S105 -- a parenthesis
            signs.append(token if alone else f"{token} ")
        operand = token == ")" or kind == "number"  # noqa: S105 -- a parenthesis
    if not operand:
        return Fault(ErrorKind.BAD_FORMAT, "found the end, expected a number or '('")
    _apply(signs, values, operations, 1)
    if signs:
        return Fault(ErrorKind.BAD_FORMAT, "found '(' without ')'")
    return Program(tuple(operations), *values[0])


def _apply(
    signs: list[str],
    values: list[tuple[int, bool]],
    operations: list[tuple[str, int, int]],
    rank: int,
) -> None:
    """Apply the signs that bind at least as closely as a rank, the last one first.

    Args:
        signs: the signs and parentheses that wait for their second number; a blank follows a sign
            before a number.
        values: the position of each value, and whether a minus sign stands before it.
        operations: the operations, extended here.
        rank: the rank.
    """
    while signs and _RANKS[signs[-1]] >= rank:
        sign, (second, two) = signs.pop(), values.pop()
        if sign in _BEFORE:
            values.append((second, two != (sign == "- ")))
            continue
        first, one = values.pop()
        action, swapped, negative = without_signs(ACTIONS[sign], first=one, second=two)
        pair = (second, first) if swapped else (first, second)
        operations.append((action, *pair))
        values.append((pair[0], negative))


def _misplaced(kind: str | None, token: str, *, operand: bool) -> Fault | None:
    """Return why a token cannot occur here, after an operand or before one, or None."""
    if kind in ("foreign", "call"):
        function = "a function, not" if kind == "call" else "not"
        name = repr(token.rstrip("( ")[:20])
        return Fault(ErrorKind.BAD_OPERATOR, f"{name} is {function} one of the operators + - * /")
    if (kind == "number" and not operand) or (
        kind == "sign" and token in (f"+-*/){_PRODUCT}" if operand else "(+-")
    ):
        return None
    expected = "an operator" if operand else "a number or '('"
    return Fault(ErrorKind.BAD_FORMAT, f"found {token[:20]!r}, expected {expected}")


program_of = lru_cache(maxsize=4096)(_parse)
"""Parses the shape of an expression; shapes repeat."""


def number_of(word: str) -> Number | None:
    """Return the value of ``12``, ``-3``, ``8/3`` or ``2.5``; None if it is invalid or too long."""
    if len(word) > MAX_DIGITS:
        return None
    try:
        return int(word) if word.isdigit() else normal(Fraction(word.replace(" ", "")))
    except (ValueError, ZeroDivisionError):
        return None


def worked_out(text: str) -> Worked | None:
    """Return what an expression computes; None for other texts, and for long ones."""
    return _worked_out(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=1024)
def _worked_out(text: str) -> Worked | None:
    expression = read_expression(text)
    if isinstance(expression, Fault):
        return None
    words, program = expression
    known = [value for word in words if (value := number_of(word)) is not None]
    if len(known) < len(words):
        return None
    numbers, done = tuple(sorted(known)), set[tuple[str, Number, Number]]()
    value = program.on(known, done)
    return Worked(numbers, value, frozenset(done))


def ordered(action: str, x: Number, y: Number) -> tuple[str, Number, Number]:
    """Return an operation with the numbers of a sum or a product sorted."""
    return (action, y, x) if action in {"add", "multiply"} and x > y else (action, x, y)


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
    if expression is None or isinstance(expression, Fault):
        return None
    words, program = expression
    values: list[Number] = [int(word) if word.isdigit() else -1 for word in words]
    if sorted(values) != sorted(numbers):
        return False
    value = program.on(values)
    return value is not None and (
        value == target or (bool(tolerance) and abs(Fraction(value) - target) <= tolerance)
    )
