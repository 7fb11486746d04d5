"""A small exact parser of arithmetic: numbers, + - * /, parentheses.

A factor may stand without a sign, as in ``6(3+5)``, but not behind a division.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.arithmetic.operations import (
    ACTIONS,
    PRECEDENCE,
    combine,
    is_defined,
    without_signs,
)
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.number import MAX_DIGITS, Number, normal

MAX_TOKENS: Final = 10_000
"""Maximum number of tokens of an expression; 50 numbers need about 250."""
_CACHED: Final = 300
_LONGEST: Final = 2_000
"""Maximum length of an expression whose value is computed without the numbers of a task."""
_DIGITS: Final = r"\d+(?:\.\d+){0,3}"
_NUMBER: Final = re.compile(f"({_DIGITS})", re.ASCII)
_FOREIGN: Final = r"\*\*|//|<<|>>|[\^%!√²³&|~@]"
_TOKEN: Final = re.compile(
    rf"(?P<foreign>{_FOREIGN})|(?P<number>{_DIGITS})|(?P<sign>[-+*/()\[\]]|[xX](?![^\W\d_]))"
    r"|(?P<word>[^\W\d]\w*)(?P<call>\s{0,3}\()?|(?P<other>\S)",
    re.ASCII,
)
_BINDING: Final = {"(": 0, **PRECEDENCE, "minus": 3}
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


class _Parser:
    """The two stacks of an operator-precedence parser; not recursive, so nesting is unlimited."""

    def __init__(self) -> None:
        self.operators: list[str] = []
        self.operands: list[tuple[int, bool]] = []
        self.operations: list[tuple[str, int, int]] = []
        self.numbers = 0
        self.turned = False

    def number(self) -> None:
        """Push the next number."""
        self.operands.append((self.numbers, False))
        self.numbers += 1
        self.negate()

    def negate(self) -> None:
        """Apply the signs before the last operand."""
        while self.operators and self.operators[-1] == "minus":
            self.operators.pop()
            position, negative = self.operands.pop()
            self.operands.append((position, not negative))
            self.turned = True

    def reduce(self, binding: int) -> None:
        """Apply the operators that bind at least as strongly."""
        while self.operators and _BINDING[self.operators[-1]] >= binding:
            sign = self.operators.pop()
            (first, one), (second, two) = self.operands[-2:]
            action, swapped, negative = without_signs(ACTIONS[sign], first=one, second=two)
            if swapped:
                first, second = second, first
            self.operations.append((action, first, second))
            self.operands[-2:] = [(first, negative)]

    def sign(self, token: str, *, operand: bool) -> bool:
        """Push a sign, or close a parenthesis; return whether an operand is complete."""
        if token == ")":  # noqa: S105 -- a parenthesis
            self.reduce(1)
            self.operators.pop()
            self.negate()
            return True
        if token != "(" and operand:  # noqa: S105 -- a parenthesis
            self.reduce(_BINDING[token])
        elif token == "-":  # noqa: S105 -- a sign; a plus changes nothing
            token = "minus"  # noqa: S105
        if token == "(" or operand or token == "minus":  # noqa: S105
            self.operators.append(token)
        return False


def _parse(text: str) -> Program | Flaw:
    parser, operand = _Parser(), False
    for count, match in enumerate(_TOKEN.finditer(text)):
        if count >= MAX_TOKENS:
            return Flaw(ErrorKind.BAD_FORMAT, f"an expression of more than {MAX_TOKENS} tokens")
        token = _SAME.get(match[0], match[0])
        number = match.lastgroup == "number"
        joined = number and text[match.start() - 1 : match.start()] in (")", "]")
        if operand and (token == "(" or joined):  # noqa: S105 -- 6(3+5) or (3+5)6
            if parser.operators and parser.operators[-1] == "/":
                reason = "a factor without a sign after '/': a/b(c) is (a/b)*c or a/(b*c)"
                return Flaw(ErrorKind.BAD_FORMAT, reason)
            operand = parser.sign("*", operand=True)
        if number and not operand:
            parser.number()
            operand = True
            continue
        flaw = _misplaced(match.lastgroup, token, operand=operand)
        if flaw is not None:
            return flaw
        if token == ")":  # noqa: S105 -- a parenthesis
            parser.reduce(1)
        if token == ")" and not parser.operators:  # noqa: S105 -- a parenthesis
            return Flaw(ErrorKind.BAD_FORMAT, "found ')' without '('")
        operand = parser.sign(token, operand=operand)
    if not operand:
        return Flaw(ErrorKind.BAD_FORMAT, "found the end, expected a number or '('")
    parser.reduce(1)
    if parser.operators:
        return Flaw(ErrorKind.BAD_FORMAT, "found '(' without ')'")
    ((result, negative),) = parser.operands
    return Program(tuple(parser.operations), result, negative, parser.turned)


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


@lru_cache(maxsize=1024)
def worked_out(text: str) -> Worked | None:
    """Return what an expression computes; None for other texts, and for long ones."""
    expression = read_expression(text) if len(text) <= _LONGEST else None
    if expression is None or isinstance(expression, Flaw):
        return None
    values = [number_of(word) for word in expression.numbers]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    numbers, operations = tuple(sorted(known)), set[tuple[str, Number, Number]]()
    program = expression.program
    for action, first, second in program.operations:
        x, y = known[first], known[second]
        if not is_defined(action, y):
            return Worked(numbers, None, frozenset(operations))
        known[first] = combine(action, x, y)
        swapped = action in {"add", "multiply"} and x > y
        operations.add((action, y, x) if swapped else (action, x, y))
    value = -known[program.result] if program.negative else known[program.result]
    return Worked(numbers, value, frozenset(operations))
