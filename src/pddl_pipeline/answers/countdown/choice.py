"""Chooses the statements that count: the last marked ones, else the last complete one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Final

from pddl_pipeline.answers.countdown.expression import ordered, worked_out
from pddl_pipeline.answers.countdown.statements import (
    BOX,
    CHANGES,
    CLOSE,
    LABEL,
    MOST_CHAINS,
    OPEN,
    Statements,
)
from pddl_pipeline.answers.countdown.steps import MOST_STEPS, Board, Start, Statement, alone, played
from pddl_pipeline.answers.phrases import amends

_MARKED: Final = re.compile(rf"[{OPEN}{LABEL}{BOX}]")
_DENIES: Final = re.compile(
    r"\b(?:no|not|never|wrong|incorrect|invalid|fails?|too (?:\w+ )?(?:low|high|big|small|large"
    r"|much)|close|unless|avoid|without"
    r"|except|instead of|rather than|example|try|tried|consider\w*|thought|ignor\w+|disregard"
    r"|skip|forget|scratch|one short"
    r"|off by)\b|n't\b|[\u2260\u2717\u2718\u274c]|~~",
    re.IGNORECASE,
)
"""Words of a sentence that deny its statement, or leave open whether it counts."""
_REFUSES: Final = re.compile(
    rf"\b(?:not|\w+n't|wrong|incorrect|invalid|no|check|verif\w+|reject\w*|draft"
    rf"|example)\b[^.!?;\n]{{0,60}}(?:\.[ \t]{{0,9}}|[:{LABEL}]\s{{0,9}}|\Z)[ \t*_]{{0,9}}\Z",
    re.IGNORECASE,
)
_INTRODUCES: Final = re.compile(
    r"\b(?:following|example|here)\b[^.!?;\n]{0,60}\b(?:not|wrong|incorrect"
    r"|invalid)\b[^.!?;\n]{0,40}[.:" + LABEL + r"][*_ ]{0,9}(?:\n|\Z)",
    re.IGNORECASE,
)
_CHECKS: Final = re.compile(r"^\W*(?:let's )?(?:check|verif\w*)\b", re.IGNORECASE | re.MULTILINE)
_COUNTS: Final = re.compile(
    r" (?:\w+ )?(?:steps?|moves?|operations?|actions?|numbers?|ways?)\b", re.IGNORECASE
)
_LABELS: Final = re.compile(
    r"\([a-h]\)|\b(?:former|first (?:one|option)|option [a-h\d]"
    r"|answer (?:[b-h\d]|a(?=\W*(?:\Z|[.!,;]))))\b",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(r"\b(?:alternativ\w+|another|different|also be)\b", re.IGNORECASE)
_OPTIONS: Final = re.compile(r"^\W{0,9}(?:answer|option) ([a-h\d])\b", re.IGNORECASE | re.MULTILINE)
"""Names of answers that stand beside each other."""
_CORRECTS: Final = re.compile(
    r"\b(?:wait|oops|no,|wrong|incorrect|mistake|correction|actually)\b", re.IGNORECASE
)
_NO: Final = re.compile(
    r"[\W_]*(?:no|nope|not|wrong|incorrect|false)\b(?=[\W_]*(?:\Z|[.,!;:]|that\b|this\b|it\b"
    r"|the answer))",
    re.IGNORECASE,
)
"""Words right before a marked answer that refuse it."""
_GIVES_UP: Final = re.compile(
    r"\b(?:cannot|can't|impossible|no (?:\w+ )?(?:way|solution|combination|plan|answer)|give up"
    r"|not possible)\b",
    re.IGNORECASE,
)
_EXPLAINS: Final = re.compile(
    r"^[\W_]*(?:check|explanation|reasoning|verification|summary|recap|to summari[sz]e"
    r"|in (?:words|short|summary))\b[*_ ]{0,4}[:,\n]",
    re.IGNORECASE | re.MULTILINE,
)
"""The label of an explanation behind the answer."""
_SENTENCE: Final = re.compile(r"[^.!?\n;]{0,2000}(?:\.(?=\d)[^.!?\n;]{0,2000}){0,40}[.!?\n;]?")


_END: Final = re.compile(r"[.!?\n;](?!\d)")


class Unreadable(Exception):
    """The answer cannot be read; the message is the reason."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Choice:
    """The statements of a text, and which of them count."""

    def __init__(self, text: str, start: Start) -> None:
        self.text, self.start = text, start
        self.begin, self.end, self.place = 0, len(text), "the answer"
        self._statements = every = Statements(text, start)
        marks = [match.start() for match in _MARKED.finditer(text)]
        names = {OPEN: "the tag <answer>", BOX: "the box", LABEL: "the answer line"}
        self._parts = [(at, self._end_of(at)) for at in marks[-50:]]
        for at, end in reversed(self._parts):
            # `Answer: 24` only repeats the target, and the statements before it count;
            # `Answer: none` is a separate answer.
            told = any(at <= each.start < end for each in (*every.found, *every.cut))
            if told or (
                at == marks[-1] and text[at + 1 : end].strip(' .*_=\n}{]"') != str(start.target)
            ):
                self.begin, self.end, self.place = at, end, names[text[at]]
            if told:
                break
        self.inside = [each for each in every.found if self.begin <= each.start < self.end]

    def _end_of(self, at: int) -> int:
        """Return where the part behind a mark ends: with its line, if the line has a statement."""
        if self.text[at] != LABEL:
            end = self.text.find(CLOSE, at)
            return end if end >= 0 else len(self.text)
        line = self.text.find("\n", at)
        told = any(at <= each.start < line for each in self._statements.found)
        return line if told else len(self.text)

    def _is_corrected(self) -> bool:
        """Return whether a word of correction and another complete statement follow the mark."""
        match = _CORRECTS.search(self.text, self.end)
        later = [each for each in self._statements.found if match and each.start > match.end()]
        if self._is_closed() or not any(map(self._is_complete, later)):
            return False
        self.begin, self.end, self.inside = later[0].start, len(self.text), later
        return True

    def board(self) -> Board:
        """Return the operations of the answer.

        Raises:
            Unreadable: a part of the text is not understood, or leaves open what counts.
        """
        if len(self._statements.found) > MOST_STEPS or self._statements.count == MOST_CHAINS:
            self._fail(f"found more than {MOST_STEPS} steps, or {MOST_CHAINS} numbers")
        marked = self.place != "the answer" and not self._is_corrected()
        whole = [each for each in self.inside if self._is_complete(each)]
        open_ = [each for each in whole if not _DENIES.search(self._sentence(each))]
        if whole and not open_:
            self._fail(f"not understood: '{self._sentence(whole[-1]).strip()[:60]}'")
        steps = self.inside if marked or whole else self._run()
        chosen = open_[-1:] or steps
        board = alone(chosen[0], self.start) if whole else self._steps(steps)
        others = [each for each in open_ if alone(each, self.start).right != board.right]
        between = [self.text[each.end : chosen[0].start] for each in others]
        near = any(_CHECKS.search(each) or not _END.search(each) for each in between)
        if others and (marked or not board.right or near):
            self._fail(f"undecided between {others[0].text[:60]} and {chosen[0].text[:60]}")
        if not board.right:
            self._check_wrong()
        self._check_around(chosen, board, marked=marked)
        return board

    def _run(self) -> Sequence[Statement]:
        """Return the last steps that use all numbers; all statements if no others come before."""
        size = len(self.start.numbers) - 1
        first = {each.text: each for each in reversed(self.inside)}
        if len(self.inside) > size:  # steps that are told again
            self.inside = [each for each in self.inside if first[each.text] is each]
        for part in (
            (self.inside[:size], self.inside[-size:]) if len(self.inside) > size > 0 else ()
        ):
            known = {each.text.replace(" ", "") for each in part}
            if played(part, self.start).right and (
                part[-1] is self.inside[-1]
                or all(e.text.replace(" ", "") in known for e in self.inside)
            ):
                between = self.text[self.inside[0].end : self.inside[-1].start]
                if _ANOTHER.search(between) and not _CORRECTS.search(between):
                    self._fail("two lists of steps, and the text chooses none")
                return part
        return self.inside

    def _check_wrong(self) -> None:
        """Check that no other statements of a wrong answer are right.

        Raises:
            Unreadable: they are.
        """
        size, found = len(self.start.numbers) - 1, self.inside
        # Any run of steps, and all of them backwards: some answers work from the target down.
        parts = [found[at : at + size] for at in range(len(found) - size + 1)]
        every = [each for each in self._statements.found if self._is_complete(each)]
        front = self.place == "the answer"
        right = any(
            alone(each, self.start).right for each in every
            if front or each.start > self.end
            or any(at <= each.start < end for at, end in self._parts)
        )  # fmt: skip
        if right or any(played(each, self.start).right for each in (*parts, found[::-1])):
            self._fail("it is not clear which statements count")

    def _check_around(self, chosen: Sequence[Statement], board: Board, *, marked: bool) -> None:
        """Check that the text beside and behind the answer does not change it.

        Raises:
            Unreadable: it may.
        """
        first, last = chosen[0], chosen[-1]
        ends = [match.end() for match in _END.finditer(self.text, 0, first.start)]
        begin = self.begin if marked else ends[-1] if ends else 0
        before = self.text[max(0, first.start - 200) : first.start]
        before = before.rstrip(f"({OPEN}{LABEL}{BOX} *_")
        complete = [each.end for each in self._statements.found if self._is_complete(each)]
        above = max((end for end in complete if end < first.start), default=0)
        refused = (marked and _REFUSES.search(before)) or _INTRODUCES.search(
            self.text, above, first.start
        )
        if refused:
            self._fail(f"not understood: '{refused[0].strip()}'")
        if len({each.lower() for each in _OPTIONS.findall(self.text)}) > 1:
            self._fail("two answers, and the text chooses none")
        explained = _EXPLAINS.search(self.text, last.end)
        changed = CHANGES.search(
            self.text, begin, explained.start() if explained else len(self.text)
        )
        if changed:
            self._fail(f"not understood: '{changed[0]}'")
        for each in self._statements.cut:
            listed_ = each.text.strip().isdigit() and board.right
            told = explained and each.start > explained.start() and listed_  # `6, 11, 13 - each`
            if each.start >= begin and not told:
                raise Unreadable(f"not understood: '{each.text[:60]}'", each.line)
        known = {
            ordered(each.action, each.first.value, each.second.value)
            for each in board.operations
            if each.first.value is not None and each.second.value is not None
        }
        for each in self._statements.found:
            worked = worked_out(each.text)
            if (
                each in chosen
                or each.start < begin
                or (each.end < last.end and self._is_complete(each))
            ):
                continue
            if worked and worked.operations <= known and not each.false_claim(worked.value):
                continue
            reached = board.right and worked and worked.value == self.start.target
            if reached and (not self._is_complete(each) or alone(each, self.start).right):
                continue  # `21 * 8 - 14 - 3, or 21 * 8 - (14 + 3) = 168 - 17`
            raise Unreadable(f"{each.text[:60]} stands behind the answer", each.line)
        known_ = [*chosen, *self._statements.found]
        self._check_words(begin, last.end, known_, right=board.right and not explained)

    def _is_closed(self) -> bool:
        return self.text[self.end : self.end + 1] == CLOSE

    def _check_words(
        self, begin: int, end: int, known: Sequence[Statement], *, right: bool
    ) -> None:
        """Check the sentences beside and behind the answer.

        Raises:
            Unreadable: one may change the answer, or has a number that nothing explains.
        """
        also = [
            each.start for each in self._statements.found
            if self._is_closed() and self._is_complete(each) and alone(each, self.start).right
        ]  # fmt: skip
        for match in islice(_SENTENCE.finditer(self.text, end), 10_000):
            if any(match.start() <= at < match.end() for at in also):
                continue  # `</answer> or, in another order, 5 + 4 + (10 - 6)`
            if (
                amends(match[0])
                or _GIVES_UP.search(match[0])
                or _NO.match(match[0])
                or _LABELS.search(match[0])
            ):
                self._fail(f"not understood: '{match[0].strip()[:60]}'")
        words = " ".join(word for each in known for word in (each.text, *each.claims))
        numbers = {*map(str, self.start.numbers.values()), str(self.start.target)}
        numbers.update(re.findall(r"\d[\d.]*", words))
        for each in self._statements.said if right else ():
            counts = _COUNTS.match(self.text, each.end)
            if each.start >= begin and not counts and each.text.strip("-() ") not in numbers:
                self._fail(f"not understood: '{each.text.strip()}'")

    def _sentence(self, statement: Statement) -> str:
        """Return the sentence of a statement, without the statement."""
        lead = re.split(
            r"[.!?\n;](?!\d)", self.text[max(0, statement.start - 200) : statement.start]
        )[-1]
        tail = re.split(r"[.!?\n;](?!\d)", self.text[statement.end : statement.end + 200])[0]
        return f"{lead} {tail}"

    def _fail(self, reason: str) -> None:
        raise Unreadable(reason, self.inside[-1].line if self.inside else 1)

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
        """Return the board of a list of steps."""
        return alone(steps[0], self.start) if len(steps) == 1 else played(steps, self.start)
