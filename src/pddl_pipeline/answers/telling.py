"""What a candidate tells: its steps, which of them repeat others, and the clauses not read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.answers.candidates import Candidate, Entry
from pddl_pipeline.answers.clauses import MENTIONING, STEP, UNREAD, Clause
from pddl_pipeline.answers.english import listed, words_in
from pddl_pipeline.answers.frames import IT, UNSAID, Frames
from pddl_pipeline.answers.states import Fact
from pddl_pipeline.model.answer import Fault
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import shortened

_BESIDE: Final = frozenset("(-:=\u2013\u2014")
"""Signs behind which a step of the same line may repeat one."""
ADDED: Final = "may be a further step"
_ADDING: Final = listed("adding")
_UNORDERED: Final = listed("unordered")
_CORRECTED: Final = re.compile(
    r"\b(?:but first|beforehand|earlier|previously|wait|correction|i mean|actually|sorry|oops"
    r"|scratch|no,|(?:before|prior to) (?:that|this)|last step)(?=\W)",
    re.IGNORECASE,
)
_MORE: Final = re.compile(
    r"\b(?:so on|so forth|vice versa|same (?:again|for|with|way|thing)|this manner|etc|likewise"
    r"|similarly|analogous\w*|same pattern|the rest|(?:remaining|other) (?:steps|actions|moves))\b",
    re.IGNORECASE,
)
_BACKWARDS: Final = re.compile(
    r"\b(?:backwards?|in reverse|reverse order|no particular order|any order|not necessarily)\b",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(
    r"^\W*(?:in (?:summary|short|sum|total)|to (?:sum up|summari[sz]e|recap)|summary|overall|recap"
    r"|that is|(?:this|the|these) (?:\w+ ){0,2}(?:plan|sequence|solution|steps|actions)"
    r"(?! (?:is|are)))\b",
    re.IGNORECASE,
)


class Mention(NamedTuple):
    """A step that a clause tells, and whether it counts."""

    step: Step
    line: int
    clause: Clause
    note: str = ""
    """Why it is no step of the plan; empty if it is one."""
    doubtful: bool = False
    """Whether the text also allows the other reading: that it counts, or that it does not."""
    added: bool = False
    """Whether a word such as ``then`` or ``again`` adds it to the steps before."""
    late: bool = False
    """Whether it is open when it happens."""


@dataclass(slots=True)
class Told:
    """What a candidate tells."""

    mentions: list[Mention] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    outside: list[Step] = field(default_factory=list)
    """Steps in lines before the list or outside of the plan."""
    unclear: str = ""
    """A clause before the list that may be a step and was not read."""
    claims: list[tuple[Fact, str]] = field(default_factory=list)
    """Facts that are told after the list, with their clauses."""
    notes: list[tuple[int, str]] = field(default_factory=list)
    """The line of each clause that is no step, and what it is."""

    @property
    def steps(self) -> list[Step]:
        """The steps of the plan."""
        return [each.step for each in self.mentions if not each.note]

    def note(self, clause: Clause, line: int, kind: str) -> None:
        """Note a clause that is no step, and what it is."""
        self.notes.append((line, f"{kind}: '{shortened(clause.text)}'"))

    def unread(self, text: str, line: int, reason: str = "not understood") -> None:
        """Add the fault of a text that is not read."""
        self.faults.append(Fault(ErrorKind.UNREADABLE, f"{reason}: '{shortened(text)}'", line))


def told_by(candidate: Candidate, frames: Frames) -> Told:
    """Return the steps that a candidate tells, and the clauses that are not read."""
    return _Teller(candidate, frames).told


def joined(parts: Sequence[Told]) -> Told:
    """Return what the parts of a plan tell together."""
    whole = Told(claims=parts[-1].claims)
    for part in parts:
        whole.mentions += part.mentions
        whole.faults += part.faults
        whole.notes += part.notes
        whole.outside += part.outside
        whole.unclear = whole.unclear or part.unclear
    return whole


def same(one: Step, other: Step) -> bool:
    """Return whether two steps differ at most in objects that one of them leaves open."""
    if one.action != other.action or len(one.arguments) != len(other.arguments):
        return False
    pairs = zip(one.arguments, other.arguments, strict=True)
    return all(x == y or not {UNSAID, IT}.isdisjoint((x, y)) for x, y in pairs)


def is_among(step: Step, others: Sequence[Step]) -> bool:
    """Return whether a step is one of others."""
    return any(same(step, other) for other in others)


def _is_part(steps: Sequence[Step], plan: Sequence[Step]) -> bool:
    """Return whether steps are steps of a plan, in order."""
    rest = iter(plan)
    return all(any(same(step, other) for other in rest) for step in steps)


def _nested(entry: Entry, item: Entry) -> bool:
    """Return whether a line belongs to an item: it is further right."""
    indents = entry.line.source.indent > item.line.source.indent
    return entry.line.depth > item.line.depth or (indents and item.line.item)


class _Teller:
    """Takes the clauses of a candidate one after another."""

    def __init__(self, candidate: Candidate, frames: Frames) -> None:
        self.told = Told()
        self._frames = frames
        self._repeats: list[Mention] = []
        """The mentions after the list, which must repeat its steps."""
        entries = self._entries = candidate.entries
        carriers = self._carriers()
        self._first, self._last = self._span(carriers)
        if candidate.marked:
            self._first = 0
        item: Entry | None = None
        for at, entry in enumerate(entries):
            if entry.outside or at < self._first or (entry.titled and at + 1 < len(entries)):
                other = "before the plan" if at < self._first else "heading"
                self._leave_out(entry, entry.outside or other)
                continue
            nested = item is not None and _nested(entry, item)
            after = at > self._last and not _nested(entry, entries[self._last])
            after = after or bool(carriers and _SUMMARY.match(entry.line.text))
            beside = nested or not (entry.line.item or entry.line.heading or after)
            known = item.steps if item and beside else []
            self._add(entry, known, after=after, carries=at in carriers)
            if entry.has_step and not nested and (entry.line.item or entry.line.heading):
                item = entry
        self._check_order()
        self._place()

    def _carriers(self) -> list[int]:
        """Return the indexes of the lines that carry the plan: items of a list, or of steps."""
        entries = self._entries
        told = [at for at, each in enumerate(entries) if each.has_step and not each.outside]
        inside = [at for at in told if not _SUMMARY.match(entries[at].line.text)]
        calls = {at for at in inside if any(clause.call for clause in entries[at].clauses)}
        items = [at for at in inside if entries[at].line.item]
        if calls:
            first = min(calls)
            return [at for at in inside if at in calls or (at > first and entries[at].line.item)]
        if items:
            top = min(entries[at].line.depth for at in items)
            return [at for at in items if entries[at].line.depth == top]
        steps = ((at, next(c for c in entries[at].clauses if c.kind == STEP)) for at in inside)
        commands = [at for at, clause in steps if clause.lead not in MENTIONING]
        places = [(at, entries[at].line.source.number) for at in commands]
        gaps = [y[1] - x[1] - (y[0] - x[0]) for x, y in pairwise(places)]  # blank lines
        twice = len(commands) == 2 and entries[commands[0]].steps == entries[commands[1]].steps
        if gaps and gaps[0] > (0 if twice else min(gaps)):
            return commands[1:]  # a first paragraph may say what the lines below it tell
        return commands if gaps or len(told) > len(inside) else []  # or a summary follows

    def _span(self, carriers: Sequence[int]) -> tuple[int, int]:
        """Return the indexes of the first and last line of the plan.

        Without lines that carry it, this is the whole text. Items of the same list belong to it.
        """
        entries = self._entries
        if not carriers:
            return 0, len(entries) - 1
        first = carriers[0]
        listed_ = entries[first].line.item
        while first and entries[first].line.order != 1:
            above, line = entries[first - 1], entries[first].line
            near = line.source.number - above.line.source.number == 1
            item = listed_ and (above.line.item or above.line.depth)
            told = above.has_step or (above.asks and not listed_)
            if not (item or (near and told and not above.outside)):
                break
            first -= 1
        return first, carriers[-1]

    def _leave_out(self, entry: Entry, why: str) -> None:
        """Note a line that is outside of the plan."""
        for clause in entry.clauses:
            self.told.note(clause, entry.line.source.number, f"outside ({why})")
            if clause.kind == STEP:
                self.told.outside.append(clause.steps[0])
            elif clause.kind == UNREAD and not entry.outside:
                self.told.unclear = clause.text
                if clause.call and clause.fault is not None:
                    self.told.faults.append(Fault(*clause.fault, entry.line.source.number))

    def _add(self, entry: Entry, known: Sequence[Step], *, after: bool, carries: bool) -> None:
        """Add every clause of a line.

        Args:
            entry: the line.
            known: the steps of the item that it belongs to.
            after: whether it is behind the list.
            carries: whether it is a line of the list.
        """
        text, number = entry.line.text, entry.line.source.number
        if (entry.has_step and _CORRECTED.search(text)) or _MORE.search(text):
            self.told.unread(text, number, "the line corrects itself, or leaves out steps")
        added = not (_SUMMARY.match(text) or _ADDING.isdisjoint(words_in(text)))
        rest = [c.steps[0] for c in entry.clauses if c.kind == STEP and not c.label]
        own: list[Clause] = []
        for clause in entry.clauses:
            if clause.kind == STEP:
                step = self._with_object(clause)._replace(line=number)
                twice = bool(own) and own[-1].steps == clause.steps and not clause.call
                mention = Mention(step, number, clause, doubtful=clause.weak or twice, added=added)
                if is_among(step, [*known, *self._beside(step, clause, entry, own, rest)]):
                    note = "repeats the item's step"
                    self.told.mentions.append(mention._replace(note=note, doubtful=False))
                    continue
                if clause.label and rest and not is_among(step, rest):
                    self.told.unread(clause.text, number, "open whether this is a step")
                behind = bool(own) and clause.lead in MENTIONING
                late = bool(known) or behind or self._frames.is_open(step)
                mention = mention._replace(late=late)
                self._add_step(mention, after=after, carries=carries and not own)
                own.append(clause)
            elif clause.kind == UNREAD and not ((known and clause.lone) or (clause.label and rest)):
                text = f"not understood: '{shortened(clause.text)}'"
                self.told.faults.append(
                    Fault(*(clause.fault or (ErrorKind.UNREADABLE, text)), number)
                )
            else:
                self.told.note(clause, number, clause.kind)
                facts = (fact for fact in clause.facts if fact.claimed and after)
                self.told.claims.extend((fact, clause.text) for fact in facts)

    def _add_step(self, mention: Mention, *, after: bool, carries: bool) -> None:
        """Add a step that repeats none of its line."""
        clause = mention.clause
        if IT in mention.step.arguments:
            self.told.unread(clause.text, mention.line, "unclear what 'it' refers to")
        mentioning = clause.lead in MENTIONING
        if after or mention.late or (clause.weak and (mentioning or not carries)):
            mention = mention._replace(late=mention.late or clause.lead in _UNORDERED)
            self._repeats.append(mention)
        self.told.mentions.append(mention)

    @staticmethod
    def _beside(
        step: Step, clause: Clause, entry: Entry, own: Sequence[Clause], rest: Sequence[Step]
    ) -> Sequence[Step]:
        """Return the steps of the line that a step may repeat."""
        open_ = not {UNSAID, IT}.isdisjoint(step.arguments)
        labelled = entry.clauses[0].label and entry.clauses[0].kind == STEP
        if clause.label and open_:
            return rest
        if not (clause.aside or clause.lead in _BESIDE or labelled):
            return ()
        told = [each.steps[0] for each in own if not (each.call and clause.call)]
        return told[-1:] if open_ else told

    def _with_object(self, clause: Clause) -> Step:
        """Return the step of a clause with the object that ``it`` means, unless that is open."""
        step = clause.steps[0]
        if IT not in step.arguments or not self.told.mentions:
            return step
        found = self._frames.with_object(step, [each.step for each in self.told.mentions[-3:]])
        between = set(clause.between)  # `now c is free, so pick it up`
        return found if found and not (between and between.isdisjoint(found.arguments)) else step

    def _check_order(self) -> None:
        """Add a fault if numbers of items fall, or the text says that the order is another."""
        inside = self._entries[self._first : self._last + 1]
        items = [
            e.line for e in inside if e.line.order is not None and e.has_step and not e.outside
        ]
        for one, two in pairwise(items):
            low = 0 if (items[0].order or 0) > 1 else 1  # a list that begins with 1 may begin again
            if one.depth == two.depth and low < (two.order or 0) < (one.order or 0):
                self.told.unread(two.text, two.source.number, "the numbers of the steps fall")
        for entry in self._entries[: max(self._first, 1)]:
            if _BACKWARDS.search(entry.line.text):
                number = entry.line.source.number
                self.told.unread(entry.line.text, number, "the steps may be in another order")

    def _place(self) -> None:
        """Note the mentions that repeat steps of the plan; others after the list are not read."""
        told, repeats = self.told, self._repeats
        plan = [each.step for each in told.mentions if not each.note and each not in repeats]
        behind = [each for each in repeats if not (each.clause.weak or each.late)]
        if not _is_part([each.step for each in behind], plan):
            told.unread(behind[0].clause.text, behind[0].line, "open whether this is a step")
        for each in repeats:
            added = each.added and each.clause.lead not in MENTIONING and len(behind) < len(plan)
            if is_among(each.step, plan):
                note = ADDED if added else "mentions a step of the plan"
                at = told.mentions.index(each)
                told.mentions[at] = each._replace(note=note, doubtful=each.clause.weak or added)
            elif each.late:
                told.unread(each.clause.text, each.line, "open when this happens")
