"""Finds all statements of an answer, in order, with what the answer says about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.translators.answers.countdown.remarks import (
    answered_no,
    answers_no,
    asks,
    attempts_in,
    check_in,
    denied_ahead,
    denied_behind,
    takes_back,
)
from pddl_pipeline.translators.answers.countdown.span import Found, Variables
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.answers.countdown.statement import Claim, Statement
from pddl_pipeline.translators.answers.countdown.statements import LineReader
from pddl_pipeline.translators.answers.countdown.tokens import IS, RESULT, START, VERBAL
from pddl_pipeline.translators.answers.countdown.wording import in_signs
from pddl_pipeline.translators.answers.lines import AnswerLine

_DIGIT: Final = re.compile(r"\d", re.ASCII)
_BULLET: Final = re.compile(r"\s*(?:[-*+\u2022]|>)\s+")
_LABEL: Final = re.compile(
    r"\s*(?:[*_`>#]{1,4}\s{0,3})?(?:\d{1,4}[.):]|\(\d{1,2}\)|[a-hA-H][.)])(?:\*\*)?\s+"
)
_CONTINUES: Final = re.compile(r"[&\s]*(?:={1,2}(?!=|>)|\u2248)\s{0,3}[-(\[{\d\u221a*]")
_COMMENT: Final = re.compile(r"\s#\s?.*$")
_AUGMENTED: Final = re.compile(
    r"^\s*([a-z_]\w{0,30})\s{0,3}([-+*/])=\s{0,3}(\S.{0,200})$", re.IGNORECASE
)
# `x * 6 = 24, where x = 3 + 5 - 4`
_WHERE: Final = re.compile(
    r"^(.{1,200}?),?\s+where\s+([a-z_]\w{0,30}\s{0,3}=.{1,200})$", re.IGNORECASE
)
_ASSIGNED: Final = re.compile(
    r"((?:[a-z_]\w{0,30},\s{0,2}){1,50}[a-z_]\w{0,30})\s{0,2}=\s{0,2}\(?((?:\d+,\s{0,2}){1,50}\d+)\)?",
    re.IGNORECASE,
)
_NEUTRAL: Final = frozenset(
    ("and", "but", "so", "then", "next", "now", "first", "second", "third", "fourth", "fifth",
     "last", "final", "finally", "lastly", "firstly", "after", "that", "thus", "therefore",
     "hence", "sure", "okay", "ok", "yes", "i", "we", "you", "it", "this", "which", "can", "will",
     "do", "get", "gets", "have", "has", "obtain", "compute", "calculate", "gives", "give",
     "giving", "makes", "making", "yields", "yield", "is", "equals", "equal", "step", "move",
     "operation", "to", "the", "result", "results", "in", "a", "for")
)  # fmt: skip
_USES: Final = re.compile(r"[=(+*/-]")
# A line without any of these signs, and without variables, has no operation.
_OPERATES: Final = re.compile(
    rf"[-+*/=(\[{{^%!√²³~@<>&\u2192\u2248\u2260{RESULT}{VERBAL}{START}{IS}]|(?<![^\W\d_])[xX](?![^\W\d_])"
)
# Most lines with steps are like `10 - 6 = 4 (left: 4 4 5)`: read without looking at each token.
_SIMPLE: Final = re.compile(
    r"(?:\d{1,3}[.)]\s)?(-?[\d(][-+*/()\d\s]*)(?:=\s*(-?\d+)\s*)?(?:\(left: [\d\s.]*\))?\.?",
    re.ASCII,
)
_OPERATION: Final = re.compile(r"[\d)]\s*[-+*/]\s*[\d(]", re.ASCII)
_ADJACENT: Final = re.compile(r"[\d)]\s+[\d(]|\*\*|//", re.ASCII)
_LONGEST_SIMPLE: Final = 300
_LONGEST_LABEL: Final = 60
_FIRST: Final = re.compile(rf"{START} (\(?-?\d+(?:/\d+|\.\d+)?\)?)")
_LEFT: Final = re.compile(r"\b(?:left|remaining|remains|remain|leaving|leaves)\b", re.IGNORECASE)


def statements_in(pieces: Sequence[AnswerLine], start: Start) -> list[Statement]:
    """Return the statements of an answer's lines, in order."""
    lines = _joined(pieces)
    bullets = sum(_DIGIT.search(line.text) is not None for line in lines) > 1
    reader = _Reader(start, bullets=bullets)
    for line in lines:
        reader.read(line)
    return reader.found


def simple_statement(piece: AnswerLine) -> Statement | None:
    """Return the statement of a line that has nothing but one equation; None for other lines."""
    simple = _SIMPLE.fullmatch(piece.text) if len(piece.text) <= _LONGEST_SIMPLE else None
    if not simple or not _OPERATION.search(simple[1]) or _ADJACENT.search(simple[1]):
        return None
    return Statement(piece, simple[1].rstrip(), (Claim(simple[2]),) if simple[2] else ())


def _joined(pieces: Sequence[AnswerLine]) -> list[AnswerLine]:
    """Return the lines; one that starts with ``=`` goes on with the line before."""
    lines: list[AnswerLine] = []
    parts: list[str] = []
    for piece in pieces:
        if parts and _CONTINUES.match(piece.text):
            parts.append(piece.text.lstrip("& "))
            continue
        if len(parts) > 1:
            lines[-1] = lines[-1]._replace(text=" ".join(parts))
        lines.append(piece)
        parts = [piece.text]
    if len(parts) > 1:
        lines[-1] = lines[-1]._replace(text=" ".join(parts))
    return lines


