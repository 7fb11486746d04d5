"""Reads the plan in an answer: chooses its carrier, simulates it, and doubts what could change it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, takewhile
from typing import Final

from pddl_pipeline.answers.blocks import (
    EXCLUDED,
    LOWERED,
    MARKED,
    NAMED,
    PLAIN,
    RANKS,
    Block,
    blocks_of,
    lines_in,
)
from pddl_pipeline.answers.carriers import Carrier, Remark, carrier_of, has_step
from pddl_pipeline.answers.clauses import STATE, STEP, UNREAD, Clause, Grammar
from pddl_pipeline.answers.frames import IT, UNSAID
from pddl_pipeline.answers.english import listed
from pddl_pipeline.answers.grammar import grammar_of
from pddl_pipeline.answers.lines import lines_of
from pddl_pipeline.answers.sentences import AMENDMENT, HARMLESS, LACKING, NO_PLAN, UNCLEAR, Context, same
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.errors import ErrorKind, NotJudged, PddlError, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import shortened
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_OTHER: Final = listed("other") | {"efficient", "shorter", "better"}
_MOST_FAULTS: Final = 10
_CORRECTED: Final = re.compile(
    r"\b(?:wait|oops|correction|corrected|actually|mistake|wrong|incorrect|sorry|scratch that|try again"
    r"|start over|does(?: not|n't) work|fails|invalid|reconsider|fix|let me re\w+|better|shorter|more efficient|improved)\b",
    re.IGNORECASE,
)
"""Words between two plans that correct the first one."""
_SUMMARY: Final = re.compile(r"\b(?:summary|recap|overview|in short|plan of actions)\b", re.IGNORECASE)
_CHOICE: Final = re.compile(
    r"\b(?:choose|chosen|pick|prefer|recommend\w*|select|go with|use|final|best|better|correct|answer)\b"
    r"[^.!?\n]{0,60}?\b(?:(?:plan|option|approach|solution|version|attempt) (?:#?)(\w+))\b"
    r"|\b(?:plan|option|approach|solution|version|attempt) #?(\w+)\b[^.!?\n]{0,40}\b(?:is|works)\b[^.!?\n]{0,40}"
    r"\b(?:best|better|correct|final|answer|recommended|preferred|chosen|optimal|right)\b",
    re.IGNORECASE,
)
_EMPTY: Final = re.compile(
    r"\b(?:no (?:\w+ )?(?:actions?|steps?|moves?|plan) (?:is|are|needs?|at all|to be)?\s?(?:needed|required|necessary|taken)?"
    r"|nothing (?:needs|has|is left|more|to (?:do|be done))|already (?:satisfied|holds?|achieved|reached|solved|met|true|fulfilled)"
    r"|empty plan|holds already)\b",
    re.IGNORECASE,
)


class _Unreadable(Exception):
    """The answer has no plan that can be judged; the text is the reason."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def read_plan(text: str, name: str, task: Task) -> ReadAnswer:
    """Return the plan in an answer, with the faults that make the answer unreadable or wrong.

    Args:
        text: the answer, without a model's thinking.
        name: the domain whose words the answer uses.
        task: the task.
    """
    return _Reader(grammar_of(name, task), task).read(text)


