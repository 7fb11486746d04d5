"""The tokens of a line of an answer: numbers, signs, parentheses, words."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

RESULT: Final = "\ue002"
"""Stands for the result of the step before."""
VERBAL: Final = "\ue003"
"""Stands before a step that was written in words."""
START: Final = "\ue004"
"""Stands before the number with which an answer in words starts."""
IS: Final = "\ue005"
"""Stands for a word such as ``equals``: an equals sign behind an expression, else nothing."""
_TOKEN: Final = re.compile(
    r"(?P<blank>[\s`_]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:_\d{3})+(?!\d)|\d+(?:\.\d+){0,3})"
    r"|(?P<arrow>[-=]{1,3}>|\u2192)"
    r"|(?P<unequal>\u2260|!=|=/=|<>)"
    rf"|(?P<equal>={{1,3}}|{IS})"
    r"|(?P<near>\u2248|~=|~(?=\s?\d))"
    r"|(?P<foreign>\*\*|//|<<|>>|[\^%!√²³~@])"
    r"|(?P<sign>[-+*/])"
    r"|(?P<times>[xX](?![^\W\d_]))"
    r"|(?P<open>[(\[{])"
    r"|(?P<close>[)\]}])"
    rf"|(?P<result>{RESULT})"
    r"|(?P<word>[^\W\d_]\w*(?:['\u2019]\w+)?)"
    r"|(?P<other>.)",
    re.ASCII,
)
_WORD: Final = re.compile(r"[^\W\d_][^\W_]*(?:_\w+)*(?:['\u2019]\w+)?")


class Kind(StrEnum):
    """What a token is."""

    NUMBER = "number"
    SIGN = "sign"
    TIMES = "times"
    OPEN = "open"
    CLOSE = "close"
    EQUAL = "equal"
    NEAR = "near"
    UNEQUAL = "unequal"
    ARROW = "arrow"
    FOREIGN = "foreign"
    RESULT = "result"
    WORD = "word"
    OTHER = "other"


_KINDS: Final = {kind.value: kind for kind in Kind}
_OPERANDS: Final = {Kind.NUMBER, Kind.RESULT, Kind.WORD, Kind.OPEN}
_ARITHMETIC: Final = {Kind.NUMBER, Kind.SIGN, Kind.TIMES, Kind.FOREIGN, Kind.RESULT}


class Token(NamedTuple):
    """A token, and where it stands."""

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool
    """Whether a blank stands before it."""


class Tokens(NamedTuple):
    """The tokens of a line, and which parentheses are arithmetic."""

    tokens: list[Token]
    partner: dict[int, int]
    """By index of a parenthesis, the index of its partner."""
    clean: frozenset[int]
    """The indexes of parentheses that enclose arithmetic only."""


def tokens_of(text: str, variables: frozenset[str] | set[str]) -> Tokens:
    """Return the tokens of a line.

    Args:
        text: the line, with keyboard signs.
        variables: names that stand for numbers.
    """
    tokens, spaced = list[Token](), False
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:  # a line end
            position, spaced = position + 1, True
            continue
        kind, end = match.lastgroup, match.end()
        if kind == "other" and (word := _WORD.match(text, position)):
            kind, end = "word", word.end()
        if kind != "blank":
            tokens.append(Token(_KINDS[kind], text[position:end], position, end, spaced))
        spaced = kind == "blank"
        position = end
    return _paired(tokens, variables)


def _paired(tokens: list[Token], variables: frozenset[str] | set[str]) -> Tokens:
    """Find the partner of each parenthesis, and whether only arithmetic is between them."""
    partner, clean = dict[int, int](), set[int]()
    opened: list[int] = []
    pure: list[bool] = []
    for at, token in enumerate(tokens):
        if token.kind is Kind.OPEN:
            opened.append(at)
            pure.append(True)
        elif token.kind is Kind.CLOSE:
            if not opened:
                continue
            start, is_pure = opened.pop(), pure.pop()
            is_pure = is_pure and tokens[at - 1].kind is not Kind.TIMES  # `5 (1x)`: used once
            is_pure = is_pure and any(
                each.kind in _OPERANDS for each in tokens[start + 1 : min(at, start + 9)]
            )
            partner[start], partner[at] = at, start
            if is_pure:
                clean |= {start, at}
            elif pure:
                pure[-1] = False
        elif pure and token.kind not in _ARITHMETIC and token.text not in variables:
            pure[-1] = False
    return Tokens(tokens, partner, frozenset(clean))
