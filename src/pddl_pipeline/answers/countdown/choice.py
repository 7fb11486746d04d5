"""Decides which statements of an answer count, and accounts for every other one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pddl_pipeline.answers.countdown.expression import ordered, worked_out
from pddl_pipeline.answers.countdown.statements import (
    BOX,
    CLOSE,
    LABEL,
    MOST_CHAINS,
    OPEN,
    Statements,
)
from pddl_pipeline.answers.countdown.steps import (
    MOST_STEPS,
    Board,
    Start,
    Statement,
    alone,
    judged,
    played,
)
from pddl_pipeline.model.number import Number

_MOST_MARKS: Final = 50
"""Maximum number of marks to examine, from the end."""
_SHORT: Final = 200
"""Maximum length of a text whose words are remembered."""
_WORDS: Final = {
    "deny": "no not never cannot wrong incorrect invalid impossible mistake false fail avoid"
    " without rather too plus minus scratch \u2717 \u2718 \u274c \u2260",
    "harmless": "number once twice reuse left remain need more other only easy close doubt",
    "anew": "no wait oop sorry scratch instead actually reconsider correction mistake try tried"
    " alternatively but",
    "check": "check verification verify confirm proof",
    "aside": "considered tried rejected other",
    "chosen": f"final answer solution choose pick correct corrected best recommended {LABEL} {OPEN}"
    f" {BOX}",
    "so": "so thus hence therefore finally",
}
"""What words say about the statements near them. A plural has the role of its singular."""
_ROLES: Final = {role: frozenset(words.split()) for role, words in _WORDS.items()}
_WORD: Final = re.compile(rf"\w+(?:'\w+)?|[\u2717\u2718\u274c\u2260{LABEL}{OPEN}{BOX}]|\(\s?[-+*/]")
_CUT: Final = re.compile(r"[.!?;\n]+|,\s|\bbut\b|\bso\b")
_OR: Final = re.compile(r"\bor\b\W*$")
_OTHER: Final = re.compile(
    r"\b(?:alternatively|another (?:way|solution|option)|or else)\b", re.IGNORECASE
)
_ORDER: Final = re.compile(r"\b(?:undo|redo|repeat|reverse|revert)\b|\w\s+by\s+\d", re.IGNORECASE)
"""Orders behind the last statement that change the result: ``Undo it``, ``Lower it by 3``."""
_WHERE: Final = re.compile(r"\bwhere\s+[a-z]\s*=", re.IGNORECASE)
"""A value that is named behind its use."""
_REFUSING: Final = re.compile(
    r"\b(?:not|isn't|wrong|incorrect|invalid)\b[\w\s]{0,30}:[\s*_]*$", re.IGNORECASE
)
"""The end of a heading that refuses what follows."""
_LETTERS: Final = frozenset("abcde")
_FENCE: Final = re.compile(r"```\w*")
_LETTER: Final = re.compile(
    r"(?i:\b(?:cho\w+|pick|prefer|is|with)(?: (?:the|option|answer|solution|plan|way)){0,3}) "
    r"\(?(?:[A-E]\b|[a-e1-9](?:\)|\.?$))",
    re.MULTILINE,
)
"""The choice of a statement by its letter or number: ``I choose (b)``."""


def roles(text: str) -> frozenset[str]:
    """Return what the words of a text say about the statements near them."""
    return _roles(text) if len(text) <= _SHORT else _roles.__wrapped__(text)


@lru_cache(maxsize=4096)
def _roles(text: str) -> frozenset[str]:
    words = {form for word in _WORD.findall(text.lower()) for form in (word, word.rstrip("s"))}
    found = frozenset(role for role, known in _ROLES.items() if not words.isdisjoint(known))
    denied = any(word.endswith("n't") or word[:1] == "(" for word in words)
    return found | {"deny"} if denied else found


class Unreadable(Exception):
    """The answer cannot be read; the message is the reason."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Choice:
    """The statements of a text, and which of them count."""

    def __init__(self, text: str, start: Start) -> None:
        self.text, self.start = text, start
        self._statements = Statements(text, start)
        self.begin, self.end, self.place = self._region()
        self.found = [each for each in self._statements.found if each.start >= self.begin]
        self.notes: dict[int, str] = {}
        self._denied: list[Statement] = []

    def _region(self) -> tuple[int, int, str]:
        """Return the last marked part with more than a number: its start, its end, its name.

        A box with a number states the result. Any other mark with a number is no solution.
        """
        number = None
        marks = [at for at, sign in enumerate(self.text) if sign in (OPEN, LABEL, BOX)]
        for at in reversed(marks[-_MOST_MARKS:]):
            sign, last = self.text[at], len(self.text)
            end = self.text.find(CLOSE, at) if sign != LABEL else last
            place = {OPEN: "the tag <answer>", BOX: "the box"}.get(sign, "the answer line")
            part = at, end if end >= 0 else last, place
            inside = self.text[at + 1 : part[1]].strip()
            told = any(at <= each.start < part[1] for each in self._statements.found)
            line = inside if sign != LABEL else inside.partition("\n")[0]
            if told or not line or any(each.isalpha() or each == "(" for each in line):
                return part
            number = number or (part if sign != BOX else None)
        return number or (0, len(self.text), "the answer")

    def board(self) -> Board:
        """Return the operations of the answer.

        Raises:
            Unreadable: a statement is not accounted for, or the answer is undecided.
        """
        if len(self.found) > MOST_STEPS or self._statements.chains == MOST_CHAINS:
            reason = f"found more than {MOST_STEPS} steps, or {MOST_CHAINS} numbers"
            raise Unreadable(reason, self.found[0].line)
        self._check_words()
        alive, checks = self._alive()
        inside = [each for each in alive if each.start < self.end] or alive
        if not inside:
            raise Unreadable(f"{self.place} takes back what it states", self.found[-1].line)
        rest = [each for each in alive if each not in inside]
        whole = [each for each in inside if self._complete(each)]
        steps = [each for each in inside if whole or each not in checks] or inside
        board = played(inside, self.start) if whole else self._steps(steps)
        if whole and (len(inside) == 1 or not self._good(board)):
            chosen = self._chosen(whole)
            board, rest = alone(chosen, self.start), alive[alive.index(chosen) + 1 :]
            if rest and "aside" in self._near(chosen):
                raise Unreadable("the text goes on behind another attempt", chosen.line)
        self._account(board, [each for each in rest if each not in checks], whole)
        claims = (worked_out(claim.text) for each in alive for claim in each.claims)
        if not whole and len(alive) == 1 and any(claim and claim.operations for claim in claims):
            raise Unreadable("a chain that may be a list of steps", alive[-1].line)
        own = {each.line for each in board.operations}
        for each in alive:
            note = "a check" if each in checks else "reasoning before the answer"
            self.notes |= {} if each.line in own | self.notes.keys() else {each.line: note}
        return board

    def _check_words(self) -> None:
        """Check the words before the first statement, behind the last one, and between two ways.

        Raises:
            Unreadable: they withdraw the answer, change its result, or leave open which way counts.
        """
        first, last = self.found[0], self.found[-1]
        for line in self.text[: first.start].split("\n"):
            if _REFUSING.search(line):
                raise Unreadable(f"the answer withdraws: '{line.strip()[:60]}'", first.line)
        order = _ORDER.search(self.text, last.end) or _WHERE.search(self.text)
        if order:
            raise Unreadable(f"not understood: '{order[0]}'", last.line)
        other = _OTHER.search(self.text, first.end, last.start)
        if other and "so" not in self._near(last):
            raise Unreadable(f"undecided between two solutions: '{other[0]}'", last.line)

    def _complete(self, statement: Statement) -> bool:
        """Return whether a statement uses every number, or as many as the rules ask for."""
        worked = worked_out(statement.text)
        some = not self.start.rules[self.start.judged].all_used and worked is not None
        reaches = worked is not None and worked.value == self.start.target
        return self._statements.is_whole(statement.text) or (some and reaches)

    def _gap(self, at: int) -> str:
        """Return the text between a statement and the next one; -1 is before the first."""
        begin = self.found[at].end if at >= 0 else self.begin
        after = self.found[at + 1].start if at + 1 < len(self.found) else len(self.text)
        return self.text[begin:after]

    def _alive(self) -> tuple[list[Statement], list[Statement]]:
        """Return the statements that the text does not take back, and those that check others."""
        alive, shelved, checks = list[Statement](), list[Statement](), list[Statement]()
        checking = denied = False
        for at in range(-1, len(self.found)):
            if denied:
                self.notes[self.found[at].line] = "denied"
            elif at >= 0:
                alive.append(self.found[at])
                checks += [self.found[at]] if checking else []
            back, anew, denied = self._said(at, first=not alive)
            if back:
                self._deny(alive)
            elif anew and at + 1 < len(self.found):
                shelved, alive, checking = [*shelved, *alive], [], False
            checking = checking or "check" in roles(self._gap(at))
            checking = checking and bool(alive or shelved)
        known = frozenset[tuple[str, Number, Number]]().union(
            *(worked.operations for each in shelved if (worked := worked_out(each.text)))
        )
        if all(each in checks or _repeats(each, known) for each in alive):
            alive = [*([each for each in shelved if self._complete(each)][-1:] or shelved), *alive]
        for each in self.found:
            self.notes |= {} if each in alive else {each.line: "taken back"}
        return alive, checks

    def _said(self, at: int, *, first: bool) -> tuple[bool, bool, bool]:
        """Return whether the text behind a statement denies it, starts anew, or denies the next."""
        gap, more = self._gap(at), at + 1 < len(self.found)
        pieces = _CUT.split(_FENCE.sub(" ", gap))
        told = [roles(piece) for piece in pieces]
        told = [each - {"deny"} if "harmless" in each else each for each in told]
        heads = [index for index, piece in enumerate(pieces) if piece.strip()] if more else []
        head = heads[-1] if heads else -1
        denials = [index for index, each in enumerate(told) if "deny" in each]
        if first:
            ahead = [index for index in denials if "anew" not in told[index]]
            return False, False, bool(ahead) and more and (len(gap) <= 16 or head in ahead)
        anew = "anew" in roles(gap)
        if len(pieces) == 1 and more and denials:
            front = anew or "deny" in roles(gap[:8])
            return front, anew, not front
        touching = head == len(pieces) - 1 or gap.rstrip().endswith(":")
        back = [index for index in denials if index != head or not touching or "anew" in told[head]]
        return bool(back), anew, bool(denials) and not back

    def _deny(self, alive: list[Statement]) -> None:
        """Take back the last complete statement, or the steps since it."""
        self._denied += alive[-1:]
        while alive:
            last = alive.pop()
            self.notes[last.line] = "denied"
            whole = self._complete(last) and not self._either(last)
            if whole or (alive and self._complete(alive[-1]) and not self._either(last)):
                break

    def _either(self, statement: Statement) -> bool:
        """Return whether nothing but ``or`` stands before a statement."""
        return self._gap(self.found.index(statement) - 1).strip(" \n,`*_$") == "or"

    def _good(self, board: Board) -> bool:
        return judged(board).right(self.start)

    def _chosen(self, whole: list[Statement]) -> Statement:
        """Return the complete statement that counts."""
        last, right = whole[-1], [self._good(alone(each, self.start)) for each in whole]
        if len(set(right)) == 1:
            return last
        told = [each for each in whole if "chosen" in self._near(each)]
        either = any(_OR.search(self._gap(self.found.index(each))) for each in whole[:-1])
        labels = {self._label(each) for each in whole}
        lettered = len(labels) > 1 and labels <= _LETTERS
        if either or lettered or _LETTER.search(self.text, self.begin):
            raise Unreadable(
                f"undecided between {whole[0].text[:60]} and {last.text[:60]}", last.line
            )
        if told:
            return told[-1]
        before = self._gap(self.found.index(last) - 1)
        tries = all(ok or self._differs(each) for each, ok in zip(whole, right, strict=True))
        if "so" in self._near(last) or (right[-1] and tries and not self._either(last)):
            return last
        if self._differs(last) and "aside" in roles(before):
            self.notes[last.line] = "another attempt"
            return self._chosen(whole[:-1])
        raise Unreadable(f"undecided between {whole[-2].text[:60]} and {last.text[:60]}", last.line)

    def _label(self, statement: Statement) -> str:
        """Return the letter before a statement: ``(b) 3 + 5``."""
        words = self.text[max(0, statement.start - 12) : statement.start].lower().split()
        return words[-1].strip("().:*") if words else ""

    def _near(self, statement: Statement) -> frozenset[str]:
        """Return what the clause before a statement and the parentheses behind it say."""
        at = self.found.index(statement)
        clauses = re.split(r"[.!?;]\s|\n\s*(?=\S)", self._gap(at - 1))
        aside = self._gap(at).lstrip(" *_`")
        behind = aside[: aside.find(")") + 1] if aside.startswith("(") else ""
        return roles(behind) | roles(clauses[-1] if clauses[-1].strip() else "".join(clauses[-2:]))

    def _differs(self, statement: Statement) -> bool:
        """Return whether a statement says that it has another value than the target."""
        stated = [worked_out(claim.text) for claim in statement.claims]
        return bool(stated) and all(each and each.value != self.start.target for each in stated)

    def _steps(self, steps: Sequence[Statement]) -> Board:
        """Return the board of a list of steps.

        Raises:
            Unreadable: the text allows another list, which is right.
        """
        expression = not steps[0].is_step or not steps[0].claims or self.place != "the answer"
        if len(steps) == 1 and expression:
            return alone(steps[0], self.start)
        texts = [step.text.replace(" ", "") for step in steps]
        once = [step for at, step in enumerate(steps) if texts[at] not in texts[at + 1 :]]
        board = played(steps, self.start)
        again = board if len(once) == len(steps) else played(once, self.start)
        if self._good(board) or self._good(again):
            return board if self._good(board) else again
        most = len(self.start.numbers) - 1
        goes_on = len(steps) > most and steps[most].text.startswith(str(self.start.target))
        lists = [
            *(steps[at:] for at in range(1, len(steps))), steps[::-1],
            steps[: 0 if goes_on else most],
            [each for each in self.found if each not in self._denied],
        ]  # fmt: skip
        if any(len(each) <= 2 * most and self._good(played(each, self.start)) for each in lists):
            raise Unreadable("it is not clear which steps count", steps[-1].line)
        return board

    def _account(self, board: Board, rest: Sequence[Statement], whole: list[Statement]) -> None:
        """Check that each statement behind the answer repeats it, or is said to be another one."""
        known = frozenset(
            ordered(each.action, each.first.value, each.second.value)
            for each in board.operations
            if each.first.value is not None and each.second.value is not None
        )
        numbers = {*self.start.numbers.values(), *(each.value for each in board.operations)}
        for each in rest:
            worked = worked_out(each.text)
            foreign = worked is not None and numbers.isdisjoint(worked.numbers)
            right = worked is not None and worked.value == self.start.target
            if foreign or _repeats(each, known):
                self.notes[each.line] = "no number of the task" if foreign else "a repetition"
            elif each in whole or ("aside" in self._near(each) and not right):
                self.notes[each.line] = "another attempt"
            else:
                raise Unreadable(f"{each.text[:60]} stands behind the answer", each.line)


def _repeats(statement: Statement, known: frozenset[tuple[str, Number, Number]]) -> bool:
    """Return whether a statement has only known operations, and states true values."""
    worked = worked_out(statement.text)
    true = worked is not None and statement.false_claim(worked.value) is None
    return worked is not None and true and worked.operations <= known
