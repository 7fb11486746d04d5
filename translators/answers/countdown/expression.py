"""A small exact parser of arithmetic: numbers, + - * /, parentheses. It computes no values.

A factor may stand without a sign, as in ``6(3+5)``, but not behind a division.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from pddl_pipeline.arithmetic.operations import ACTIONS, PRECEDENCE, without_signs
from pddl_pipeline.model.error_kind import ErrorKind

MAX_TOKENS: Final = 10_000
"""Maximum number of tokens of an expression; 50 numbers need about 250."""
_CACHED: Final = 300
_DIGITS: Final = r"\d+(?:\.\d+){0,3}"
_NUMBER: Final = re.compile(f"({_DIGITS})", re.ASCII)
_TOKEN: Final = re.compile(
    r"(?P<foreign>\*\*|//|<<|>>|[\^%!√²³&|~@])"
    rf"|(?P<number>{_DIGITS})"
    r"|(?P<sign>[-+*/()\[\]]|[xX](?![^\W\d_]))"
    r"|(?P<word>[^\W\d]\w*)(?P<call>\s{0,3}\()?"
    r"|(?P<other>\S)",
    re.ASCII,
)
_BINDING: Final = {"(": 0, **PRECEDENCE, "minus": 3}
# Tokens that may follow an operand, and tokens that may precede one.
_AFTER: Final = "+-*/)"
_BEFORE: Final = "(+-"
SAME: Final = {"[": "(", "]": ")", "x": "*", "X": "*"}
"""Alternative signs, each with the usual one."""


class Flaw(NamedTuple):
    """The reason why a text is not a countdown expression."""

    slug: ErrorKind
    message: str


_AMBIGUOUS: Final = Flaw(
    ErrorKind.BAD_FORMAT, "a factor without a sign after '/': a/b(c) is (a/b)*c or a/(b*c)"
)


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


def read_expression(text: str) -> Expression | Flaw:
    """Parse an expression. Shapes of short ones are cached, since answers have few shapes."""
    parts = _NUMBER.split(text)  # every second one is a number
    shape = "9".join(parts[::2])
    found = _program_of(shape) if len(shape) <= _CACHED else _parse(text)
    if isinstance(found, Program):
        return Expression(parts[1::2], found)
    return found if len(shape) > _CACHED else _flaw_of(text, found)


def _flaw_of(text: str, found: Flaw) -> Flaw:
    """Return the flaw with the text's own tokens instead of those of its shape."""
    again = _parse(text)
    return again if isinstance(again, Flaw) else found


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
            self._apply(self.operators.pop())

    def _apply(self, sign: str) -> None:
        second, second_negative = self.operands.pop()
        first, first_negative = self.operands.pop()
        action, swapped, negative = without_signs(
            ACTIONS[sign], first=first_negative, second=second_negative
        )
        if swapped:
            first, second = second, first
        self.operations.append((action, first, second))
        self.operands.append((first, negative))

    def close(self) -> bool:
        """Close a parenthesis; return whether one was open."""
        self.reduce(1)
        if not self.operators:
            return False
        self.operators.pop()
        self.negate()
        return True


def _parse(text: str) -> Program | Flaw:
    parser, operand = _Parser(), False
    for count, match in enumerate(_TOKEN.finditer(text)):
        if count >= MAX_TOKENS:
            return Flaw(ErrorKind.BAD_FORMAT, f"an expression of more than {MAX_TOKENS} tokens")
        kind, token = match.lastgroup, match[0]
        if kind == "number" and not operand:
            parser.number()
            operand = True
            continue
        token = SAME.get(token, token) if kind == "sign" else token
        if operand and _is_factor(text, match, token):
            if parser.operators and parser.operators[-1] == "/":
                return _AMBIGUOUS
            _open(parser, "*", operand=True)
            operand = False
            if kind == "number":
                parser.number()
                operand = True
                continue
        flaw = _misplaced(kind, token, operand=operand)
        if flaw is not None:
            return flaw
        if token == ")":  # noqa: S105 -- a parenthesis
            if not parser.close():
                return Flaw(ErrorKind.BAD_FORMAT, "found ')' without '('")
        else:
            _open(parser, token, operand=operand)
            operand = False
    return _finished(parser, operand=operand)


def _is_factor(text: str, match: re.Match[str], token: str) -> bool:
    """Return whether what follows an operand is multiplied by it: ``6(3+5)`` or ``(3+5)6``."""
    at = match.start()
    return token == "(" or (match.lastgroup == "number" and text[at - 1 : at] in (")", "]"))  # noqa: S105 -- a parenthesis


def _open(parser: _Parser, token: str, *, operand: bool) -> None:
    """Push a parenthesis or an operator that an operand must follow."""
    if token == "(":  # noqa: S105 -- a parenthesis
        parser.operators.append(token)
    elif operand:
        parser.reduce(_BINDING[token])
        parser.operators.append(token)
    elif token == "-":  # noqa: S105 -- a sign; a plus changes nothing
        parser.operators.append("minus")


def _misplaced(kind: str | None, token: str, *, operand: bool) -> Flaw | None:
    """Return why a token cannot occur here, after an operand or before one, or None."""
    shown = repr(token[:20])
    if kind == "foreign":
        return Flaw(ErrorKind.BAD_OPERATOR, f"{shown} is not one of the operators + - * /")
    if kind == "call":
        name = repr(token.rstrip("( \t\r\n")[:20])
        message = f"{name} is a function, not one of the operators + - * /"
        return Flaw(ErrorKind.BAD_OPERATOR, message)
    expected = "an operator" if operand else "a number or '('"
    fits = (token in _AFTER) if operand else (token in _BEFORE)
    if kind == "sign" and fits:
        return None
    return Flaw(ErrorKind.BAD_FORMAT, f"found {shown}, expected {expected}")


def _finished(parser: _Parser, *, operand: bool) -> Program | Flaw:
    if not operand:
        return Flaw(ErrorKind.BAD_FORMAT, "found the end, expected a number or '('")
    parser.reduce(1)
    if parser.operators:
        return Flaw(ErrorKind.BAD_FORMAT, "found '(' without ')'")
    ((result, negative),) = parser.operands
    return Program(tuple(parser.operations), result, negative, parser.turned)


_program_of = lru_cache(maxsize=4096)(_parse)


def forget_shapes() -> None:
    """Clear the cache of shapes, for measuring the time of parsing."""
    _program_of.cache_clear()
