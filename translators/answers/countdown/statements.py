"""Finds the statements in a line of an answer: expressions, equations, chains, assignments."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Final, NamedTuple

from pddl_pipeline.arithmetic.operations import operand_text
from pddl_pipeline.translators.answers.countdown.statement import Claim, value_of_text
from pddl_pipeline.translators.answers.countdown.tokens import IS, Kind, Token, tokens_of

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*", re.ASCII)
_VALUE: Final = re.compile(r"-?\d+(?:[/.]\d+)?|\d{1,3}(?:,\d{3})+|\(-?\d+(?:[/.]\d+)?\)", re.ASCII)
_LABELS: Final = frozenset(
    ("step", "line", "move", "option", "operation", "attempt", "round", "part", "case", "method",
     "solution", "way", "example", "number", "approach", "try", "answer", "equation")
)  # fmt: skip
_PRINTS: Final = frozenset(("print", "eval", "str", "return", "answer", "console.log", "log", "f"))
_FUNCTIONS: Final = frozenset(
    ("sqrt", "floor", "ceil", "round", "int", "abs", "max", "min", "log", "ln", "exp", "pow", "mod",
     "factorial", "lfloor", "lceil", "concat", "gcd", "lcm", "binom")
)  # fmt: skip
_NUMBERS: Final = frozenset(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
     "twelve", "plus", "minus", "times", "mod", "pi")
)  # fmt: skip
_BINARY: Final = frozenset((Kind.SIGN, Kind.TIMES))


class _Segment(NamedTuple):
    """A part of a chain between equals signs."""

    claim: Claim
    binary: bool
    """Whether it has an operation."""


class Found(NamedTuple):
    """A statement in a line, and where it stands there."""

    text: str
    claims: tuple[Claim, ...]
    start: int
    end: int
    denied: bool
    """Whether ``≠`` follows."""


class Variables:
    """The names and the last result of an answer so far, as texts of numbers."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.result: str | None = None
        """The expression of the last step."""

    def value(self, text: str) -> str | None:
        """Return the value of an expression as an operand."""
        value = value_of_text(text)
        if value is None:
            return None
        return operand_text(value) if value >= 0 else f"({value})"


