"""The carrier of a plan: a run of items in a block, each of which is a step, read completely."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.answers.blocks import PLAIN, Block, Line, rank_of
from pddl_pipeline.answers.clauses import (
    ARROWS,
    PART,
    PROSE,
    STATE,
    STEP,
    UNREAD,
    Clause,
    Grammar,
    Sentence,
)
from pddl_pipeline.answers.english import BE, LINKS, listed, words_in
from pddl_pipeline.answers.frames import Frames
from pddl_pipeline.answers.phrases import PHASE, SIGNS, SUBJECTS
from pddl_pipeline.answers.terms import VERB
from pddl_pipeline.model.answer import Fault
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import shortened

REASONS: Final = listed("reasons")
_PLAN: Final = listed("plan")
COMMENTS: Final = REASONS | {
    "(",
    "so",
    "thus",
    "hence",
    "therefore",
    "instead",
    "rather",
    "without",
    "or",
}
"""Signs and words behind a step that begin a comment."""
_END: Final = re.compile(
    r"\b(?:done|total|finish(?:ed)?|end|complete[ds]?|stop|verify|check|goal|final|no further"
    r"|noop)\b",
    re.IGNORECASE,
)
"""Words of an item that ends a list, and is no step."""


_RECAP: Final = re.compile(
    r"\W{0,3}(?:in (?:summary|short|sum|total)|to (?:sum up|summari[sz]e|recap)|that is(?=,)"
    r"|summary|overall|recap)\b",
    re.IGNORECASE,
)


_IN_STEP: Final = re.compile(r"\W{0,3}in (?:step|action|move) (\d{1,4})\b", re.IGNORECASE)


class Remark(NamedTuple):
    """A sentence, or the part of one behind a step."""

    line: int
    text: str
    clauses: Sequence[Clause]
    place: int = 0
    """The number of the step beside or before it."""
    comment: bool = False
    """Whether it stands beside a step."""
    reason: bool = False
    """Whether its label says that it explains."""
    cell: bool = False
    """Whether it is the rest of a row of a table."""


@dataclass(slots=True)
class Carrier:
    """The items of a block, and what stands around them."""

    block: Block
    steps: list[Step] = field(default_factory=list)
    items: list[Remark] = field(default_factory=list)
    front: list[Remark] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    """Beside the items, and behind them."""
    faults: list[Fault] = field(default_factory=list)
    broken: Fault | None = None
    """Why an item is no step."""
    mark: str = ""
    """The mark of its items."""
    passive: bool = True
    """Whether all items may be states: ``c is stacked on a``."""

    @property
    def is_whole(self) -> bool:
        """Whether every item is read as a step."""
        return not (self.broken or self.faults)

    def add(self, step: Step, frames: Frames) -> None:
        """Add a step with the object that ``it`` means."""
        self.steps.append(frames.with_object(step, self.steps[-3:]) or step)

    @property
    def is_prose(self) -> bool:
        """Whether its steps stand in sentences, several of them in a line."""
        lines = {step.line for step in self.steps}
        return not self.mark and self.block.rank <= PLAIN and len(lines) < len(self.steps)

    @property
    def last(self) -> int:
        """The line of the last step; 0 without steps."""
        return self.steps[-1].line or 0 if self.steps else 0


def sentences_of(line: Line, grammar: Grammar) -> Sequence[Sentence]:
    """Return the sentences of a line, or of the cells of a row."""
    if not line.cells:
        return grammar.line(line.text)
    # A cell with the number of the step alone is no part of its text.
    cells = [
        cell for cell in line.cells if cell.lower().removeprefix("step").strip("#. 0123456789")
    ]
    words = " ".join(cells)
    rest = () if line.text == " | ".join(line.cells) else grammar.line(line.text)
    # `lift | hoist1 | crate1 | from pallet1` has its objects in the order of PDDL.
    bare = " ".join(word for word in words.split() if word not in LINKS)
    for told in dict.fromkeys((words if "(" in words else words.replace(",", " "), bare)):
        call = grammar.line(told)
        alone = len(call) == 1 and [clause.kind for clause in call[0].clauses] == [STEP]
        if alone and (len(cells[0].split()) < 3 or rest):
            return grammar.line(f"{told} {line.text}") if rest else call
    return [*(sentence for cell in cells for sentence in grammar.line(cell)), *rest]


def has_step(line: Line, grammar: Grammar) -> bool:
    """Return whether a line has a step."""
    return _read(line.text, line.cells, grammar)[1]


@lru_cache(16_384)
def _read(text: str, cells: Sequence[str], grammar: Grammar) -> tuple[_Told, bool]:
    """Return what a line tells, and whether it has a step."""
    sentences = sentences_of(Line(0, text, cells=tuple(cells)), grammar)
    steps = any(clause.kind == STEP for sentence in sentences for clause in sentence.clauses)
    return told_by(sentences, grammar.frames), steps


class _Told(NamedTuple):
    """The steps that a line tells, and its other sentences."""

    steps: list[Clause]
    rest: list[tuple[Sentence, int]]
    """Each with the number of steps before it."""


def _style(clause: Clause, frames: Frames) -> bool:
    """Return whether a step is a call or a command, and not told of: ``I stacked a on b``."""
    verb = next((term.text for term in clause.terms if term.kind == VERB), "")
    return not frames.is_past(verb) and clause.words.isdisjoint(BE)


def told_by(sentences: Sequence[Sentence], frames: Frames) -> _Told:
    """Return the steps that sentences tell, and what else they say.

    A sentence tells steps until a comment begins: a dash, a colon, a parenthesis, ``because``.
    """
    told = _Told([], [])
    plan = False
    for at, sentence in enumerate(sentences):
        if (
            told.steps
            and _style(told.steps[0], frames)
            and any(
                clause.kind == STEP
                and not _style(clause, frames)
                and (clause.words.isdisjoint(BE) or clause.step in [e.step for e in told.steps])
                for clause in sentence.clauses[:1]
            )
        ):
            plan = True  # `Unstack b from c. I unstacked b because …`
        if told.steps and told.steps[-1].end in (":", "-", "\u2013", "\u2014"):
            told.rest.extend((each, len(told.steps)) for each in sentences[at:])
            break
        plan |= _RECAP.match(sentence.text) is not None
        again = _IN_STEP.match(sentence.text)  # `In step 2, b is stacked on a`
        plan |= again is not None and int(again[1]) <= len(told.steps)
        plan |= any(not c.words.isdisjoint(_PLAN) and c.end != ":" for c in sentence.clauses[:1])
        before, steps, rest = _split(sentence, frames, plan=plan, behind=bool(told.steps))
        if steps and before:
            told.rest.append((Sentence(_text(sentence, before), before), len(told.steps) + 1))
        told.steps.extend(steps)
        if rest or not steps:
            text = _text(sentence, rest) if steps else sentence.text
            told.rest.append((Sentence(text, rest), len(told.steps)))
    # A step also stands in front of those found: which ones count is open, as in prose.
    if told.steps and any(c.kind == STEP for s, at in told.rest if not at for c in s.clauses):
        return _Told([], [(sentence, 0) for sentence in sentences])  # prose
    return told


def _text(sentence: Sentence, clauses: Sequence[Clause]) -> str:
    """Return the part of a sentence that has some of its clauses, with the word before them."""
    text, last = sentence.text, clauses[-1].text
    start = text.find(clauses[0].text)
    lead = [word for word in text[:start].split()[-1:] if word.lower().lstrip("(") in COMMENTS]
    return " ".join((*lead, text[start : text.rfind(last) + len(last)]))


def _split(
    sentence: Sentence, frames: Frames, *, plan: bool, behind: bool
) -> tuple[list[Clause], list[Clause], list[Clause]]:
    """Return the clauses before the steps of a sentence, its steps, and the others.

    Args:
        sentence: the sentence.
        frames: the words of the domain.
        plan: whether it speaks of the plan, and tells no step itself.
        behind: whether a step stands before it in the line.
    """
    before, steps, rest = list[Clause](), list[Clause](), list[Clause]()
    for at, clause in enumerate(sentence.clauses):
        words = clause.words
        plan |= not words.isdisjoint(_PLAN) and clause.end != ":"
        aside = clause.lead == "(" and (behind or (steps and steps[0].lead != "("))
        told = clause.kind == STEP and not plan and clause.end != "?"
        # `You could also stack b on c`
        told &= words.isdisjoint(("could", "might", "would", "either"))
        told &= not clause.precedes  # `Sail to l1, but first board c0`
        # `(serve mug ann) -> mug is served to ann`
        result = steps and not words.isdisjoint(BE) and _style(steps[0], frames)
        told &= not (result and (clause.lead in ARROWS or clause.step == steps[-1].step))
        # In `Now b: pick it up`, an object and no label stands before the colon.
        label = clause.lead == ":" and sentence.clauses[at - 1].kind != PART
        told &= not ((words & {"can", "may"} or label) and (behind or steps))
        told &= (
            clause.lead not in COMMENTS
            or clause.lead == "("
            or (not steps and clause.lead in ("so", "thus", "hence", "therefore"))
        )
        if told and not aside:
            steps.append(clause)
            if clause.end == ":":
                return before, steps, [*rest, *sentence.clauses[at + 1 :]]
        elif aside:
            rest.append(clause)
        elif not steps and clause.kind == UNREAD and clause.text.lower().startswith("with "):
            before.append(clause)  # `With c out of the way, it picks up b`
        elif steps or (clause.end != ":" and clause.kind in (UNREAD, STEP)):
            return before, steps, [*rest, *sentence.clauses[at:]] if steps else [*sentence.clauses]
        elif clause.end != ":" or clause.points:
            before.append(clause)
    return before, steps, rest if steps else [*sentence.clauses]


def carrier_of(block: Block, grammar: Grammar) -> Carrier:
    """Return the carrier in a block; without steps if it has none."""
    return _Reader(block, grammar).found


class _Reader:
    """Takes the lines of a block one after another."""

    def __init__(self, block: Block, grammar: Grammar) -> None:
        self.found = Carrier(block)
        self._grammar, self._frames = grammar, grammar.frames
        self._mark = ""
        self._depth = 0
        self._calls = self._command = False
        self._between: list[Line] = []  # plain lines since the last step
        self._parents: list[tuple[int, bool, bool]] = []  # depth of open lines, steps, explanation
        self._order = 0
        lines = block.lines
        told = [_read(line.text, line.cells, grammar)[0] for line in lines]
        for at, (line, below) in enumerate(pairwise(lines)):
            if (
                below.mark in ("1", "-")
                and told[at + 1].steps
                and line.mark in ("#", "")
                and ((line.order is None and line.mark) or PHASE.match(line.text))
            ):  # `Phase 2: put b on a`, `# Put b on a` above the steps of the part
                told[at] = _Told([], [])
        steps = [
            at for at, each in enumerate(told) if each.steps and self._rank(lines[at]) >= PLAIN
        ]
        first = next(iter(steps), None)
        if first is not None and not lines[first].mark:  # a preface has no step of a list
            first = next((at for at in steps if lines[at].mark == "1"), first)
            items = [at for at in steps if lines[at].mark == "-"]
            first = items[0] if items and steps == [first, *items] else first
            # Two calls below a sentence with a step are the plan, and the sentence is its preface.
            calls = [at for at in steps if not told[at].rest and not told[at].steps[0].terms]
            first = calls[0] if len(calls) > 1 and not lines[first].mark else first
        if first is None:
            self.found.front = [remark for line in lines for remark in _remarks(line, grammar, 0)]
            return
        self._mark, self._depth = lines[first].mark, lines[first].depth
        self.found.mark = self._mark
        self._calls = any(not each.terms for each in told[first].steps)
        self._command = _style(told[first].steps[0], self._frames)
        for at, line in enumerate(lines):
            self._add(line, told[at], before=at < first)
        for line in self._between[:1]:
            # Right below the list it may be a step that is not read; further down it is text.
            if line.number == self.found.last + 1 and not _END.search(line.text):
                self._break(line)

    def _add(self, line: Line, told: _Told, *, before: bool) -> None:
        found = self.found
        while self._parents and self._parents[-1][0] >= self._level(line):
            self._parents.pop()
        nested = any(steps for _, steps, _ in self._parents)
        excluded = (rank := self._rank(line)) < PLAIN
        reason = rank != PLAIN or any(reason for *_, reason in self._parents)
        self._parents.append((self._level(line), bool(told.steps) and not before, reason))
        listed_ = (
            line.mark in ("1", "-", "|") and self._mark == line.mark and not nested and not excluded
        )
        faults = [c for s, _ in told.rest for c in s.clauses if c.fault and _style(c, self._frames)]
        fault = next((each.fault for each in faults if not each.terms or not told.steps), None)
        if fault is not None and not nested and not excluded and line.mark == self._mark:
            found.faults.append(Fault(*fault, line.number))
        if told.steps and not nested and not excluded and self._is_item(line, told):
            self._add_item(line, told)
            return
        aside, why = nested or excluded, excluded or (nested and reason)
        remarks = list(_remarks(line, self._grammar, len(found.steps), comment=aside, reason=why))
        inside = (found.block.region or line.fence) and not line.mark and line.text[:1] not in ";#/"
        first = re.split(r"[^a-z]", line.text.lower().lstrip())[0]
        points = any(clause.points for each in remarks for clause in each.clauses)
        unread = any(c.kind == UNREAD and not c.fault for each in remarks for c in each.clauses)
        if not (
            line.mark
            or self._mark
            or (points and (not unread or line.text.endswith(".")))
            or first in SUBJECTS
            or line.text[:1] in "(;#/[|"
            or line.text.endswith((":", "?"))
        ):
            self._between.append(line)
        other = (listed_ or inside) and not (told.steps or nested or line.text.endswith(":"))
        if other and line.depth == self._depth:
            self._add_other(line, remarks)
        (found.front if before and not listed_ else found.remarks).extend(remarks)

    @staticmethod
    def _rank(line: Line) -> int:
        """Return the rank of what a short label before the colon of a line introduces."""
        label, colon, _ = line.text.partition(":")
        short = colon and not line.cells and len(words_in(label)) < 5 and not {*".("} & {*label}
        return rank_of(label) if short else PLAIN

    def _level(self, line: Line) -> int:
        return line.level + (self._mark == "#" and line.mark != "#")

    def _is_item(self, line: Line, told: _Told) -> bool:
        """Return whether a line with steps is of the kind of the carrier."""
        if self._mark and line.mark != self._mark and line.depth <= self._depth:
            # `- p0 boards at f1` below a list of calls says what they do.
            return line.mark != "" and not (self._calls and told.steps[0].terms)
        if not line.mark and self._command and not _style(told.steps[0], self._frames):
            return False
        if self._calls and not line.mark:  # and not `Yes, right after (put-down b).`
            return not told.steps[0].terms and line.text.startswith(told.steps[0].text)
        return True

    def _add_item(self, line: Line, told: _Told) -> None:
        found = self.found
        for each in self._between if found.steps else ():
            self._break(each)
        self._between = []
        text = "; ".join(clause.text for clause in told.steps)
        found.items.append(Remark(line.number, text, told.steps))
        if line.order is not None:
            if line.order < self._order and line.depth == self._depth:
                self._break(line, "the numbers of the steps fall")
            self._order = line.order
        if SIGNS.search(line.text):
            self._break(line, "an item is crossed out")
        base = len(found.steps)
        for step, clause in ((each.step, each) for each in told.steps if each.step is not None):
            found.passive &= not clause.words.isdisjoint(BE)
            found.add(step._replace(line=line.number), self._frames)
        for sentence, at in told.rest:
            remark = Remark(
                line.number, sentence.text, sentence.clauses, base + at, comment=True,
                cell=bool(line.cells),
            )  # fmt: skip
            (found.remarks if base + at else found.front).append(remark)

    def _add_other(self, line: Line, remarks: Sequence[Remark]) -> None:
        """Check an item of the list that is no step."""
        clauses = [clause for each in remarks for clause in each.clauses]
        fault = next((each.fault for each in clauses if each.fault), None)
        if fault is not None:
            self.found.faults.append(Fault(*fault, line.number))
            return
        # `5. b is on the table` and `6. Done` end a list; `5. dance` may be a step that is lost.
        states = all(each.kind in (STATE, PROSE) for each in clauses)
        claims = any(each.kind == STATE for each in clauses)
        if states and (claims or not line.mark or _END.search(" ".join((line.text, *line.cells)))):
            return
        self._break(line)

    def _break(self, line: Line, why: str = "an item of the list is no step") -> None:
        reason = f"{why}: '{shortened(line.text)}'"
        self.found.broken = self.found.broken or Fault(ErrorKind.UNREADABLE, reason, line.number)


def _remarks(
    line: Line, grammar: Grammar, place: int, *, comment: bool = False, reason: bool = False
) -> Iterator[Remark]:
    """Yield the sentences of a line that is no item; its steps are only told again."""
    for sentence in sentences_of(line, grammar):
        yield Remark(line.number, sentence.text, sentence.clauses, place, comment, reason)