class _Reader:
    """Reads an answer to a task."""

    def __init__(self, grammar: Grammar, task: Task) -> None:
        self._grammar, self._task = grammar, task
        self._carriers: list[Carrier] = []
        self._chosen: Carrier | None = None
        self._parts: list[Carrier] = []
        self._faults: list[Fault] = []
        self._notes: list[tuple[int, str]] = []

    def read(self, text: str) -> ReadAnswer:
        """Return the plan in an answer."""
        plan = None
        try:
            plan = self._plan(text)
        except _Unreadable as error:
            first = error.line or next((line.number for line in lines_of(text)), None)
            self._faults.append(Fault(ErrorKind.UNREADABLE, str(error), first))
        faults = tuple(self._faults[:_MOST_FAULTS])
        return ReadAnswer(plan, LazyTrace(lambda: self._trace(text)), faults)

    def _plan(self, text: str) -> Plan | None:
        """Return the plan of the carrier that the answer chooses.

        Raises:
            _Unreadable: it chooses none, or a sentence may amend it.
        """
        grammar = self._grammar
        blocks = blocks_of(lines_in(text), partial(has_step, grammar=grammar))
        self._carriers = [carrier_of(block, grammar) for block in blocks]
        found = [each for each in self._carriers if (each.steps or each.faults) and each.block.rank > EXCLUDED]
        if any(not each.passive for each in found):
            found = [each for each in found if not each.passive]
        if not found:
            return self._without_carrier(text, blocks)
        chosen = self._choice(found)
        plan = _calls(chosen.steps)
        again = [each for each in found if _calls(each.steps) == plan and not (each.broken or each.faults)]
        last = [each for each in found if _SUMMARY.search(each.block.title) and self._is_valid(each.steps)]
        last = [] if self._is_valid(chosen.steps) else last
        chosen = self._chosen = (last or again or [chosen])[-1]
        if chosen.faults:
            self._faults += chosen.faults
            return None
        if chosen.broken is not None:
            raise _Unreadable(chosen.broken.message, chosen.broken.line)
        steps = completed(chosen.steps, self._task)
        if isinstance(steps, str):
            raise _Unreadable(steps)
        if self._is_valid(steps):
            self._check_valid(chosen, steps)
        else:
            self._check_invalid(chosen, steps)
        return Plan(steps)

    def _choice(self, found: Sequence[Carrier]) -> Carrier:
        """Return the carrier that the answer chooses.

        Raises:
            _Unreadable: it chooses none of several.
        """
        top = max(each.block.rank for each in found)
        kept = [each for each in found if each.block.rank == top]
        if len(kept) == 1:
            return kept[0]
        kept = _unbroken(kept)
        if len(kept) == 1:
            return kept[0]
        whole = _joined(kept)
        valid = [self._is_valid(each.steps) and not each.faults for each in kept]
        if top == NAMED and kept[-1].block.region != kept[0].block.region:
            kept = [each for each in kept if each.block.region == kept[-1].block.region] if kept[-1].block.region else kept[-1:]
            return kept[0] if len(kept) == 1 else self._choice(kept) if len(kept) < len(valid) else kept[-1]
        if not any(valid) and self._is_valid(whole.steps) and not whole.faults:
            self._parts = kept
            return whole
        if top == NAMED and not kept[-1].block.region:
            return kept[-1]
        plans = [_calls(each.steps) for each in kept]
        whole_ones = not any(each.faults or each.broken for each in kept)
        if whole_ones and all(plan == plans[0] for plan in plans):
            return kept[-1]
        label = self._label(found)
        named = [each for each in kept if label and label in words_of(each.block.title)]
        if named:
            return named[-1]
        if self._is_corrected(kept[-2], kept[-1]):
            return kept[-1]
        longest = max(kept, key=lambda each: len(each.steps))
        retold = all(
            _is_part(each.steps, longest.steps) and words_of(each.block.title).isdisjoint(_OTHER)
            for each in kept
        )
        if whole_ones and retold and valid[kept.index(longest)]:
            return longest
        if all(valid) or not (any(valid) or any(each.faults or each.broken for each in kept)):
            return kept[-1]
        long = [each for each in kept if len(each.steps) > 2]
        if len(long) == 1 and all(len(each.steps) <= 1 for each in kept if each is not long[0]):
            return long[0]
        raise _Unreadable("two plans, and the text chooses none", kept[-1].last or None)

    def _label(self, found: Sequence[Carrier]) -> str:
        """Return the name of the plan that a sentence chooses: ``I choose plan B.``"""
        label = ""
        for each in self._carriers:
            for remark in (*each.front, *each.remarks):
                match = _CHOICE.search(remark.text)
                label = (match[1] or match[2]).lower() if match else label
        return label

    def _is_corrected(self, one: Carrier, other: Carrier) -> bool:
        """Return whether a word of correction stands between two carriers."""
        inside = range(one.last, (other.steps[0].line or 0) + 1)
        remarks = (r for each in self._carriers for r in (*each.front, *each.remarks) if not r.comment)
        texts = [each.block.title for each in self._carriers if each is other]
        return any(_CORRECTED.search(each.text) for each in remarks if each.line in inside) or any(
            _CORRECTED.search(each) for each in texts
        )

    def _outside(self, chosen: Carrier) -> Iterator[tuple[Remark, Block, bool]]:
        """Yield the sentences that are no item of the chosen carrier, and whether they are behind."""
        behind = False
        for each in self._carriers:
            own = each is chosen or each.block is chosen.block
            for remark in each.front:
                yield remark, each.block, behind
            behind |= own
            for remark in each.remarks:
                yield remark if own else remark._replace(comment=False, place=len(chosen.steps)), each.block, behind
            for item in () if own or each in self._parts or not behind else each.items:
                yield item._replace(place=len(chosen.steps)), each.block, behind

    def _check_valid(self, chosen: Carrier, steps: Sequence[Step]) -> None:
        """Check that no sentence amends a valid plan.

        Raises:
            _Unreadable: one may.
        """
        context = Context(self._task, steps, self._states(steps), self._grammar.frames)
        for remark, block, behind in self._outside(chosen):
            if NO_PLAN.search(remark.text) and not re.search(r"\bif\b", remark.text):
                raise _Unreadable(f"the answer says that there is no plan: '{shortened(remark.text)}'", remark.line)
            if not behind:
                self._check_front(remark, block, chosen, context)
                continue
            form = context.form(remark, lowered=block.rank < PLAIN)
            self._notes.append((remark.line, f"{form}: '{shortened(remark.text)}'"))
            if form not in HARMLESS:
                reason = f"whether the plan is valid depends on the reading of '{shortened(remark.text)}'"
                raise _Unreadable(f"{reason} ({form})", remark.line)

    def _check_front(self, remark: Remark, block: Block, chosen: Carrier, context: Context) -> None:
        """Check that a sentence before the plan has no command that the plan lacks."""
        if chosen.block.rank >= MARKED or remark.reason or block.rank < PLAIN or block.title != chosen.block.title:
            return
        for clause in remark.clauses:
            if clause.kind == STEP and self._is_command(clause) and not _is_among(clause.step, context.steps):
                reason = f"a step before the plan that the plan lacks: '{shortened(remark.text)}'"
                raise _Unreadable(reason, remark.line)

    def _is_command(self, clause: Clause) -> bool:
        verb = next((term.text for term in clause.terms if term.kind == "verb"), "")
        return clause.lead in ("", ",", "then", "and") and (not clause.terms or self._grammar.frames.is_command(verb))

    def _check_invalid(self, chosen: Carrier, steps: Sequence[Step]) -> None:
        """Check that no sentence outside of an invalid plan may be a lost step of it.

        Raises:
            _Unreadable: one may.
        """
        context = Context(self._task, steps, self._states(steps), self._grammar.frames)
        for other in self._carriers:
            if other is not chosen and other.steps and other.block.rank >= LOWERED and self._is_valid(other.steps):
                raise _Unreadable("two plans, and the text chooses the invalid one", other.last)
        for remark, block, behind in self._outside(chosen):
            own = block is chosen.block
            if block.rank < PLAIN or (chosen.block.rank == NAMED and not own and not behind):
                continue
            form = context.form(remark, anywhere=True)
            for clause in remark.clauses:
                lost = clause.kind == STEP and not _is_among(clause.step, steps)
                unread = form not in HARMLESS and clause.kind == UNREAD and (
                    own or clause.fault is not None or self._has_verb(clause)
                )
                if lost or unread:
                    raise _Unreadable(f"a step may be lost: '{shortened(remark.text)}'", remark.line)
            if form in (UNCLEAR, LACKING) and own or form == AMENDMENT and behind:
                raise _Unreadable(f"the plan may be amended: '{shortened(remark.text)}'", remark.line)

    def _has_verb(self, clause: Clause) -> bool:
        return any(term.kind == "verb" for term in clause.terms) and not clause.words & {"not", "cannot"}

    def _without_carrier(self, text: str, blocks: Sequence[Block]) -> Plan | None:
        """Return the plan that is told in prose, clause by clause.

        Raises:
            _Unreadable: a clause that names an object is no step and no claim.
        """
        remarks = [
            remark for each in self._carriers if each.block.rank > LOWERED
            for remark in (*each.front, *each.remarks)
        ]  # fmt: skip
        told: list[Step] = []
        for remark in remarks:
            self._add_prose(remark, told)
        if told:
            steps = completed(told, self._task)
            if isinstance(steps, str):
                raise _Unreadable(steps)
            self._chosen = Carrier(Block([]), told)
            return Plan(steps)
        named = any(block.region and not block.lines for block in blocks) and not remarks
        empty = named or text.strip("`~ \n\t[]{}") == "" and text.strip() or _EMPTY.search(text)
        if empty and not any(_denied(remark) for remark in remarks):
            if self._is_valid([]) or named:
                return Plan()
        raise _Unreadable("found no step")

    def _add_prose(self, remark: Remark, told: list[Step]) -> None:
        for clause in remark.clauses:
            words = clause.words
            if clause.kind == STEP and clause.step is not None:
                if clause.lead in ("before", "after", "if", "or", "until", "unless") or "either" in words or clause.end == "?":
                    raise _Unreadable(f"open when this happens: '{shortened(clause.text)}'", remark.line)
                step = clause.step._replace(line=remark.line)
                if IT in step.arguments:
                    step = self._grammar.frames.with_object(step, told[-3:]) or step
                told.append(step)
            elif clause.kind not in (STATE, "prose") and clause.points:
                fault = clause.fault or (ErrorKind.UNREADABLE, f"not understood: '{shortened(clause.text)}'")
                raise _Unreadable(fault[1], remark.line)

    def _states(self, steps: Sequence[Step]) -> list[State]:
        """Return the states before and after each step that can be executed."""
        found = [self._task.initial_state()]
        with suppress(PlanSyntaxError, NotJudged, PddlError, StepFails):
            for state in islice(self._task.trace(Plan(steps)), 1, None):
                found.append(state)
        return found

    def _is_valid(self, steps: Sequence[Step]) -> bool:
        """Return whether steps are a valid plan."""
        filled = completed(steps, self._task)
        if isinstance(filled, str):
            return False
        try:
            return self._task.progress(Plan(filled), strict=True).reached
        except (PlanSyntaxError, NotJudged, PddlError):
            return False

    def _trace(self, text: str) -> tuple[TraceLine, ...]:
        """Return the trace: the rank of each block, the step of each item, each sentence's form."""
        lines = {line.number: line for line in lines_of(text)}
        steps = self._chosen.steps if self._chosen else []
        found = [lines[each.line or 0].read_as(each, at) for at, each in enumerate(steps, 1)]
        notes = [(fault.line or 0, f"not read: {fault.message}") for fault in self._faults] + self._notes
        for each in self._carriers:
            why = RANKS[each.block.rank]
            state = "chosen" if each is self._chosen else "not chosen"
            for line in each.block.lines[:1]:
                notes.append((line.number, f"block ({why}): {state}"))
            notes += [(line.number, f"outside: {why}") for line in each.block.lines]
        known = {entry.line for entry in found}
        for at, note in notes:
            if at in lines and (at not in known or not note.startswith(("outside", "block"))):
                found.append(lines[at].dropped(note))
                known.add(at)
        found += [line.dropped("no clause") for number, line in lines.items() if number not in known]
        return tuple(sorted(dict.fromkeys(found), key=lambda entry: entry.line))