class LineReader:
    """Reads the tokens of one line from left to right."""

    def __init__(self, text: str, variables: Variables, wanted: tuple[str, ...]) -> None:
        self.found: list[Found] = []
        self.words: list[Token] = []
        """The words between the statements."""
        self._variables, self._wanted = variables, wanted
        names = variables.texts.keys()
        self._tokens, self._partner, self._clean = tokens_of(text, set(names))
        self._at = 0
        self._clear()

    def read(self) -> list[Found]:
        """Return the statements of the line."""
        tokens = self._tokens
        while self._at < len(tokens):
            token = tokens[self._at]
            _READ[token.kind](self, token)
            self._at += 1
        self._close()
        return self.found

    def _clear(self) -> None:
        self._parts: list[str] = []
        self._segments: list[_Segment] = []
        self._rounded = False
        self._start = self._end = 0
        self._operand = False
        """Whether the last token of the segment is an operand."""
        self._operator = False
        """Whether an operator stands behind an operand, and nothing behind it yet."""
        self._binary = False
        """Whether the segment has an operation."""
        self._name: str | None = None
        """The name that the statement assigns."""

    def _next(self, steps: int = 1) -> Token | None:
        at = self._at + steps
        return self._tokens[at] if 0 <= at < len(self._tokens) else None

    def _add(self, token: Token, text: str | None = None, *, operand: bool) -> None:
        if not self._parts and not self._segments:
            self._start = token.start
        if token.spaced and self._parts:
            self._parts.append(" ")
        self._parts.append(token.text if text is None else text)
        if operand and self._operator:
            self._binary, self._operator = True, False
        self._end, self._operand = token.end, operand

    def number(self, token: Token) -> None:
        """Read a number, which may follow a claim without a sign between them."""
        if self._is_label(token):
            self._close()
            follows = self._next()
            if follows and follows.text == "-" and follows.spaced:
                self._at += 1
            return
        text = token.text.replace("_", "")
        before = self._next(-1)
        joined = before is not None and before.kind is Kind.CLOSE and not token.spaced
        if self._operand and self._segments and not joined:
            self._close()
        if "," in text:
            self._grouped(token, text)
        else:
            self._add(token, text, operand=True)
        if joined:
            self._binary = True

    def _is_label(self, token: Token) -> bool:
        """Return whether a number is that of ``Step 1``."""
        before, follows = self._next(-1), self._next()
        if before is None or before.kind is not Kind.WORD or self._parts:
            return False
        if before.text.lower() not in _LABELS or not token.spaced:
            return False
        return (
            follows is None
            or follows.kind not in _BINARY
            or (follows.text == "-" and follows.spaced)
        )

    def _grouped(self, token: Token, text: str) -> None:
        """Read ``23,850``: one number, or behind ``=`` two that a comma separates.

        Behind an equals sign the true value decides: ``100+25=125,125*8=1000`` are two steps.
        """
        whole, (first, _, rest) = text.replace(",", ""), text.partition(",")
        if self._segments and not self._parts:
            expression = self._expression()
            value = self._variables.value(expression.text) if expression else None
            if value == first and value != whole:
                self._add(token, first, operand=True)
                self._close()
                self._add(token, rest.replace(",", ""), operand=True)
                return
        self._add(token, whole, operand=True)

    def sign(self, token: Token) -> None:
        """Read an operator, a sign of a number, or a bullet."""
        follows = self._next()
        if self._operand:
            if follows is None and token.text in "*-":
                return
            self._add(token, operand=False)
            self._operator = True
            return
        if (token.text in "+-" and (self._parts or self._segments or self._may_be_signed(token))) or (token.text in "*/" and self._parts):
            self._add(token, operand=False)

    def _may_be_signed(self, token: Token) -> bool:
        """Return whether a dash is a minus: not behind a word, with a number behind it."""
        before, follows = self._next(-1), self._next()
        if follows is None or follows.kind not in _OPERANDS:
            return False
        return before is None or before.kind is not Kind.WORD or not token.spaced

    def times(self, token: Token) -> None:
        """Read an ``x``, which is an operator between operands."""
        follows = self._next()
        known = token.text in self._variables.texts
        if self._operand and follows is not None and follows.kind in _OPERANDS and not known:
            self._add(token, "*", operand=False)
            self._operator = True
        else:
            self.word(token)

    def open(self, token: Token) -> None:
        """Read an opening parenthesis: of arithmetic, or of a remark."""
        partner, follows = self._partner.get(self._at), self._next()
        if partner is None:
            if follows is not None and follows.kind in _OPERANDS:
                self._binary |= self._operand
                self._add(token, operand=False)
            else:
                self._close()
            return
        if self._at not in self._clean:
            if (
                self._operand
                and follows is not None
                and (follows.kind in _BINARY or follows.text.lower() in _NUMBERS)
            ):
                self._add(token, operand=False)  # `(+ one)` is more than a remark
            else:
                self._close()
            return
        if self._operand:
            behind = self._tokens[partner + 1] if partner + 1 < len(self._tokens) else None
            goes_on = behind is not None and behind.kind in _GOING_ON
            if self._segments and token.spaced and not goes_on:
                self._close()
            else:
                self._binary = True
        self._add(token, operand=False)

    def close(self, token: Token) -> None:
        """Read a closing parenthesis: of arithmetic, of a remark, or of a label."""
        partner = self._partner.get(self._at)
        if self._at in self._clean:
            self._add(token, operand=True)
        elif partner is not None or self._segments or not self._binary:
            self._close()
        else:
            self._add(token, operand=True)

    def equal(self, token: Token) -> None:
        """Read an equals sign, or a word for it."""
        if token.text == IS and not (self._binary or self._segments):
            self._close()
            return
        if not self._parts and not self._segments:
            before = self._next(-1)
            named = before is not None and before.kind in (Kind.WORD, Kind.TIMES)
            self._name = before.text if before and named else None
            return
        self._end_segment()
        self._rounded = token.kind is Kind.NEAR

    def unequal(self, token: Token) -> None:
        """Read ``≠``: what stands before it is denied."""
        del token
        self._close(denied=True)

    def arrow(self, token: Token) -> None:
        """Read an arrow: an equals sign between an expression and a single number."""
        del token
        if self._binary and not self._segments and self._is_value_ahead():
            self._end_segment()
            self._rounded = False
        else:
            self._close()

    def _is_value_ahead(self) -> bool:
        """Return whether a number such as 8, (-3) or 8/3 follows, and no more arithmetic."""
        ahead = list(islice(self._tokens, self._at + 1, self._at + 7))
        for count in range(len(ahead), 0, -1):
            value = "".join(token.text for token in ahead[:count])
            if _VALUE.fullmatch(value):
                behind = ahead[count] if count < len(ahead) else None
                return behind is None or behind.kind not in _GOING_ON | {Kind.OPEN, Kind.TIMES}
        return False

    def foreign(self, token: Token) -> None:
        """Read an operator that countdown lacks, or Markdown and exclamation marks."""
        follows = self._next()
        if token.text == "**":
            glued = not token.spaced and follows is not None and not follows.spaced
            loose = token.spaced and follows is not None and follows.spaced
            power = follows is not None and (follows.kind in _OPERANDS or follows.text == "-")
            if self._operand and power and (glued or loose):
                self._add(token, operand=False)
                self._binary = True
            return
        if token.text == "!" and (self._segments or not self._operand):
            self._close()
            return
        if self._operand or token.text == "√":
            self._binary = True
            self._add(token, operand=token.text in "!²³%")
        else:
            self._close()

    def result(self, token: Token) -> None:
        """Read the place of the last result."""
        self._substitute(token, self._variables.result)

    def _substitute(self, token: Token, text: str | None) -> None:
        value = None if text is None else self._variables.value(text)
        if value is None:
            self._close()
        else:
            if self._operand and self._segments:
                self._close()
            self._add(token, value, operand=True)

    def word(self, token: Token) -> None:
        """Read a word: a variable, a function, or the end of a statement."""
        name, follows = token.text, self._next()
        if name in self._variables.texts and self._is_operand(follows):
            self._substitute(token, self._variables.texts[name])
            return
        calls = (
            follows is not None
            and follows.kind is Kind.OPEN
            and ((not follows.spaced and self._at + 1 in self._clean) or name.lower() in _FUNCTIONS)
        )
        dangling = bool(self._parts) and not self._operand
        if (calls and name.lower() not in _PRINTS) or (dangling and self._is_number(name)):
            self._add(token, f" {name}", operand=False)
            self._binary = True
            return
        if dangling:
            self._end_at_word(token)
        self._close()
        self.words.append(token)

    def _is_number(self, name: str) -> bool:
        """Return whether a word behind an operator stands for a number, unlike one behind a dash."""
        last = self._next(-1)
        dash = last is not None and last.text in ("-", "*") and last.spaced
        return not dash or name.lower() in _NUMBERS or (len(name) == 1 and name.lower() != "a")

    def _is_operand(self, follows: Token | None) -> bool:
        before = self._next(-1)
        behind = follows is not None and follows.kind in _GOING_ON | {Kind.TIMES, Kind.CLOSE}
        ahead = before is not None and before.kind in _GOING_ON | {Kind.TIMES, Kind.OPEN}
        return ahead or (behind and (follows is None or follows.kind is not Kind.EQUAL))

    def _end_at_word(self, token: Token) -> None:
        """Drop a dash or an asterisk between an expression and a word."""
        del token
        while self._parts and self._parts[-1].strip() in ("", "-", "*"):
            self._parts.pop()

    def other(self, token: Token) -> None:
        """Read punctuation, which ends a statement, unless an equals sign follows."""
        follows = self._next()
        if token.text == "&" and self._operand and follows and follows.kind in _OPERANDS:
            self._add(token, operand=False)
            return
        if token.text in ";&" and follows is not None and follows.kind in (Kind.EQUAL, Kind.NEAR):
            if self._operand:
                return
        if self._parts and not self._operand and self._parts[-1] in ("*", "-"):
            self._parts.pop()
        self._close()

    def _end_segment(self) -> None:
        text = "".join(self._parts).strip()
        if text:
            self._segments.append(_Segment(Claim(text, self._rounded), self._binary))
        self._parts, self._operand = [], False
        self._operator = self._binary = False

    def _close(self, *, denied: bool = False) -> None:
        """End the statement that is being read, if there is one."""
        if not self._parts and not self._segments:
            self._name = None
            return
        self._end_segment()
        expression = self._expression()
        if expression is not None:
            claims = tuple(s.claim for s in self._segments if s.claim is not expression)
            text = _unwrapped(expression.text)
            self.found.append(Found(text, claims, self._start, self._end, denied))
            self._variables.result = expression.text
        if self._name is not None and self._segments:
            self._variables.texts[self._name] = (expression or self._segments[0].claim).text
        self._clear()

    def _expression(self) -> Claim | None:
        """Return the expression of a chain: of all numbers of the task, else the first one."""
        found = [segment.claim for segment in self._segments if segment.binary]
        if len(found) > 1:
            for claim in found:
                if tuple(sorted(_NUMBER.findall(claim.text))) == self._wanted:
                    return claim
        return found[0] if found else None


def _unwrapped(text: str) -> str:
    """Return an expression without a pair of parentheses around all of it."""
    if not (text[0] == "(" and text[-1] == ")"):
        return text
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text if at + 1 < len(text) else text[1:-1].strip()
    return text


_OPERANDS: Final = frozenset((Kind.NUMBER, Kind.OPEN, Kind.RESULT))
_GOING_ON: Final = frozenset((Kind.SIGN, Kind.EQUAL, Kind.NEAR))
_READ: Final[dict[Kind, Callable[[LineReader, Token], None]]] = {
    Kind.NUMBER: LineReader.number, Kind.SIGN: LineReader.sign, Kind.TIMES: LineReader.times,
    Kind.OPEN: LineReader.open, Kind.CLOSE: LineReader.close, Kind.EQUAL: LineReader.equal,
    Kind.NEAR: LineReader.equal, Kind.UNEQUAL: LineReader.unequal, Kind.ARROW: LineReader.arrow,
    Kind.FOREIGN: LineReader.foreign, Kind.RESULT: LineReader.result, Kind.WORD: LineReader.word,
    Kind.OTHER: LineReader.other,
}  # fmt: skip
