"""Finds the statements in a line of an answer: expressions, equations, chains, assignments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pddl_pipeline.translators.answers.countdown.cursor import BINARY, GOING_ON, OPERANDS, Cursor
from pddl_pipeline.translators.answers.countdown.span import Found, Span, Variables
from pddl_pipeline.translators.answers.countdown.tokens import IS, Kind, Token, tokens_of

_PRINTS: Final = frozenset(("print", "eval", "str", "return", "answer", "console.log", "log", "f"))
_FUNCTIONS: Final = frozenset(
    ("sqrt", "floor", "ceil", "round", "int", "abs", "max", "min", "log", "ln", "exp", "pow", "mod",
     "factorial", "lfloor", "lceil", "concat", "gcd", "lcm", "binom")
)  # fmt: skip
_NUMBERS: Final = frozenset(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
     "twelve", "plus", "minus", "times", "mod", "pi")
)  # fmt: skip


class LineReader:
    """Reads the tokens of one line from left to right."""

    def __init__(self, text: str, variables: Variables, wanted: tuple[str, ...]) -> None:
        self.found: list[Found] = []
        self.words: list[Token] = []
        """The words between the statements."""
        self._variables, self._wanted = variables, wanted
        self._cursor = Cursor(tokens_of(text, set(variables.texts)))
        self._span = Span()

    def read(self) -> list[Found]:
        """Return the statements of the line."""
        cursor = self._cursor
        while cursor.at < len(cursor.tokens):
            token = cursor.tokens[cursor.at]
            _READ[token.kind](self, token)
            cursor.at += 1
        self._close()
        return self.found

    def number(self, token: Token) -> None:
        """Read a number, which may follow a claim without a sign between them."""
        if not self._span.parts and self._cursor.is_label():
            self._close()
            follows = self._cursor.near()
            if follows and follows.text == "-" and follows.spaced:
                self._cursor.at += 1
            return
        text = token.text.replace("_", "")
        before = self._cursor.near(-1)
        joined = before is not None and before.kind is Kind.CLOSE and not token.spaced
        if self._span.operand and self._span.segments and not joined:
            self._close()
        if "," in text:
            self._grouped(token, text)
        else:
            self._span.add(token, text, operand=True)
        if joined:
            self._span.binary = True

    def _grouped(self, token: Token, text: str) -> None:
        """Read ``23,850``: one number, or behind ``=`` two that a comma separates.

        Behind an equals sign the true value decides: ``100+25=125,125*8=1000`` are two steps.
        """
        whole, (first, _, rest) = text.replace(",", ""), text.partition(",")
        if self._span.segments and not self._span.parts:
            operations = self._span.operations
            value = self._variables.value(operations[0].text) if operations else None
            if value == first and value != whole:
                self._span.add(token, first, operand=True)
                self._close()
                self._span.add(token, rest.replace(",", ""), operand=True)
                return
        self._span.add(token, whole, operand=True)

    def sign(self, token: Token) -> None:
        """Read an operator, a sign of a number, or a bullet."""
        follows = self._cursor.near()
        if self._span.operand:
            if follows is None and token.text in "*-":
                return
            self._span.add(token, operand=False)
            self._span.operator = True
            return
        if (
            token.text in "+-"
            and (self._span.parts or self._span.segments or self._cursor.is_sign())
        ) or (token.text in "*/" and self._span.parts):
            self._span.add(token, operand=False)

    def times(self, token: Token) -> None:
        """Read an ``x``, which is an operator between operands."""
        follows = self._cursor.near()
        known = token.text in self._variables.texts
        if self._span.operand and follows is not None and follows.kind in OPERANDS and not known:
            self._span.add(token, "*", operand=False)
            self._span.operator = True
        else:
            self.word(token)

    def open(self, token: Token) -> None:
        """Read an opening parenthesis: of arithmetic, or of a remark. Braces may enclose a set."""
        if token.text == "{" and not self._cursor.is_clean:
            self.other(token)
            return
        follows, span = self._cursor.near(), self._span
        if not self._cursor.has_partner:
            if follows is not None and follows.kind in OPERANDS:
                span.binary |= span.operand
                span.add(token, operand=False)
            else:
                self._close()
        elif not self._cursor.is_clean:
            # `(+ one)` is more than a remark.
            if span.operand and follows is not None and (
                follows.kind in BINARY or follows.text.lower() in _NUMBERS
            ):  # fmt: skip
                span.add(token, operand=False)
            else:
                self._close()
        else:
            behind_value = span.operand and bool(span.segments) and token.spaced
            if behind_value and not self._cursor.goes_on_behind():
                self._close()
            self._span.binary |= self._span.operand
            self._span.add(token, "(" if token.text == "{" else None, operand=False)

    def close(self, token: Token) -> None:
        """Read a closing parenthesis: of arithmetic, of a remark, or of a label."""
        brace = token.text == "}"
        if self._cursor.is_clean:
            self._span.add(token, ")" if brace else None, operand=True)
        elif brace:
            self.other(token)
        elif self._cursor.has_partner or self._span.segments or not self._span.binary:
            self._close()
        else:
            self._span.add(token, operand=True)

    def equal(self, token: Token) -> None:
        """Read an equals sign, or a word for it."""
        if token.text == IS and not (self._span.binary or self._span.segments):
            self._close()
            return
        if not self._span.parts and not self._span.segments:
            before = self._cursor.near(-1)
            named = before is not None and before.kind in (Kind.WORD, Kind.TIMES)
            self._span.name = before.text if before and named else None
            return
        self._span.end_segment(rounded=token.kind is Kind.NEAR)

    def unequal(self, token: Token) -> None:
        """Read ``≠``: what stands before it is denied."""
        del token
        self._close(denied=True)

    def arrow(self, token: Token) -> None:
        """Read an arrow: an equals sign between an expression and a single number."""
        del token
        if self._span.binary and not self._span.segments and self._cursor.is_value_ahead():
            self._span.end_segment()
        else:
            self._close()

    def foreign(self, token: Token) -> None:
        """Read an operator that countdown lacks, or Markdown and exclamation marks."""
        follows = self._cursor.near()
        if token.text == "**":
            glued = not token.spaced and follows is not None and not follows.spaced
            loose = token.spaced and follows is not None and follows.spaced
            power = follows is not None and (follows.kind in OPERANDS or follows.text == "-")
            if self._span.operand and power and (glued or loose):
                self._span.add(token, operand=False)
                self._span.binary = True
            return
        if token.text == "//" and follows is not None and follows.kind is Kind.WORD:
            self._close()
            self._cursor.at = len(self._cursor.tokens)  # a comment
            return
        if token.text == "!" and (self._span.segments or not self._span.operand):
            self._close()
            return
        if self._span.operand or token.text == "√":
            self._span.binary = True
            self._span.add(token, operand=token.text in "!²³%")
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
            if self._span.operand and self._span.segments:
                self._close()
            self._span.add(token, value, operand=True)

    def word(self, token: Token) -> None:
        """Read a word: a variable, a function, or the end of a statement."""
        name, follows = token.text, self._cursor.near()
        if name in self._variables.texts and self._is_operand(follows):
            self._substitute(token, self._variables.texts[name])
            return
        calls = (
            follows is not None
            and follows.kind is Kind.OPEN
            and (self._cursor.calls() or name.lower() in _FUNCTIONS)
        )
        dangling = bool(self._span.parts) and not self._span.operand
        if (calls and name.lower() not in _PRINTS) or (dangling and self._is_number(name)):
            self._span.add(token, f" {name}", operand=False)
            self._span.binary = True
            return
        if dangling:
            self._end_at_word()
        self._close()
        self.words.append(token)

    def _is_number(self, name: str) -> bool:
        """Return whether a word behind an operator is an operand, unlike one behind a dash."""
        last = self._cursor.near(-1)
        dash = last is not None and last.text in ("-", "*") and last.spaced
        return not dash or name.lower() in _NUMBERS or (len(name) == 1 and name.lower() != "a")

    def _is_operand(self, follows: Token | None) -> bool:
        before = self._cursor.near(-1)
        behind = follows is not None and follows.kind in GOING_ON | {Kind.TIMES, Kind.CLOSE}
        ahead = before is not None and before.kind in GOING_ON | {Kind.TIMES, Kind.OPEN}
        return ahead or (behind and (follows is None or follows.kind is not Kind.EQUAL))

    def _end_at_word(self) -> None:
        """Drop a dash or an asterisk between an expression and a word."""
        while self._span.parts and self._span.parts[-1].strip() in ("", "-", "*"):
            self._span.parts.pop()

    def other(self, token: Token) -> None:
        """Read punctuation, which ends a statement, unless an equals sign follows."""
        follows = self._cursor.near()
        if token.text == "&" and self._span.operand and follows and follows.kind in OPERANDS:
            self._span.add(token, operand=False)
            return
        goes_on = follows is not None and follows.kind in (Kind.EQUAL, Kind.NEAR)
        if token.text in ";&" and goes_on and self._span.operand:
            return
        if self._span.parts and not self._span.operand and self._span.parts[-1] in ("*", "-"):
            self._span.parts.pop()
        self._close()

    def _close(self, *, denied: bool = False) -> None:
        """End the statement that is being read, if there is one."""
        if not self._span.parts and not self._span.segments:
            self._span.name = None
            return
        self._span.end_segment()
        expression = self._span.expression(self._wanted)
        if expression is not None:
            claims = tuple(each for each in self._span.segments if each is not expression)
            text = _unwrapped(expression.text)
            self.found.append(Found(text, claims, self._span.start, self._span.end, denied))
            self._variables.result = expression.text
        if self._span.name is not None and self._span.segments:
            self._variables.texts[self._span.name] = (expression or self._span.segments[0]).text
        self._span = Span()


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


_READ: Final[dict[Kind, Callable[[LineReader, Token], None]]] = {
    Kind.NUMBER: LineReader.number, Kind.SIGN: LineReader.sign, Kind.TIMES: LineReader.times,
    Kind.OPEN: LineReader.open, Kind.CLOSE: LineReader.close, Kind.EQUAL: LineReader.equal,
    Kind.NEAR: LineReader.equal, Kind.UNEQUAL: LineReader.unequal, Kind.ARROW: LineReader.arrow,
    Kind.FOREIGN: LineReader.foreign, Kind.RESULT: LineReader.result, Kind.WORD: LineReader.word,
    Kind.OTHER: LineReader.other,
}  # fmt: skip