def words_of(title: str) -> set[str]:
    """Return the words and numbers of a title in lower case."""
    return set(re.findall(r"\w+", title.lower()))


def _denied(remark: Remark) -> bool:
    return NO_PLAN.search(remark.text) is not None


def _unbroken(kept: list[Carrier]) -> list[Carrier]:
    """Return carriers without those that only tell steps of another one, and are not all read."""
    good = [each for each in kept if not (each.broken or each.faults)]
    longest = max(good, key=lambda each: len(each.steps), default=None)
    return [
        each for each in kept
        if each in good or longest is None or not words_of(each.block.title).isdisjoint(_OTHER)
        or each.faults or not all(_is_among(step, longest.steps) for step in each.steps)
    ]  # fmt: skip


def _joined(parts: Sequence[Carrier]) -> Carrier:
    """Return the carrier of the parts of a plan together."""
    whole = Carrier(parts[-1].block)
    for part in parts:
        whole.front += part.front
        whole.remarks += [each._replace(place=each.place + len(whole.steps)) for each in part.remarks]
        whole.steps += part.steps
        whole.faults += part.faults
        whole.broken = whole.broken or part.broken
    return whole


def _calls(steps: Sequence[Step]) -> list[tuple[object, ...]]:
    """Return the actions and objects of steps, without their places in the text."""
    return [step[:2] for step in steps]


