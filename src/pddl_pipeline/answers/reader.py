"""Reads the plan in an answer: every clause of it is accounted for, or the answer is unreadable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from json import JSONDecoder
from typing import Final, NamedTuple

from pddl_pipeline.answers.blocks import Line, structure
from pddl_pipeline.answers.candidates import Candidate, Entry, boxes, candidates_in, region_of
from pddl_pipeline.answers.clauses import MENTIONING, PROSE, STATE, STEP, UNREAD, Clause, Grammar
from pddl_pipeline.answers.data import parsed, written
from pddl_pipeline.answers.english import listed
from pddl_pipeline.answers.frames import IT, UNSAID, direct_objects
from pddl_pipeline.answers.grammar import grammar_of
from pddl_pipeline.answers.lines import AnswerLine, lines_of
from pddl_pipeline.answers.omitted import completed
from pddl_pipeline.answers.states import Fact
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.errors import NotJudged, PddlError, PlanSyntaxError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.validation.task import Task

_JSON: Final = re.compile(r"(?:^|=)[ \t]*(?=[\[{])", re.MULTILINE)
_BESIDE: Final = frozenset("(-:=\u2013\u2014")
"""Signs behind which a step of the same line may repeat one."""
_UNORDERED: Final = listed("unordered")
"""Words that leave open when a step happens."""
_SUMMED: Final = "sums up the plan"
_CORRECTED: Final = re.compile(r"\b(?:wait|correction|i mean|actually|sorry|oops|scratch|no,)(?=\W)", re.IGNORECASE)
_BACKWARDS: Final = re.compile(
    r"\bbackwards?\b|\bin reverse\b|\breverse order\b|\bno particular order\b|\bany order\b|\bnot necessarily\b", re.IGNORECASE
)
_REVERSED: Final = re.compile(r"\b(?:before|prior to) (?:that|this)\b|\blast step\b", re.IGNORECASE)
_SUMMARY: Final = re.compile(
    r"^\W*(?:in (?:summary|short|sum|total)|to (?:sum up|summari[sz]e|recap)|summary|overall|recap|that is)\b"
    r"|^\W*(?:this|the|these) (?:\w+ ){0,2}(?:plan|sequence|solution|steps|actions)\b(?! (?:is|are))",
    re.IGNORECASE,
)


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
    notes: list[tuple[int, str, str]] = field(default_factory=list)
    """Line, text and kind of each clause that is no step."""

    @property
    def steps(self) -> list[Step]:
        """The steps of the plan."""
        return [each.step for each in self.mentions if not each.note]

    def unread(self, text: str, line: int, reason: str = "not understood") -> None:
        """Add the fault of a text that is not read."""
        self.faults.append(Fault(ErrorKind.UNREADABLE, f"{reason}: '{shortened(text)}'", line))


def read_plan(text: str, name: str, task: Task) -> ReadAnswer:
    """Return the plan in an answer, with the faults that make the answer unreadable or wrong.

    Args:
        text: the answer, without a model's thinking.
        name: the domain whose words the answer uses.
        task: the task.
    """
    return _Reader(grammar_of(name, task), task).read(text)


class _Reader:
    """Reads one answer."""

    def __init__(self, grammar: Grammar, task: Task) -> None:
        self._grammar, self._task = grammar, task

    def read(self, text: str) -> ReadAnswer:
        """Return the plan in an answer."""
        region = region_of(text)
        inside = text[region.start : region.end]
        entries = self._entries(inside, text.count("\n", 0, region.start))
        if not region.marked:
            entries = self._boxed(text) or entries
        candidates = candidates_in(entries, marked=region.marked)
        for candidate in candidates:
            candidate.marked |= _outside_fences(candidate.entries)
        behind = [] if not region.marked else self._entries(text[region.end :], 0)
        if region.marked and not inside.strip():
            return ReadAnswer(Plan(), LazyTrace(lambda: _trace(text, Told())))
        result = self._chosen(candidates)
        if isinstance(result, str):
            return self._unread(text, result)
        candidate, told = result
        lost = candidate.withdrawn or candidate.refused or next(filter(None, map(self._gives_up, behind)), "")
        if lost:
            return self._unread(text, f"the answer withdraws its plan: '{shortened(lost)}'")
        return self._judged(told, text)

    def _gives_up(self, entry: Entry) -> str:
        return entry.line.text if not entry.has_step and entry.withdraws else ""

    def _entries(self, text: str, before: int) -> list[Entry]:
        """Return the lines of a part of the answer with their clauses."""
        found: list[Entry] = []
        at = 0
        data = self._data(text)
        if data is not None:
            start, end, lines = data
            found += self._entries(text[:start], before)
            number = before + text.count("\n", 0, start) + 1
            found += [self._entry(Line(AnswerLine(number, line), line, item=True)) for line in lines]
            before, text = before + text.count("\n", 0, end), text[end:]
        for line in structure(text) if at < len(text) else ():
            source = line.source._replace(number=line.source.number + before)
            found.append(self._entry(line._replace(source=source)))
        return found

    def _data(self, text: str) -> tuple[int, int, list[str]] | None:
        """Return where JSON or a list of Python stands in a text, and the lines of its steps."""
        if "[" not in text and "{" not in text:
            return None
        for match in list(_JSON.finditer(text))[:20]:
            start = match.end()
            try:
                value, end = JSONDecoder().raw_decode(text, start)
            except (ValueError, RecursionError):
                end = max(text.rfind("]"), text.rfind("}")) + 1
                value = parsed(text[start:end])
            lines = [] if value is None or isinstance(value, int) else list(written(value))
            if any(clause.kind in (STEP, UNREAD) for line in lines for clause in self._grammar.line(line)):
                return start, end, lines
        return None

    def _entry(self, line: Line) -> Entry:
        if line.cells:
            return Entry(line, self._row(line.cells))
        return Entry(line, self._grammar.line(line.text) if line.text else ())

    def _row(self, cells: Sequence[str]) -> tuple[Clause, ...]:
        """Return the clauses of a row of a table: of its cells, or of all cells as one call."""
        words = [cell for cell in cells if cell and not cell.strip("#. ").isdecimal()]
        for end in range(len(words), 1, -1):
            joined = self._grammar.line(" ".join(words[:end]))
            if len(joined) == 1 and joined[0].kind == STEP and len(words[0].split()) < 3:
                rest = chain.from_iterable(map(self._grammar.line, words[end:]))
                return (*joined, *rest)
        clauses = [clause for cell in words for clause in self._grammar.line(cell)]
        if any(clause.kind == STEP for clause in clauses):  # `| sail l0 l1 | l1 |`
            clauses = [c._replace(kind=STATE) if c.lone else c for c in clauses]
        return tuple(clauses)

    def _boxed(self, text: str) -> list[Entry]:
        for start, end in reversed(list(boxes(text))):
            entries = self._entries(text[start:end], text.count("\n", 0, start))
            if any(entry.has_step for entry in entries):
                return entries
        return []

    def _told(self, candidate: Candidate) -> Told:
        """Return the steps that a candidate tells, and the clauses that are not read."""
        entries = candidate.entries
        carriers = _carriers(entries)
        first, last = _span(entries, carriers)
        first = 0 if candidate.marked else first
        told = Told()
        behind = (at for at in range(last + 1, len(entries)) if not _is_nested(entries[at], entries[last]))
        told.after = {entry.line.source.number for entry in entries[next(behind, len(entries)) :]}
        told.preface = _preface(entries, carriers)
        item: Entry | None = None
        for at, entry in enumerate(entries):
            line = entry.line
            why = entry.outside or ("before the plan" if at < first else "")
            if why or (entry.titled and at + 1 < len(entries)):
                self._read_outside(entry, why, told)
                continue
            nested = item is not None and (_is_nested(entry, item) or not line.item)
            self._read_entry(entry, item if nested else None, told, carries=at in carriers)
            if entry.has_step and (line.item or line.heading) and not (item and _is_nested(entry, item)):
                item = entry
        _check_order(entries, first, last, told)
        told.mentions = _retold(_resolved(told, self._grammar), told)
        return told

    def _read_outside(self, entry: Entry, why: str, told: Told) -> None:
        """Note a line that is outside of the plan."""
        kind = f"outside: {why or 'heading'}"
        for clause in entry.clauses:
            told.notes.append((entry.line.source.number, clause.text, kind))
            if why != "before the plan" and clause.kind == STEP:
                told.elsewhere.append(clause.steps[0])
            elif why == "before the plan" and clause.kind == STEP:
                told.before.append(clause.steps[0])
            elif why == "before the plan" and clause.kind == UNREAD and clause.command:
                told.unclear = clause.text

    def _read_entry(
        self, entry: Entry, parent: Entry | None, told: Told, *, carries: bool
    ) -> None:
        """Add the clauses of a line to what a candidate tells."""
        number, text = entry.line.source.number, entry.line.text
        steps = [clause.steps[0] for clause in entry.clauses if clause.kind == STEP and not clause.label]
        known = [c.steps[0] for c in parent.clauses if c.kind == STEP] if parent else []
        if entry.has_step and _CORRECTED.search(text):
            told.unread(text, number, "the line corrects itself")
        if entry.has_step and _REVERSED.search(text):
            told.unread(text, number, "the steps may be in another order")
        summary = _SUMMED if _SUMMARY.match(text) else ""
        own: list[Step] = []
        for clause in entry.clauses:
            if clause.kind == UNREAD and clause.label and steps:
                told.notes.append((number, clause.text, "outside: label"))
            elif clause.kind == UNREAD:
                if clause.fault is not None:
                    told.faults.append(Fault(*clause.fault, number))
                else:
                    told.unread(clause.text, number)
            elif clause.kind == STEP:
                step = clause.steps[0]._replace(line=number)
                again = any(_same(step, each) for each in known)
                beside = clause.aside or clause.lead in _BESIDE
                again = again or (beside and any(_same(step, each) for each in own))
                note = summary or ("repeats the item's step" if again else "")
                if clause.label and steps:
                    same = any(_same(step, each) for each in steps)
                    clear = {UNSAID, IT}.isdisjoint(step.arguments)
                    note = note or ("" if same and clear else "repeats the item's step" if same else "label")
                    own += [step] if same and clear else []
                elif own and entry.clauses[0].label and any(_same(step, each) for each in own):
                    note = "repeats the item's step"
                first = carries and not own and clause.lead not in MENTIONING and not clause.partial
                weak = clause.weak and not first
                doubtful = note == "label" or bool(known and not again) or (clause.weak and first)
                told.mentions.append(Mention(step, number, clause, weak, note, doubtful))
                own += [] if note else [step]
            else:
                told.notes.append((number, clause.text, clause.kind))
                if number in told.after:
                    told.claims.extend((fact, clause.text) for fact in clause.facts if fact.claimed)

    def _chosen(self, candidates: Sequence[Candidate]) -> tuple[Candidate, Told] | str:
        """Return the candidate that the text chooses, or why none can be chosen."""
        found = [(each, self._told(each)) for each in candidates if each.has_steps or _is_unread(each)]
        if not any(each.has_steps for each, _ in found):
            faults = [fault for each in candidates for fault in self._told(each).faults]
            return faults[0].message if faults else "found no step"
        chosen = [each for each in found if each[0].chosen]
        if chosen:
            return chosen[-1]
        kept = [each for each in found if not (each[0].withdrawn or each[0].refused)] or found[-1:]
        plans = {tuple(step[:2] for step in told.steps) for _, told in kept}
        named = any(each.other for each, _ in kept)
        if len(plans) == 1 and not (named and any(told.faults for _, told in kept)):
            return min(kept, key=lambda each: len(each[1].faults))
        lists = [told.steps for _, told in kept]
        if any(told.faults for _, told in kept):
            return next(fault.message for _, told in kept for fault in told.faults)
        together = list(chain(*lists))
        if not any(each.other for each, _ in kept) and not any(map(self._is_valid, lists)):
            return Candidate(), _joined([told for _, told in kept])
        retold = not any(each.other or each.titled for each, _ in kept[1:]) and all(
            _is_part(other, lists[0]) for other in lists[1:]
        )
        if retold or not any(map(self._is_valid, [*lists, together])):
            return kept[0] if retold else kept[-1]
        return "two plans, and the text chooses none"

    def _judged(self, told: Told, text: str) -> ReadAnswer:
        if told.faults:
            return self._faulty(told, text)
        steps = completed(told.steps, self._task, self._grammar.frames.implied)
        if isinstance(steps, str):
            return self._unread(text, steps)
        doubt = self._doubt(told, steps)
        if doubt:
            return self._unread(text, f"whether the plan is valid depends on the reading of '{shortened(doubt)}'")
        return ReadAnswer(Plan(steps), LazyTrace(lambda: _trace(text, told)))

    def _doubt(self, told: Told, steps: Sequence[Step]) -> str:
        """Return the clause of which another reading gives another verdict; nothing if none does."""
        doubtful = [each for each in told.mentions if each.doubtful]
        if not (doubtful or told.before or told.unclear or told.claims or told.preface or told.elsewhere):
            return ""
        labels = [each for each in doubtful if each.note == "label"]
        if self._is_valid(steps):
            with_labels = [e.step for e in told.mentions if not e.note or e.note == "label"]
            if labels and not self._is_valid(with_labels):
                return labels[0].clause.text
            return self._unmet(steps, told.claims)
        others = [
            [e.step for at, e in enumerate(told.mentions) if not e.note and not _told_later(told.mentions, at)],
            [e.step for e in told.mentions if not e.note or e.doubtful],
            [e.step for e in told.mentions if e.line in told.after],
            [e.step for e in told.mentions if not e.note and e.line not in told.after],
            [e.step for e in told.mentions if not e.note and not e.doubtful],
        ]
        if doubtful and any(map(self._is_valid, others)):
            return doubtful[0].clause.text
        if told.before and self._is_valid([*told.before, *steps]):
            return str(told.before[0])
        preface = [each for each in told.mentions if each.line in told.preface]
        rest = [each.step for each in told.mentions if each not in preface and not each.note]
        if preface and self._is_valid(rest):
            return preface[0].clause.text
        lost = [step for step in told.elsewhere if not any(_same(step, each) for each in steps)]
        if lost:
            return str(lost[0])
        return told.unclear

    def _unmet(self, steps: Sequence[Step], claims: Sequence[tuple[Fact, str]]) -> str:
        """Return the clause that states a fact which does not hold at the end of the plan."""
        if not claims:
            return ""
        *_, state = self._task.trace(Plan(steps))
        for fact, clause in claims:
            arity = len(self._task.vocabulary.predicates.get(fact.predicate, ()))
            if arity and len(fact.objects) == arity:
                atom = (fact.predicate, *(fact.objects[slot] for slot in range(arity)))
                if (atom in state.facts) == fact.denied:
                    return clause
        return ""

    def _is_valid(self, steps: Sequence[Step]) -> bool:
        filled = completed(list(steps), self._task, self._grammar.frames.implied)
        if isinstance(filled, str):
            return False
        try:
            return self._task.progress(Plan(filled), strict=True).reached
        except (PlanSyntaxError, NotJudged, PddlError):
            return False

    def _faulty(self, told: Told, text: str) -> ReadAnswer:
        return ReadAnswer(None, LazyTrace(lambda: _trace(text, told)), tuple(told.faults[:10]))

    def _unread(self, text: str, reason: str) -> ReadAnswer:
        lines = lines_of(text)
        trace = LazyTrace(lambda: tuple(line.dropped(reason) for line in lines))
        return ReadAnswer(None, trace, (Fault(ErrorKind.UNREADABLE, reason, lines[0].number if lines else None),))


def _outside_fences(entries: Sequence[Entry]) -> bool:
    """Mark the lines outside of fences if a fence has steps, and return whether one has."""
    fences = {entry.line.fence for entry in entries if entry.line.fence > 0 and entry.has_step}
    for entry in entries if fences else ():
        if entry.line.fence not in fences and not entry.titled:
            entry.outside = "outside of the fence"
    return bool(fences)


def _carriers(entries: Sequence[Entry]) -> list[int]:
    """Return the indexes of the lines that carry the plan: items of a list, or lines of steps."""
    open_ = [at for at, entry in enumerate(entries) if entry.has_step and not entry.outside]
    calls = [at for at in open_ if any(c.call for c in entries[at].clauses)]
    items = [at for at in open_ if entries[at].line.item]
    if calls:
        return [at for at in open_ if at in calls or (at > calls[0] and entries[at].line.item)]
    if items:
        top = min(entries[at].line.depth for at in items)
        return [at for at in items if entries[at].line.depth == top]
    commands = [at for at in open_ if _first(entries[at]).lead not in MENTIONING]
    return commands if len(commands) > 1 else []


def _is_unread(candidate: Candidate) -> bool:
    """Return whether a candidate that the text names or chooses has clauses that are not read."""
    open_ = [entry for entry in candidate.entries if not entry.outside and not entry.line.heading]
    return (candidate.other or candidate.chosen) and any(
        clause.kind == UNREAD for entry in open_ for clause in entry.clauses
    )


def _joined(parts: Sequence[Told]) -> Told:
    """Return what parts of a plan tell together."""
    whole = Told()
    for part in parts:
        whole.mentions += part.mentions
        whole.faults += part.faults
        whole.notes += part.notes
    whole.before, whole.unclear, whole.claims = parts[0].before, parts[0].unclear, parts[-1].claims
    return whole


def _told_later(mentions: Sequence[Mention], at: int) -> bool:
    """Return whether a mention may only announce a step that is told after it."""
    mention = mentions[at]
    return mention.doubtful and any(_same(mention.step, each.step) for each in mentions[at + 1 :])


def _first(entry: Entry) -> Clause:
    """Return the first step of a line."""
    return next(clause for clause in entry.clauses if clause.kind == STEP)


def _same(one: Step, other: Step) -> bool:
    """Return whether two steps differ at most in objects that one of them leaves open."""
    return one.action == other.action and len(one.arguments) == len(other.arguments) and all(
        x == y or UNSAID in (x, y) or IT in (x, y) for x, y in zip(one.arguments, other.arguments, strict=True)
    )


def _adjoins(above: Entry, below: Entry) -> bool:
    """Return whether a line stands right above another one."""
    return not above.outside and below.line.source.number - above.line.source.number == 1


def _preface(entries: Sequence[Entry], carriers: Sequence[int]) -> set[int]:
    """Return the lines of steps above the first blank line, if there are such lines below it."""
    lines = [entries[at].line for at in carriers]
    for one, two in pairwise(lines):
        if two.source.number - one.source.number > 1 and not (one.item or one.fence):
            return {line.source.number for line in lines if line.source.number <= one.source.number}
    return set()


def _is_nested(entry: Entry, item: Entry) -> bool:
    """Return whether a line belongs to an item: it is further right."""
    indents = entry.line.source.indent > item.line.source.indent
    return entry.line.depth > item.line.depth or (indents and item.line.item)


def _span(entries: Sequence[Entry], carriers: Sequence[int]) -> tuple[int, int]:
    """Return the indexes of the first and last line of the plan.

    Without lines that carry it, this is the whole text. Items of the same list belong to it.
    """
    if not carriers:
        return 0, len(entries) - 1
    first, last = carriers[0], carriers[-1]
    while first and entries[first - 1].has_step and _adjoins(entries[first - 1], entries[first]):
        first -= 1
    if not entries[first].line.item:
        return first, last
    while first and (entries[first - 1].line.item or entries[first - 1].line.depth):
        first -= 1
        if entries[first].line.order == 1:
            break
    return first, last


def _check_order(entries: Sequence[Entry], first: int, last: int, told: Told) -> None:
    """Add a fault if the numbers of the items fall, or the text works backwards."""
    orders = [
        (entry.line.depth, entry.line.order, entry.line)
        for entry in entries[first : last + 1]
        if entry.line.order is not None and entry.has_step and not entry.outside
    ]
    for (depth, one, _), (deep, two, line) in pairwise(orders):
        if depth == deep and two < one and two != 1:
            told.unread(line.text, line.source.number, "the numbers of the steps fall")
    for entry in entries[: max(first, 1)]:
        if _BACKWARDS.search(entry.line.text):
            told.unread(entry.line.text, entry.line.source.number, "the steps may be in reverse order")


def _is_part(steps: Sequence[Step], plan: Sequence[Step]) -> bool:
    """Return whether steps are steps of a plan, in order."""
    rest = iter(plan)
    return all(any(_same(step, other) for other in rest) for step in steps)


def _resolved(told: Told, grammar: Grammar) -> list[Mention]:
    """Return mentions with the objects of pronouns, and with notes on those that repeat a step."""
    named: list[Mention] = []
    for each in told.mentions:
        filled: Step | None = each.step
        if IT in each.step.arguments:
            before = [other.step for other in named[-3:]]
            filled = grammar.frames.with_object(each.step, before)
            between = set(each.clause.between)
            if filled and between and not each.note and not between & set(filled.arguments):
                filled = None  # `now c is free, so pick it up`
        if filled is None or (each.clause.partial and not each.note and not each.weak):
            told.unread(each.clause.text, each.line, "not understood" if filled else "open what 'it' means")
        else:
            named.append(each._replace(step=filled))
    firm = [each for each in named if not each.weak and not each.note]
    for at, each in enumerate(named):
        if each.note or not each.weak:
            again = False
        elif any(_same(each.step, other.step) for other in firm):
            again = True
            note = "mentions a step that is told elsewhere"
            named[at] = each._replace(note=note, doubtful=True)
        else:
            again = False
            named[at] = each._replace(doubtful=True)
            if each.clause.partial:
                told.unread(each.clause.text, each.line)
        unordered = each.weak and each.clause.lead in _UNORDERED
        if not each.note and not again and (each.clause.late or unordered):
            told.unread(each.clause.text, each.line, "open when this happens")
    return named


def _retold(mentions: list[Mention], told: Told) -> list[Mention]:
    """Return mentions; those behind the list that retell its steps in order repeat them."""
    plan = [each.step for each in mentions if not each.note and each.line not in told.after]
    behind = [each for each in mentions if not each.note and each.line in told.after]
    summed = [each for each in mentions if each.note == _SUMMED]
    if summed and not plan:
        return [e._replace(note="", doubtful=False) if e in summed else e for e in mentions]
    if not _is_part([each.step for each in summed], plan):
        told.unread(summed[0].clause.text, summed[0].line, "the summary has other steps than the plan")
    if not plan or not behind:
        return mentions
    retold = _is_part([each.step for each in behind], plan)
    whole = len(behind) == len(plan)
    if retold and (whole or not any(each.clause.ordered for each in behind)):
        return [e._replace(note="retells the plan", doubtful=False) if e in behind else e for e in mentions]
    return [e._replace(doubtful=True) if e in behind else e for e in mentions]


def _trace(text: str, found: Told) -> tuple[TraceLine, ...]:
    """Return the trace: for each clause which kind it is."""
    entries: list[tuple[int, int, TraceLine]] = []
    count = 0
    lines = {line.number: line for line in lines_of(text)}
    told = set[int]()
    for each in found.mentions:
        line = lines[each.line]
        told.add(each.line)
        if each.note:
            entries.append((each.line, 1, line.dropped(each.note)))
        else:
            count += 1
            entries.append((each.line, 0, line.read_as(each.step, count)))
    for fault in found.faults:
        told.add(fault.line or 0)
        entries.append((fault.line or 0, 1, lines[fault.line or 1].dropped(fault.message)))
    for number, clause, kind in found.notes:
        if number in lines:
            told.add(number)
            entries.append((number, 2, lines[number].dropped(f"{kind}: '{clause}'")))
    entries += [(n, 0, line.dropped("no clause")) for n, line in lines.items() if n not in told]
    entries.sort(key=lambda each: each[0])
    return tuple(each for _, _, each in entries)