def _with_names_first(text: str) -> str:
    """Return a line with the assignment behind ``where`` before the expression that uses it."""
    return _WHERE.sub(r"\2 ; \1", text) if " where " in text else text


class _Reader:
    """Reads lines one after another: later ones may use the names and results of earlier ones."""

    def __init__(self, start: Start, *, bullets: bool) -> None:
        self.found: list[Statement] = []
        self._wanted = tuple(sorted(map(str, start.numbers.values())))
        self._variables = Variables()
        self._bullets = bullets
        self._group = 0
        self._code = self._checks = False
        self._asked = False
        """Whether the line before ends with a statement and a question mark."""

    def read(self, piece: AnswerLine) -> None:
        """Add the statements of a line."""
        text = piece.text
        self._hear(text)
        told = simple_statement(piece)
        if told is not None:
            self.found.append(told._replace(group=self._group, checks=self._checks))
            self._variables.result = told.text
            return
        if text.startswith("```"):
            self._code = not self._code
        if self._code:
            text = _AUGMENTED.sub(r"\1 = \1 \2 (\3)", _COMMENT.sub("", text))
        if not _DIGIT.search(text):
            self._remark(text)
            if not self._variables.texts or not _USES.search(text):
                return
        if "=" in text and self._assigns(text.strip()):
            return
        text = in_signs(_with_names_first(self._unlabelled(text)))
        if first := _FIRST.search(text):
            self._variables.result = first[1]
        if not self._variables.texts and not _OPERATES.search(text):
            self._add(piece, text, [], plain=False)
            return
        line = LineReader(text, self._variables, self._wanted)
        found = line.read()
        self._add(piece, text, found, plain=self._is_plain(text, line, found))

    def _unlabelled(self, text: str) -> str:
        """Return a line without the bullet and the number before it."""
        if self._bullets and (bullet := _BULLET.match(text)):
            text = text[bullet.end() :]
        label = _LABEL.match(text)
        return text if label is None else text[label.end() :]

    def _assigns(self, text: str) -> bool:
        """Return whether a line only assigns numbers to names: ``a, b, c = 3, 4, 5``."""
        assigned = _ASSIGNED.fullmatch(text)
        if assigned:
            names = [name.strip() for name in assigned[1].split(",")]
            self._variables.texts |= dict(zip(names, re.findall(r"\d+", assigned[2]), strict=False))
        return assigned is not None

    def _hear(self, text: str) -> None:
        """Deny the last statement if it is a question, and the next line begins with ``No``."""
        if self._asked and answers_no(text):
            self.found[-1] = self.found[-1]._replace(denied=True)
        self._asked = False

    def _remark(self, text: str) -> None:
        """Read a line without numbers: it may begin a check or another attempt."""
        if check_in(text) is not None:
            self._checks = True
        if takes_back(text):
            self._group += len(attempts_in(text))

    def _is_plain(self, text: str, line: LineReader, found: list[Found]) -> bool:
        """Return whether a line holds only statements, their labels and words of order."""
        if not found:
            return False
        if VERBAL in text:
            return True
        begin = found[0].start
        left = _LEFT.search(text, begin)
        end = left.start() if left else len(text)
        label = ":" in text[max(0, begin - 8) : begin] and begin <= _LONGEST_LABEL
        depth = position = 0
        for word in line.words:
            part = text[position : word.start]
            depth, position = depth + part.count("(") - part.count(")"), word.start
            aside = (word.start < begin and label) or word.start > end
            if not aside and depth <= 0 and word.text.lower() not in _NEUTRAL:
                return False
        return True

    def _add(self, piece: AnswerLine, text: str, found: list[Found], *, plain: bool) -> None:
        doubtful = takes_back(text)
        attempts = attempts_in(text) if doubtful else []
        check = check_in(text)
        begin, first = 0, len(self.found)
        for each in found:
            while attempts and attempts[0] <= each.start:
                attempts.pop(0)
                self._group += 1
            if check is not None and check < each.start:
                self._checks = True
            no = answered_no(text, each.end)
            denied = each.denied or no is not None or denied_behind(text, each.end)
            denied = denied or (doubtful and denied_ahead(text, begin, each.start))
            verbal = text[max(0, each.start - 2) : each.start].strip() == VERBAL
            statement = Statement(
                piece, each.text, each.claims, plain, denied, verbal, self._group, self._checks
            )
            if not self._says_again(statement, first):
                self.found.append(statement)
            if denied:
                self._group += 1
            begin = each.end if no is None else no
        self._asked = bool(found) and asks(text, begin)
        if check is not None:
            self._checks = True
        self._group += len(attempts)

    def _says_again(self, statement: Statement, first: int) -> bool:
        """Return whether words and signs of one line tell the same step; keep the signs."""
        if len(self.found) <= first:
            return False
        before = self.found[-1]
        same = before.text.replace(" ", "") == statement.text.replace(" ", "")
        if not same or before.verbal == statement.verbal:
            return False
        if before.verbal:
            claims = statement.claims or before.claims
            self.found[-1] = statement._replace(claims=claims)
        return True