def _is_among(step: Step | None, others: Sequence[Step]) -> bool:
    return step is not None and any(same(step, other) for other in others)


def _is_part(steps: Sequence[Step], plan: Sequence[Step]) -> bool:
    """Return whether steps are steps of a plan, in order."""
    rest = iter(plan)
    return all(any(same(step, other) for other in rest) for step in steps)


def completed(steps: Sequence[Step], task: Task) -> list[Step] | str:
    """Return the steps with the objects that are left out, or why an object is open.

    An object is determined if exactly one applicable step fits the words of the answer. A plan
    that fails ends before the first step behind its failure whose objects are left out.
    """
    if all(UNSAID not in step.arguments for step in steps) or task.facts.unsupported:
        return list(steps)
    found: list[Step] = []
    state = task.initial_state()
    for at, told in enumerate(steps):
        step = told
        if UNSAID in told.arguments:
            fitting = [each.step for each in task.successors(state) if same(each.step, told)]
            if len(fitting) != 1:
                which = " or ".join(sorted(map(str, fitting)))
                why = f"it may be {which}" if which else "none is possible"
                return f"the step '{told.action}' leaves out an object: {why}"
            step = told._replace(arguments=fitting[0].arguments)
        found.append(step)
        try:
            task.read_plan(Plan([step]))
            task.apply(step, state)
        except (PlanSyntaxError, StepFails, NotJudged):
            return [*found, *takewhile(lambda each: UNSAID not in each.arguments, steps[at + 1 :])]
    return found
