"""Decides which statements of an answer count, and accounts for every other one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pddl_pipeline.answers.countdown.expression import ordered, worked_out
from pddl_pipeline.answers.countdown.signs import BOX, CLOSE, LABEL, OPEN
from pddl_pipeline.answers.countdown.start import Start
from pddl_pipeline.answers.countdown.statements import MOST_CHAINS, Statements
from pddl_pipeline.answers.countdown.steps import (
    MOST_STEPS,
    Board,
    Statement,
    alone,
    judged,
    played,
)
from pddl_pipeline.model.error_kind import ErrorKind

_NO: Final = re.compile(
    r"\b(?:no|not|nope|never|cannot|wrong|incorrect|invalid|impossible|mistakes?|false|fail\w*|errors?|scratch"
    r"|avoid|without|rather|too)\b|n't\b|[\u2717\u2718\u274c\u2260\U0001f6ab]|\(\s?(?:[-+*/]|plus|minus|times)",
    re.I,
)
_HARMLESS: Final = re.compile(
    r"\b(?:numbers?|once|twice|repeat\w*|reus\w*|left|remain\w*|need\w*|more|other|only|doubt|problem|trick\w*|close|easy|hard|sure)\b",
    re.I,
)
_ANEW: Final = re.compile(
    r"\b(?:wait|no|nope|oops|sorry|scratch|instead(?! of)|actually|reconsider|correction|mistake|try|tr(?:ied|ying)|alternatively|but)\b",
    re.I,
)
_CHECK: Final = re.compile(r"\b(?:check|verif\w+|confirm|proof)", re.I)
_ASIDE: Final = re.compile(r"\b(?:considered|tried|rejected|other|earlier)\b", re.I)
_CHOSEN: Final = re.compile(
    rf"\b(?:final\w*|answer|solution|cho\w+|pick|correct(?:ed)?|best|recommend\w*|preferred)\b|[{LABEL}{BOX}{OPEN}]",
    re.I,
)
_SO: Final = re.compile(r"\b(?:so|thus|hence|therefore|finally)\b", re.I)
_LETTER: Final = re.compile(
    r"\b(?i:cho\w+|pick|prefer|is|with)\b(?i: (?:the|option|answer|solution|plan|way|number)){0,3} "
    r"\(?(?:([A-E])\b|([a-e1-9])(?:\)|\.?$))",
    re.MULTILINE,
)
_MORE: Final = re.compile(
    r"(?:[-+*/]|\b(?:add|plus|minus|times|by))\s(?:zero|one|two|three|four|five|six|seven|eight|nine|ten)\b",
    re.I,
)
_CUT: Final = re.compile(r"[.!?;\n]+|,\s|\bbut\b|\bso\b")
_NUMBER: Final = re.compile(r"[\W_]*-?\d[\d.,]*[\W_]*", re.ASCII)


class Unreadable(Exception):  # noqa: N818
    """The answer cannot be read; the message is the reason."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Choice:
    """The statements of a text, and which of them count."""

    def __init__(self, text: str, start: Start) -> None:
        self.text, self.start = text, start
        self.statements = Statements(text, start)
        self.begin, self.end, self.place = self._region()
        self.found = [each for each in self.statements.found if each.start >= self.begin]
        self.notes: dict[int, str] = {}
        self.wrong: list[Statement] = []

    def _region(self) -> tuple[int, int, str]:
        """Return the last marked part with a statement: its start, its end, its name."""
        text, number = self.text, None
        marks = [at for at, sign in enumerate(text) if sign in (OPEN, LABEL, BOX)][-50:]
        for at in reversed(marks):
            tagged = text[at] != LABEL
            end = text.find(CLOSE, at) if tagged else len(text)
            end = len(text) if end < 0 else end
            place = {OPEN: "the tag <answer>", BOX: "the box"}.get(text[at], "the answer line")
            inside = text[at + 1 : end]
            if any(at <= each.start < end for each in self.statements.found):
                return at, end, place
            if (
                not _NUMBER.fullmatch(inside if tagged else inside.strip().partition("\n")[0])
                or "(" in inside
            ):
                return at, end, place
            number = number or ((at, end, place) if text[at] != BOX else None)
        return number or (0, len(text), "the answer")

    def lines_text(self) -> str:
        """Return the part that is read, with as many line ends before it as there are."""
        return "\n" * self.text.count("\n", 0, self.begin) + self.text[self.begin : self.end]

    def board(self) -> Board:
        """Return the operations of the answer.

        Raises:
            Unreadable: a statement is not accounted for, or the answer is undecided.
        """
        if len(self.found) > MOST_STEPS or self.statements.chains == MOST_CHAINS:
            reason = f"found more than {MOST_STEPS} steps, or {MOST_CHAINS} numbers"
            raise Unreadable(reason, self.found[0].line)
        alive, checks = self._alive()
        inside = [each for each in alive if each.start < self.end] or alive
        whole = [each for each in inside if self._complete(each)]
        if not inside:
            line = self.found[-1].line if self.found else 1
            raise Unreadable(f"{self.place} takes back what it states", line)
        board, rest = played(inside, self.start), [each for each in alive if each not in inside]
        if len(inside) > 1 and self._good(board):
            pass
        elif whole:
            chosen = self._chosen(whole)
            board, rest = alone(chosen, self.start), alive[alive.index(chosen) + 1 :]
            if (rest and self._says(chosen, _ASIDE)) or _MORE.search(self.text, chosen.end):
                raise Unreadable("more stands behind the answer than can be read", chosen.line)
        else:
            steps = [each for each in inside if each not in checks] or inside
            board = self._steps(steps)
        self._account(board, [each for each in rest if each not in checks], whole)
        return board

    def _complete(self, statement: Statement) -> bool:
        """Return whether a statement uses every number, or as many as the rules ask for."""
        worked = worked_out(statement.text)
        some = not self.start.rules[self.start.judged].all_used
        return self.statements.is_whole(statement.text) or (
            some and worked is not None and worked.value == self.start.target
        )

    def _gap(self, at: int) -> str:
        """Return the text between a statement and the next one; -1 is before the first."""
        begin = self.found[at].end if at >= 0 else self.begin
        after = self.found[at + 1].start if at + 1 < len(self.found) else len(self.text)
        return self.text[begin:after]

    def _alive(self) -> tuple[list[Statement], list[Statement]]:
        """Return the statements that the text does not take back, and those that check others."""
        alive: list[Statement] = []
        shelved: list[Statement] = []
        checks: list[Statement] = []
        checking = denied = False
        for at in range(-1, len(self.found)):
            if at >= 0:
                if not denied:
                    alive.append(self.found[at])
                    checks += [self.found[at]] if checking else []
                else:
                    self.notes[self.found[at].line] = "denied"
            back, anew, denied = self._said(at, any_before=bool(alive))
            if back:
                self._deny(alive)
            elif anew and at + 1 < len(self.found):
                shelved, alive, checking = [*shelved, *alive], [], False
            checking = (checking or _CHECK.search(self._gap(at)) is not None) and bool(
                alive or shelved
            )
        parts = [worked.operations for each in shelved if (worked := worked_out(each.text))]
        known = frozenset().union(*parts)
        if all(self._repeats(each, known) or each in checks for each in alive):
            last = [each for each in shelved if self._complete(each)]
            alive = [*(last[-1:] or shelved), *alive]
        for each in self.found:
            if each not in alive:
                self.notes.setdefault(each.line, "taken back")
        return alive, checks

    def _said(self, at: int, *, any_before: bool) -> tuple[bool, bool, bool]:
        """Return whether the text behind a statement denies it, starts anew, or denies the next."""
        gap = self._gap(at)
        pieces = _CUT.split(gap)
        more = at + 1 < len(self.found)
        said = [piece for piece in pieces if _NO.search(piece) and not _HARMLESS.search(piece)]
        head = next((piece for piece in reversed(pieces) if piece.strip()), "") if more else ""
        anew = any(_ANEW.search(piece) for piece in pieces) and any_before
        if not any_before:
            said = [piece for piece in said if not _ANEW.search(piece)]
            return False, False, bool(said) and (len(gap) <= 16 or head in said)
        if len(pieces) == 1 and more and said:
            front = _NO.search(gap[:8]) is not None or _ANEW.search(gap) is not None
            return front, anew, not front
        ahead = head is pieces[-1] or gap.rstrip().endswith(":")
        back = [each for each in said if each is not head or not ahead or _ANEW.search(each)]
        return bool(back), anew, bool(said) and not back

    def _deny(self, alive: list[Statement]) -> None:
        """Take back the last complete statement, or the steps since it."""
        self.wrong += alive[-1:]
        while alive:
            last = alive.pop()
            self.notes[last.line] = "denied"
            if self._complete(last) or (alive and self._complete(alive[-1])):
                break

    def _repeats(self, statement: Statement, known: frozenset[tuple[str, object, object]]) -> bool:
        """Return whether a statement has only known operations, and states true values."""
        worked = worked_out(statement.text)
        true = worked is not None and statement.false_claim(worked.value) is None
        return true and worked is not None and worked.operations <= known

    def _right(self, statement: Statement) -> bool:
        return judged(alone(statement, self.start)).right(self.start)

    def _chosen(self, whole: list[Statement]) -> Statement:
        """Return the complete statement that counts."""
        last, right = whole[-1], [self._right(each) for each in whole]
        if len(set(right)) == 1:
            return last
        letter = [match for match in _LETTER.finditer(self.text, last.end)]
        by_letter = [
            each
            for each in whole
            if letter and self._label(each) == (letter[-1][1] or letter[-1][2]).lower()
        ]
        told = [each for each in whole if self._says(each, _CHOSEN)]
        if by_letter or told:
            return (by_letter or told)[-1]
        before = self._gap(self.found.index(last) - 1)
        tries = all(
            ok or self._states_other(each) for each, ok in zip(whole[:-1], right, strict=False)
        )
        either = re.fullmatch(r"\W*or\W*", before, re.I)
        if self._says(last, _SO) or (right[-1] and tries and not either):
            return last
        if self._states_other(last) and _ASIDE.search(before):
            self.notes[last.line] = "said to be another attempt"
            return self._chosen(whole[:-1])
        raise Unreadable(f"undecided between {whole[-2].text[:60]} and {last.text[:60]}", last.line)

    def _label(self, statement: Statement) -> str:
        before = self.text[max(0, statement.start - 12) : statement.start]
        match = re.search(r"\b([A-Ea-e]|\d)\W{1,6}$", before)
        return match[1].lower() if match else ""

    def _says(self, statement: Statement, words: re.Pattern[str]) -> bool:
        """Return whether words stand in the clause before a statement, or in parentheses behind."""
        at = self.found.index(statement)
        before = re.split(r"[.!?;]\s|\n\s*(?=\S)", self._gap(at - 1))
        behind = re.match(r"[\s*_`]*\(([^()\n]{1,60})\)", self._gap(at))
        near = before[-1] if before[-1].strip() or len(before) == 1 else before[-2]
        return words.search(near) is not None or bool(behind and words.search(behind[1]))

    def _states_other(self, statement: Statement) -> bool:
        """Return whether a statement says that it has another value than the target."""
        stated = [worked_out(claim.text) for claim in statement.claims]
        return bool(stated) and all(
            each is not None and each.value != self.start.target for each in stated
        )

    def _steps(self, steps: Sequence[Statement]) -> Board:
        """Return the board of a list of steps; raise if the text allows another list."""
        one = len(steps) == 1 and (self.place != "the answer" or not steps[0].is_step)
        board = (
            alone(steps[0], self.start)
            if one or not steps[0].claims and len(steps) == 1
            else played(steps, self.start)
        )
        if self._good(board):
            return board
        texts = [step.text.replace(" ", "") for step in steps]
        once = [step for at, step in enumerate(steps) if texts[at] not in texts[at + 1 :]]
        again = played(once, self.start)
        if self._good(again):
            return again
        most = len(self.start.numbers) - 1
        lists = [steps[at:] for at in range(1, len(steps))] + [steps[::-1]]
        if len(steps) > most:
            lists += [] if self._goes_on(steps, most) else [steps[:most]]
        lists.append([each for each in self.found if each not in self.wrong])
        for each in lists:
            if len(each) <= 2 * most and self._good(played(each, self.start)):
                raise Unreadable("it is not clear which steps count", steps[-1].line)
        return board

    def _goes_on(self, steps: Sequence[Statement], most: int) -> bool:
        return re.match(rf"\(?{self.start.target}\b", steps[most].text) is not None

    def _good(self, board: Board) -> bool:
        return judged(board).right(self.start)

    def _account(self, board: Board, rest: Sequence[Statement], whole: list[Statement]) -> None:
        """Check that every statement behind the answer repeats it, or is another attempt."""
        known, numbers = set(), set(self.start.numbers.values())
        for each in board.operations:
            numbers |= {each.value} if each.value is not None else set()
            x, y = each.first.value, each.second.value
            if x is not None and y is not None:
                known.add(ordered(each.action, x, y))
        for each in rest:
            worked = worked_out(each.text)
            if worked is not None and not numbers.intersection(worked.numbers):
                self.notes.setdefault(each.line, "no number of the task")
            elif self._repeats(each, frozenset(known)):
                self.notes.setdefault(each.line, "a repetition")
            elif each in whole or (self._says(each, _ASIDE) and not self._right(each)):
                self.notes.setdefault(each.line, "another attempt")
            else:
                raise Unreadable(f"{each.text[:60]} stands behind the answer", each.line)


def unread(reason: str, line: int, start: Start) -> Board:
    """Return the reading of an answer that cannot be read."""
    board = Board(start)
    board.fault(ErrorKind.BAD_FORMAT, reason, line)
    return board
