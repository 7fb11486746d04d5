"""Decides which statements of an answer count; an answer that leaves it open is unreadable."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.answers.countdown.expression import ordered, worked_out
from pddl_pipeline.answers.countdown.statements import (
    BOX,
    CHANGES,
    CLOSE,
    LABEL,
    MOST_CHAINS,
    OPEN,
    WITHDRAWS,
    Statements,
)
from pddl_pipeline.answers.countdown.steps import MOST_STEPS, Board, Start, Statement, alone, played

_REFUSED: Final = re.compile(
    rf"(?:{WITHDRAWS.pattern}|\bcheck|\bverif)[^.!?:;\n]{{0,80}}\Z"
    r"|\b(?:not|\w+n't|wrong|incorrect|invalid)\b[^.!?:\n]{0,40}:[ \t*_]*\n",
    re.IGNORECASE,
)
"""Words before a marked answer, or a heading, that refuse what follows."""
_GIVES_UP: Final = re.compile(r"[^.!?;\n]*\b(?:numbers?|input|combination)\b")
"""The rest of a clause such as ``there is no way to get 24 with these numbers``."""
_PAUSE: Final = re.compile(r"[.!?,\n]")


class Unreadable(Exception):
    """The answer cannot be read; the message is the reason."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Choice:
    """The statements of a text, and which of them count."""

    def __init__(self, text: str, start: Start) -> None:
        self.text, self.start = text, start
        mark = max(map(text.rfind, (OPEN, LABEL, BOX)))
        self.begin = max(mark, 0)
        end = -1 if mark < 0 or text[mark] == LABEL else text.find(CLOSE, mark)
        self.end = len(text) if end < 0 else end
        places = {OPEN: "the tag <answer>", BOX: "the box", LABEL: "the answer line"}
        self.place = "the answer" if mark < 0 else places[text[mark]]
        self._statements = Statements(text, start)
        self._found = [each for each in self._statements.found if each.start >= self.begin]
        self.inside = [each for each in self._found if each.start < self.end]

    def board(self) -> Board:
        """Return the operations of the answer.

        Raises:
            Unreadable: a part of the text is not understood, or leaves open what counts.
        """
        self._check()
        whole = [each for each in self.inside if self._is_complete(each)]
        others = [each for each in self.inside if each not in whole]
        if not whole:
            board, rest = self._steps(others), self._found[len(self.inside) :]
        else:
            boards = [alone(each, self.start) for each in whole]
            board, last = boards[-1], whole[0]
            if len({each.right for each in boards}) > 1:
                self._fail(f"undecided between {whole[0].text[:60]} and {whole[-1].text[:60]}")
            if not board.right:
                self._check_others(self.inside)
            first = self.begin if self.place != "the answer" else last.start
            rest = [each for each in self._found if each.start >= first and each not in whole]
        known = {
            ordered(each.action, each.first.value, each.second.value)
            for each in board.operations
            if each.first.value is not None and each.second.value is not None
        }
        for each in rest:
            worked = worked_out(each.text)
            if not worked or not worked.operations <= known or each.false_claim(worked.value):
                raise Unreadable(f"{each.text[:60]} stands behind the answer", each.line)
        return board

    def _check(self) -> None:
        """Check the words and numbers beside the statements; drop attempts that are taken back.

        Raises:
            Unreadable: a part of the text may change a statement, or take back a right one.
        """
        if len(self._found) > MOST_STEPS or self._statements.count == MOST_CHAINS:
            self._fail(f"found more than {MOST_STEPS} steps, or {MOST_CHAINS} numbers")
        changed = CHANGES.search(self.text, self.begin)
        if changed:
            self._fail(f"not understood: '{changed[0]}'")
        for each in self._statements.cut:
            if each.start >= self.begin:
                raise Unreadable(f"not understood: '{each.text[:60]}'", each.line)
        before = _REFUSED.search(self.text[: self.begin])
        doubts, unknown = [*WITHDRAWS.finditer(self.text, self.begin)], self._unknown()
        if doubts and not before and not unknown and self._drop_attempts(doubts[-1].end()):
            return
        denied = before or next(
            (each for each in doubts if not _GIVES_UP.match(self.text, each.end())), None
        )
        right = (doubts or unknown) and self._may_be_right(self._found)
        if denied or right:
            self._fail(f"not understood: '{denied[0] if denied else unknown or doubts[0][0]}'")

    def _drop_attempts(self, at: int) -> bool:
        """Drop the statements before a place, if they are wrong and a complete one follows."""
        wrong = [each for each in self._found if each.end <= at]
        later = [each for each in self._found if each.start >= at]
        if (
            not any(map(self._is_complete, wrong))
            or not any(map(self._is_complete, later))
            or self._may_be_right(wrong)
            or not _PAUSE.search(self.text, at, later[0].start)
            or later[0].start >= self.end
        ):
            return False
        self._found, self.inside = later, [each for each in later if each.start < self.end]
        return True

    def _may_be_right(self, statements: Sequence[Statement]) -> bool:
        """Return whether any operation has the target as its result."""
        values = (worked_out(each.text) for each in statements)
        return any(each is not None and each.value == self.start.target for each in values)

    def _unknown(self) -> str | None:
        """Return a number outside statements that is not one of theirs or of the task, or None."""
        words = " ".join(word for each in self._found for word in (each.text, *each.claims))
        numbers = (*self.start.numbers.values(), self.start.target)
        known = {*re.findall(r"\d[\d.]*", words), *map(str, numbers)}
        said = (
            each.text.strip("-() ") for each in self._statements.said if each.start >= self.begin
        )
        return next((number for number in said if number not in known), None)

    def _fail(self, reason: str) -> None:
        raise Unreadable(reason, self.inside[-1].line)

    def _is_complete(self, statement: Statement) -> bool:
        """Return whether a statement uses every number, or as many as the rules ask for."""
        if self._statements.is_whole(statement.text):
            return True
        rules = self.start.rules[self.start.judged]
        worked = None if rules.all_used else worked_out(statement.text)
        if worked is None or worked.value != self.start.target:
            return False
        return Counter(worked.numbers) <= Counter(self.start.numbers.values())

    def _steps(self, steps: Sequence[Statement]) -> Board:
        """Return the board of a list of steps.

        Raises:
            Unreadable: the text allows another list, which is right.
        """
        if len(steps) == 1:
            return alone(steps[0], self.start)
        board = played(steps, self.start)
        if not board.right:
            self._check_others(steps)
        return board

    def _check_others(self, steps: Sequence[Statement]) -> None:
        """Check that no other list of steps is right.

        Raises:
            Unreadable: one is.
        """
        size = len(self.start.numbers) - 1
        parts = [steps[at : at + size] for at in range(len(steps) - size + 1)]
        if any(played(each, self.start).right for each in (*parts, steps[::-1])):
            self._fail("it is not clear which steps count")
