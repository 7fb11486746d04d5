"""What a candidate tells: its steps, which of them repeat others, and the clauses not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.answers.candidates import Candidate, Entry
from pddl_pipeline.answers.clauses import MENTIONING, STATE, STEP, UNREAD, Clause
from pddl_pipeline.answers.english import listed
from pddl_pipeline.answers.frames import IT, UNSAID, Frames
from pddl_pipeline.answers.states import Fact
from pddl_pipeline.model.answer import Fault
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import shortened

_BESIDE: Final = frozenset("(-:=\u2013\u2014")
"""Signs behind which a step of the same line may repeat one."""
_UNORDERED: Final = listed("unordered")
_BEFORE: Final = "before the plan"
_LABEL: Final = "label"
_REPEATS: Final = "repeats the item's step"
_SUMMED: Final = "sums up the plan"
_MENTIONS: Final = "mentions a step that is told elsewhere"
_RETELLS: Final = "retells the plan"
"""Notes on steps that are told, and are none of the plan."""
_CORRECTED: Final = re.compile(
    r"\b(?:wait|correction|i mean|actually|sorry|oops|scratch|no,)(?=\W)", re.IGNORECASE
)
_BACKWARDS: Final = re.compile(
    r"\b(?:backwards?|in reverse|reverse order|no particular order|any order|not necessarily)\b",
    re.IGNORECASE,
)
_REVERSED: Final = re.compile(r"\b(?:before|prior to) (?:that|this)\b|\blast step\b", re.IGNORECASE)
_SUMMARY: Final = re.compile(
    r"^\W*(?:in (?:summary|short|sum|total)|to (?:sum up|summari[sz]e|recap)|summary|overall|recap"
    r"|that is|(?:this|the|these) (?:\w+ ){0,2}(?:plan|sequence|solution|steps|actions)"
    r"(?! (?:is|are)))\b",
    re.IGNORECASE,
)
_REACH: Final = 3
"""Number of steps before a pronoun of which one may have its object."""


class Mention(NamedTuple):
    """A step that a clause tells, and whether it counts."""

    step: Step
    line: int
    clause: Clause
    weak: bool = False
    """Whether it may only mention a step that is told elsewhere."""
    note: str = ""
    """Why it is no step of the plan; empty if it is one."""
    doubtful: bool = False
    """Whether the text also allows the other reading: that it counts, or that it does not."""

    @property
    def asked(self) -> bool:
        """Whether it is none of the plan here, and the text may ask for it: ``next, lift a``."""
        added = self.clause.ordered and self.clause.lead not in MENTIONING
        return self.note == _LABEL or (self.note == _MENTIONS and added)


@dataclass(slots=True)
class Told:
    """What a candidate tells."""

    mentions: list[Mention] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    before: list[Step] = field(default_factory=list)
    """Steps that are told before the list."""
    elsewhere: list[Step] = field(default_factory=list)
    """Steps that are told in lines outside of the plan."""
    preface: set[int] = field(default_factory=set)
    """Numbers of the lines of the first paragraph, if plain lines of steps follow it."""
    unclear: str = ""
    """A clause before the list that may be a step and was not read."""
    after: set[int] = field(default_factory=set)
    """Numbers of the lines after the list."""
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

    def other_readings(self) -> Iterator[list[Step]]:
        """Yield the plans of the other readings that the text allows."""
        every = self.mentions
        plan = [each for each in every if not each.note]
        doubtful = [each for each in every if each.doubtful]
        if doubtful:
            later = {at for at in range(len(every)) if _is_told_later(every, at)}
            yield [e.step for at, e in enumerate(every) if not e.note and at not in later]
            yield [e.step for e in every if not e.note or e.doubtful]
            yield [e.step for e in plan if not e.doubtful]
        yield [e.step for e in every if e.line in self.after]
        yield [e.step for e in plan if e.line not in self.after]
        yield [e.step for e in plan if e.line not in self.preface]
        yield [*self.before, *self.steps]


def told_by(candidate: Candidate, frames: Frames) -> Told:
    """Return the steps that a candidate tells, and the clauses that are not read."""
    entries, told = candidate.entries, Told()
    carriers = _carriers(entries)
    first, last, carrying = *_span(entries, carriers), set(carriers)
    if candidate.marked:
        first = 0
    behind = (at for at in range(last + 1, len(entries)) if not _nested(entries[at], entries[last]))
    told.after = {entry.line.source.number for entry in entries[next(behind, len(entries)) :]}
    told.preface = _preface(entries, carriers)
    item: Entry | None = None
    for at, entry in enumerate(entries):
        why = entry.outside or (_BEFORE if at < first else "")
        if why or (entry.titled and at + 1 < len(entries)):
            _add_outside(entry, why, told)
            continue
        parent = item if item and (_nested(entry, item) or not entry.line.item) else None
        _Adder(entry, parent, told, carries=at in carrying).add()
        if entry.has_step and (entry.line.item or entry.line.heading):
            item = item if item and _nested(entry, item) else entry
    _check_order(entries, first, last, told)
    told.mentions = _retold(_resolved(told, frames), told)
    return told


def joined(parts: Sequence[Told]) -> Told:
    """Return what the parts of a plan tell together."""
    whole = Told()
    for part in parts:
        whole.mentions += part.mentions
        whole.faults += part.faults
        whole.notes += part.notes
    whole.before, whole.unclear, whole.claims = parts[0].before, parts[0].unclear, parts[-1].claims
    return whole


def same(one: Step, other: Step) -> bool:
    """Return whether two steps differ at most in objects that one of them leaves open."""
    if one.action != other.action or len(one.arguments) != len(other.arguments):
        return False
    pairs = zip(one.arguments, other.arguments, strict=True)
    return all(x == y or not {UNSAID, IT}.isdisjoint((x, y)) for x, y in pairs)


def is_part(steps: Sequence[Step], plan: Sequence[Step]) -> bool:
    """Return whether steps are steps of a plan, in order."""
    rest = iter(plan)
    return all(any(same(step, other) for other in rest) for step in steps)


def _any_same(step: Step, others: Sequence[Step]) -> bool:
    return any(same(step, other) for other in others)


def _is_told_later(mentions: Sequence[Mention], at: int) -> bool:
    """Return whether a mention may only announce a step that is told after it."""
    if not mentions[at].doubtful:
        return False
    return _any_same(mentions[at].step, [each.step for each in mentions[at + 1 :]])


def _steps_of(entry: Entry) -> list[Step]:
    return [clause.steps[0] for clause in entry.clauses if clause.kind == STEP]


def _carriers(entries: Sequence[Entry]) -> list[int]:
    """Return the indexes of the lines that carry the plan: items of a list, or lines of steps."""
    inside = [at for at, entry in enumerate(entries) if entry.has_step and not entry.outside]
    calls = {at for at in inside if any(clause.call for clause in entries[at].clauses)}
    items = [at for at in inside if entries[at].line.item]
    if calls:
        first = min(calls)
        return [at for at in inside if at in calls or (at > first and entries[at].line.item)]
    if items:
        top = min(entries[at].line.depth for at in items)
        return [at for at in items if entries[at].line.depth == top]
    commands = [at for at in inside if _first_step(entries[at]).lead not in MENTIONING]
    return commands if len(commands) > 1 else []


def _first_step(entry: Entry) -> Clause:
    return next(clause for clause in entry.clauses if clause.kind == STEP)


def _span(entries: Sequence[Entry], carriers: Sequence[int]) -> tuple[int, int]:
    """Return the indexes of the first and last line of the plan.

    Without lines that carry it, this is the whole text. Items of the same list belong to it.
    """
    if not carriers:
        return 0, len(entries) - 1
    first, last = carriers[0], carriers[-1]
    while first and _adjoins(entries[first - 1], entries[first]):
        first -= 1
    if not entries[first].line.item:
        return first, last
    while first and (entries[first - 1].line.item or entries[first - 1].line.depth):
        first -= 1
        if entries[first].line.order == 1:
            break
    return first, last


def _adjoins(above: Entry, below: Entry) -> bool:
    """Return whether a line with a step stands right above another one."""
    near = below.line.source.number - above.line.source.number == 1
    opening = above.clauses[0] if above.clauses else None
    unread = opening is not None and opening.kind == UNREAD and opening.command
    told = above.has_step or (unread and not (above.titled or below.line.item))
    return near and told and not above.outside


def _preface(entries: Sequence[Entry], carriers: Sequence[int]) -> set[int]:
    """Return the lines of steps above the first blank line, if there are such lines below it."""
    lines = [entries[at].line for at in carriers]
    for one, two in pairwise(lines):
        if two.source.number - one.source.number > 1 and not (one.item or one.fence):
            numbers = (line.source.number for line in lines)
            return {number for number in numbers if number <= one.source.number}
    return set()


def _nested(entry: Entry, item: Entry) -> bool:
    """Return whether a line belongs to an item: it is further right."""
    indents = entry.line.source.indent > item.line.source.indent
    return entry.line.depth > item.line.depth or (indents and item.line.item)


def _add_outside(entry: Entry, why: str, told: Told) -> None:
    """Note a line that is outside of the plan."""
    for clause in entry.clauses:
        told.note(clause, entry.line.source.number, f"outside ({why or 'heading'})")
        if clause.kind == STEP:
            (told.before if why == _BEFORE else told.elsewhere).append(clause.steps[0])
        elif why == _BEFORE and clause.call and clause.fault is not None:
            told.faults.append(Fault(*clause.fault, entry.line.source.number))
        elif why == _BEFORE and clause.kind == UNREAD:
            told.unclear = clause.text


class _Adder:
    """Adds the clauses of a line to what a candidate tells."""

    def __init__(self, entry: Entry, parent: Entry | None, told: Told, *, carries: bool) -> None:
        self._entry, self._told, self._carries = entry, told, carries
        self._nested = parent is not None
        self._known = _steps_of(parent) if parent else []
        self._number = entry.line.source.number
        self._rest = [c.steps[0] for c in entry.clauses if c.kind == STEP and not c.label]
        self._summary = _SUMMED if _SUMMARY.match(entry.line.text) else ""
        self._own: list[Step] = []
        self._in_words: list[Step] = []  # of these, the ones that are no calls

    def add(self) -> None:
        """Add every clause."""
        text = self._entry.line.text
        if self._entry.has_step and _CORRECTED.search(text):
            self._told.unread(text, self._number, "the line corrects itself")
        if self._entry.has_step and _REVERSED.search(text):
            self._told.unread(text, self._number, "the steps may be in another order")
        for clause in self._entry.clauses:
            if clause.kind == STEP:
                self._add_step(clause)
            elif clause.kind == UNREAD:
                self._add_unread(clause)
            else:
                self._told.note(clause, self._number, clause.kind)
                if self._number in self._told.after:
                    facts = (fact for fact in clause.facts if fact.claimed)
                    self._told.claims.extend((fact, clause.text) for fact in facts)

    def _add_unread(self, clause: Clause) -> None:
        again = clause.text.lower().replace(" ", "-") in {step.action for step in self._known}
        if (clause.lone and self._nested) or again:
            self._told.note(
                clause, self._number, STATE
            )  # `- Hand: b`, `- Action: lift` below a step
        elif clause.label and self._rest:
            self._told.note(clause, self._number, f"outside ({_LABEL})")
        elif clause.fault is not None:
            self._told.faults.append(Fault(*clause.fault, self._number))
        else:
            self._told.unread(clause.text, self._number)

    def _add_step(self, clause: Clause) -> None:
        step = clause.steps[0]._replace(line=self._number)
        note = self._note(clause, step)
        main = self._carries and not self._own
        main = main and clause.lead not in MENTIONING
        unsure = note == _LABEL or (self._known and not _any_same(step, self._known))
        twice = self._own[-1:] == [step] and not clause.call
        doubtful = bool(unsure) or twice or (clause.weak and main)
        weak = clause.weak and not main
        self._told.mentions.append(Mention(step, self._number, clause, weak, note, doubtful))
        self._own += [] if note == _REPEATS else [step]
        self._in_words += [] if note == _REPEATS or clause.call else [step]

    def _note(self, clause: Clause, step: Step) -> str:
        """Return why a step is none of the plan; nothing if it is one."""
        if self._summary or _any_same(step, self._known):
            return self._summary or _REPEATS
        if clause.label and self._rest:
            if not _any_same(step, self._rest):
                return _LABEL
            return "" if {UNSAID, IT}.isdisjoint(step.arguments) else _REPEATS
        labelled = self._entry.clauses[0].label and self._entry.clauses[0].kind == STEP
        beside = clause.aside or clause.lead in _BESIDE or labelled
        own = self._in_words if clause.call else self._own
        if {UNSAID, IT}.isdisjoint(step.arguments):
            own = [*(each for each in own if {UNSAID, IT}.isdisjoint(each.arguments)), *own[-1:]]
        else:
            own = own[-1:]
        return _REPEATS if beside and _any_same(step, own) else ""


def _check_order(entries: Sequence[Entry], first: int, last: int, told: Told) -> None:
    """Add a fault if the numbers of the items fall, or the text says that the order is another."""
    items = [
        entry.line
        for entry in entries[first : last + 1]
        if entry.line.order is not None and entry.has_step and not entry.outside
    ]
    for one, two in pairwise(items):
        low = 0 if (items[0].order or 0) > 1 else 1  # a list that begins with 1 may begin again
        if one.depth == two.depth and low < (two.order or 0) < (one.order or 0):
            told.unread(two.text, two.source.number, "the numbers of the steps fall")
    for entry in entries[: max(first, 1)]:
        if _BACKWARDS.search(entry.line.text):
            number = entry.line.source.number
            told.unread(entry.line.text, number, "the steps may be in another order")


def _resolved(told: Told, frames: Frames) -> list[Mention]:
    """Return mentions with the objects of pronouns, and with notes on those that repeat a step."""
    named: list[Mention] = []
    for each in told.mentions:
        step = _with_object(each, named, frames)
        if step is None:
            told.unread(each.clause.text, each.line, "open what 'it' means")
        else:
            named.append(each._replace(step=step))
    firm = [each.step for each in named if not each.weak and not each.note]
    found: list[Mention] = []
    for each in named:
        found.append(_placed(each, firm, told))
    return found


def _with_object(mention: Mention, before: Sequence[Mention], frames: Frames) -> Step | None:
    """Return the step of a mention with the object that ``it`` means; None if that is open."""
    if IT not in mention.step.arguments:
        return mention.step
    steps = [each.step for each in before[-_REACH:]]
    found = frames.with_object(mention.step, steps)
    between = set(mention.clause.between)
    if found and between and not mention.note and between.isdisjoint(found.arguments):
        return None  # `now c is free, so pick it up`
    return found


def _placed(mention: Mention, firm: Sequence[Step], told: Told) -> Mention:
    """Return a mention with a note if it mentions a step that is told elsewhere."""
    if mention.note:
        return mention
    if mention.weak and _any_same(mention.step, firm):
        return mention._replace(note=_MENTIONS, doubtful=True)
    clause = mention.clause
    if clause.late or (mention.weak and clause.lead in _UNORDERED):
        told.unread(clause.text, mention.line, "open when this happens")
    return mention._replace(doubtful=mention.doubtful or mention.weak)


def _retold(mentions: list[Mention], told: Told) -> list[Mention]:
    """Return mentions; those behind the list that retell its steps in order repeat them."""
    plan = [each.step for each in mentions if not each.note and each.line not in told.after]
    summed = [each for each in mentions if each.note == _SUMMED]
    if summed and not plan:
        return [e._replace(note="", doubtful=False) if e in summed else e for e in mentions]
    if not is_part([each.step for each in summed], plan):
        why = "the summary has other steps than the plan"
        told.unread(summed[0].clause.text, summed[0].line, why)
    behind = [each for each in mentions if not each.note and each.line in told.after]
    if not plan or not behind:
        return mentions
    whole = len(behind) == len(plan) or not any(each.clause.ordered for each in behind)
    again = whole and is_part([each.step for each in behind], plan)
    note = _RETELLS if again else ""
    return [e._replace(note=note, doubtful=not again) if e in behind else e for e in mentions]
