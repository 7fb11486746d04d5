"""A small exact parser of arithmetic: numbers, + - * /, parentheses.

A factor may stand without a sign, as in ``6(3+5)``, but not behind a division.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.number import MAX_DIGITS, Number, normal
from pddl_pipeline.model.operations import combine, is_defined, without_signs

MAX_TOKENS: Final = 10_000
"""Maximum number of tokens of an expression; 50 numbers need about 250."""
_CACHED: Final = 300
_LONGEST: Final = 2_000
"""Maximum length of an expression that is computed without the numbers of a task."""
_DIGITS: Final = r"\d+(?:\.\d+){0,3}"
_NUMBER: Final = re.compile(f"({_DIGITS})", re.ASCII)
_FOREIGN: Final = r"\*\*|//|<<|>>|[\^%!√²³&|~@]"
_TOKEN: Final = re.compile(
    rf"(?P<foreign>{_FOREIGN})|(?P<number>{_DIGITS})|(?P<sign>[-+*/()\[\]]|[xX](?![^\W\d_]))"
    r"|(?P<word>[^\W\d]\w*)(?P<call>\s{0,3}\()?|(?P<other>\S)",
    re.ASCII,
)
_ACTIONS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide",
}  # fmt: skip
_SAME: Final = {"[": "(", "]": ")", "x": "*", "X": "*"}


class Flaw(NamedTuple):
    """The reason why a text is not a countdown expression."""

    slug: ErrorKind
    message: str


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
    turned: bool = False
    """Whether a sign was eliminated."""

    def on(self, values: list[Number]) -> Number | None:
        """Return the exact result on numbers, which are modified; None after a division by 0."""
        for action, first, second in self.operations:
            if not is_defined(action, values[second]):
                return None
            values[first] = combine(action, values[first], values[second])
        return -values[self.result] if self.negative else values[self.result]


class Expression(NamedTuple):
    """The numbers of an expression as written, and its operations."""

    numbers: list[str]
    program: Program


class Worked(NamedTuple):
    """What an expression computes."""

    numbers: tuple[Number, ...]
    """Its numbers, sorted."""
    value: Number | None
    """Its value; None after a division by 0."""
    operations: frozenset[tuple[str, Number, Number]]
    """Its operations on exact values; the numbers of sums and products are sorted."""


def read_expression(text: str) -> Expression | Flaw:
    """Parse an expression. Shapes of short ones are cached, since answers have few shapes."""
    parts = _NUMBER.split(text)  # every second one is a number
    shape = "9".join(parts[::2])
    found = _program_of(shape) if len(shape) <= _CACHED else _parse(text)
    if isinstance(found, Flaw):
        found = _parse(text)  # with the text's own tokens instead of those of its shape
    return found if isinstance(found, Flaw) else Expression(parts[1::2], found)


def _parse(text: str) -> Program | Flaw:
    """Return the program of an expression of any numbers."""
    parts: list[str] = []
    divides, opened, operand = [False], 0, False
    for count, match in enumerate(_TOKEN.finditer(text)):
        if count >= MAX_TOKENS:
            return Flaw(ErrorKind.BAD_FORMAT, f"an expression of more than {MAX_TOKENS} tokens")
        token = _SAME.get(match[0], match[0])
        number = match.lastgroup == "number"
        joined = number and text[match.start() - 1 : match.start()] in (")", "]")
        if operand and (token == "(" or joined):  # noqa: S105 -- 6(3+5) or (3+5)6
            if divides[-1]:
                reason = "a factor without a sign after '/': a/b(c) is (a/b)*c or a/(b*c)"
                return Flaw(ErrorKind.BAD_FORMAT, reason)
            parts.append("*")
            operand = False
        flaw = (
            None if number and not operand else _misplaced(match.lastgroup, token, operand=operand)
        )
        opened += {"(": 1, ")": -1}.get(token, 0)
        if flaw or opened < 0:
            return flaw or Flaw(ErrorKind.BAD_FORMAT, "found ')' without '('")
        if token == ")":  # noqa: S105 -- a parenthesis
            divides.pop()
        elif not number:
            divides[-1] = token == "/"  # noqa: S105 -- a sign
            divides += [False] if token == "(" else []  # noqa: S105 -- a parenthesis
        operand = number or token == ")"  # noqa: S105 -- a parenthesis
        parts.append("9" if number else token)
    if opened or not operand:
        found = "'(' without ')'" if operand else "the end, expected a number or '('"
        return Flaw(ErrorKind.BAD_FORMAT, f"found {found}")
    try:
        return _Compiler().program(ast.parse("".join(parts), mode="eval").body)
    except (RecursionError, MemoryError, SyntaxError):
        return Flaw(ErrorKind.BAD_FORMAT, "an expression nested too deep")


class _Compiler:
    """Lists the operations of a syntax tree, inner ones first."""

    def __init__(self) -> None:
        self._operations: list[tuple[str, int, int]] = []
        self._numbers = 0
        self._turned = False

    def program(self, tree: ast.expr) -> Program:
        """Return the program of a tree."""
        result, negative = self._operand(tree)
        return Program(tuple(self._operations), result, negative, self._turned)

    def _operand(self, tree: ast.expr) -> tuple[int, bool]:
        """Return the position of a result, and whether a sign remains."""
        if isinstance(tree, ast.UnaryOp):
            position, negative = self._operand(tree.operand)
            minus = isinstance(tree.op, ast.USub)
            self._turned |= minus
            return position, negative != minus
        if isinstance(tree, ast.BinOp):
            (first, one), (second, two) = self._operand(tree.left), self._operand(tree.right)
            action = _ACTIONS[type(tree.op)]
            action, swapped, negative = without_signs(action, first=one, second=two)
            pair = (second, first) if swapped else (first, second)
            self._operations.append((action, *pair))
            return pair[0], negative
        self._numbers += 1
        return self._numbers - 1, False


def _misplaced(kind: str | None, token: str, *, operand: bool) -> Flaw | None:
    """Return why a token cannot occur here, after an operand or before one, or None."""
    shown = repr(token[:20])
    if kind == "foreign":
        return Flaw(ErrorKind.BAD_OPERATOR, f"{shown} is not one of the operators + - * /")
    if kind == "call":
        message = f"{token.rstrip('( ')[:20]!r} is a function, not one of the operators + - * /"
        return Flaw(ErrorKind.BAD_OPERATOR, message)
    if kind == "sign" and token in ("+-*/)" if operand else "(+-"):
        return None
    expected = "an operator" if operand else "a number or '('"
    return Flaw(ErrorKind.BAD_FORMAT, f"found {shown}, expected {expected}")


_program_of = lru_cache(maxsize=4096)(_parse)


def forget_shapes() -> None:
    """Clear the cache of shapes, for measuring the time of parsing."""
    _program_of.cache_clear()


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
    if isinstance(expression, Flaw):
        return None
    known = [value for word in expression.numbers if (value := number_of(word)) is not None]
    if len(known) < len(expression.numbers):
        return None
    numbers, operations = tuple(sorted(known)), set[tuple[str, Number, Number]]()
    for action, first, second in expression.program.operations:
        x, y = known[first], known[second]
        if not is_defined(action, y):
            return Worked(numbers, None, frozenset(operations))
        operations.add(ordered(action, x, y))
        known[first] = combine(action, x, y)
    value = known[expression.program.result]
    value = -value if expression.program.negative else value
    return Worked(numbers, value, frozenset(operations))


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
