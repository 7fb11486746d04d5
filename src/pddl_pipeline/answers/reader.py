"""Reads the plan in an answer: every clause of it is accounted for, or the answer is unreadable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, takewhile
from json import JSONDecoder
from typing import Any, Final

from pddl_pipeline.answers.blocks import structure
from pddl_pipeline.answers.candidates import Candidate, Entry, candidates_in, region_of
from pddl_pipeline.answers.clauses import STATE, STEP, UNREAD, Clause, Grammar
from pddl_pipeline.answers.data import written
from pddl_pipeline.answers.frames import UNSAID
from pddl_pipeline.answers.grammar import grammar_of
from pddl_pipeline.answers.lines import lines_of
from pddl_pipeline.answers.states import Fact
from pddl_pipeline.answers.telling import ADDED, Told, is_among, joined, same, told_by
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.errors import ErrorKind, NotJudged, PddlError, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import shortened
from pddl_pipeline.validation.task import Task

_JSON: Final = re.compile(r"(?:^|=)[ \t]*(?=[\[{])", re.MULTILINE)
_MOST_VALUES: Final = 20
"""Maximum number of places where JSON is looked for."""
_MOST_FAULTS: Final = 10


class _Unreadable(Exception):
    """The answer has no plan that can be judged; the text is the reason."""


def read_plan(text: str, name: str, task: Task) -> ReadAnswer:
    """Return the plan in an answer, with the faults that make the answer unreadable or wrong.

    Args:
        text: the answer, without a model's thinking.
        name: the domain whose words the answer uses.
        task: the task.
    """
    return _Reader(grammar_of(name, task), task).read(text)


class _Reader:
    """Reads the answers to a task."""

    def __init__(self, grammar: Grammar, task: Task) -> None:
        self._grammar, self._task = grammar, task

    def read(self, text: str) -> ReadAnswer:
        """Return the plan in an answer."""
        told = Told()
        try:
            told = self._told(text)
            plan = None if told.faults else self._plan(told)
        except _Unreadable as error:
            first = next((line.number for line in lines_of(text)), None)
            told.faults.append(Fault(ErrorKind.UNREADABLE, str(error), first))
            plan = None
        faults = tuple(told.faults[:_MOST_FAULTS])
        return ReadAnswer(plan, LazyTrace(lambda: _trace(text, told)), faults)

    def _told(self, text: str) -> Told:
        """Return what the candidate tells that the answer chooses.

        Raises:
            _Unreadable: it chooses none, or takes it back.
        """
        region = region_of(text)
        inside = text[region.start : region.end]
        if region.marked and not inside.strip():
            return Told()
        entries = self._entries("\n" * text.count("\n", 0, region.start) + inside)
        candidates = candidates_in(entries, marked=region.marked)
        for candidate in candidates:
            candidate.marked |= _has_fence(candidate.entries)
        chosen, told = self._chosen(candidates)
        behind = self._entries(text[region.end :]) if region.marked else ()
        lost = (entry.line.text for entry in behind if not entry.has_step and entry.withdraws)
        withdrawn = chosen.withdrawn or chosen.refused or next(lost, "")
        if withdrawn:
            raise _Unreadable(f"the answer withdraws its plan: '{shortened(withdrawn)}'")
        return told

    def _entries(self, text: str) -> list[Entry]:
        """Return the lines of a part of the answer with their clauses."""
        lines = structure(self._with_lines(text) if "[" in text or "{" in text else text)
        return [
            Entry(line, self._row(line.cells) if line.cells else self._grammar.line(line.text))
            for line in lines
        ]

    def _with_lines(self, text: str) -> str:
        """Return a text with the steps in JSON as items of a list."""
        found, at = "", 0
        for match in list(_JSON.finditer(text))[:_MOST_VALUES]:
            start = match.end()
            value: Any = None
            with suppress(ValueError, RecursionError):
                value, end = JSONDecoder().raw_decode(text, start)
            lines = list(written(value)) if start >= at else []
            clauses = chain.from_iterable(map(self._grammar.line, lines))
            if any(clause.kind in (STEP, UNREAD) for clause in clauses):
                items = "".join(f"<li>- {line}" for line in lines)
                found += text[at:start] + items + "\n" * text.count("\n", start, end)
                at = end
        return found + text[at:]

    def _row(self, cells: Sequence[str]) -> tuple[Clause, ...]:
        """Return the clauses of a row of a table: of the row as a call, or of each of its cells."""
        texts = [cell for cell in cells if cell.lower().removeprefix("step").strip("#. 0123456789")]
        words = " ".join(texts)
        call = self._grammar.line(words if "(" in words else words.replace(",", " "))
        if len(call) == 1 and call[0].kind == STEP and len(texts[0].split()) < 3:
            return call
        clauses = list(chain.from_iterable(map(self._grammar.line, texts)))
        if any(clause.kind == STEP for clause in clauses):  # `| sail l0 l1 | l1 |`
            clauses = [each._replace(kind=STATE) if each.lone else each for each in clauses]
        return tuple(clauses)

    def _chosen(self, candidates: Sequence[Candidate]) -> tuple[Candidate, Told]:
        """Return the candidate that the text chooses, and what it tells.

        Raises:
            _Unreadable: there is none, or none is chosen of several.
        """
        every = [(each, told_by(each, self._grammar.frames)) for each in candidates]
        if not any(each.has_steps for each in candidates):
            if not any(told.faults for _, told in every):
                raise _Unreadable("found no step")
            return next(each for each in every if each[1].faults)
        found = [
            (each, told) for each, told in every
            if each.has_steps or (told.faults and (each.other or each.chosen))
        ]  # fmt: skip
        chosen = [each for each in found if each[0].chosen]
        if chosen and not (len(found) > 1 and any(each.compared for each in candidates)):
            whole = list(chain.from_iterable(told.steps for _, told in found))
            if len(found) > 1 and not self._is_valid(chosen[-1][1].steps) and self._is_valid(whole):
                raise _Unreadable("open whether the parts of the answer are one plan")
            return chosen[-1]
        kept = [each for each in found if not (each[0].withdrawn or each[0].refused)]
        return self._of_several(kept or found[-1:])

    def _of_several(self, kept: Sequence[tuple[Candidate, Told]]) -> tuple[Candidate, Told]:
        """Return the candidate that counts if the text chooses none in words.

        Raises:
            _Unreadable: they differ, and the verdict depends on which one counts.
        """
        faults = [fault for _, told in kept for fault in told.faults]
        other = any(candidate.other for candidate, _ in kept)
        plans = [told.steps for _, told in kept]
        if all(_calls(plan) == _calls(plans[0]) for plan in plans) and not (other and faults):
            return min(kept, key=lambda each: len(each[1].faults))
        if faults:
            raise _Unreadable(faults[0].message)
        if other or any(map(self._is_valid, plans)):
            raise _Unreadable("two plans, and the text chooses none")
        return Candidate(), joined([told for _, told in kept])

    def _plan(self, told: Told) -> Plan:
        """Return the plan that is told.

        Raises:
            _Unreadable: an object is open, or another reading of the text has another verdict.
        """
        steps = completed(told.steps, self._task)
        if isinstance(steps, str):
            raise _Unreadable(steps)
        doubt = self._missed(told, steps) or self._doubt(told, steps)
        if doubt:
            why = "whether the plan is valid depends on the reading of"
            raise _Unreadable(f"{why} '{shortened(doubt)}'")
        return Plan(steps)

    def _missed(self, told: Told, steps: Sequence[Step]) -> str:
        """Return the clause beside which an object is named that its step might mean and lacks.

        In ``so at l0, board c0`` the place is left out of the step, and stands beside it.
        """
        vocabulary = self._task.vocabulary
        counted = [each for each in told.mentions if not each.note]
        for (said, _, clause, *_), step in zip(counted, steps, strict=False):
            for slot, name in enumerate(said.arguments if clause.beside else ()):
                types = vocabulary.actions[step.action].parameters[slot].types
                fitting = set(clause.beside).intersection(vocabulary.candidates(types))
                if name == UNSAID and fitting and step.arguments[slot] not in fitting:
                    return clause.text
        return ""

    def _doubt(self, told: Told, steps: Sequence[Step]) -> str:
        """Return the clause of which another reading has another verdict; nothing if none has."""
        doubtful = [each for each in told.mentions if each.doubtful]
        lost = [each for each in told.outside if not is_among(each, steps)]
        if not (doubtful or lost or told.unclear or told.claims):
            return ""
        if self._is_valid(steps):
            asked = [each for each in doubtful if each.note == ADDED]
            every = [each.step for each in told.mentions if not each.note or each in asked]
            unmet = self._unmet(steps, told.claims)
            return asked[0].clause.text if asked and not self._is_valid(every) else unmet
        others = (
            [each.step for each in told.mentions if not each.note or each.doubtful],
            [each.step for each in told.mentions if not (each.note or each.doubtful)],
            [each.step for each in doubtful if each.note],
        )
        if doubtful and any(map(self._is_valid, others)):
            return doubtful[0].clause.text
        return next(map(str, lost), told.unclear)

    def _unmet(self, steps: Sequence[Step], claims: Sequence[tuple[Fact, str]]) -> str:
        """Return the clause that states a fact which does not hold at the end of the plan."""
        if not claims:
            return ""
        *_, state = self._task.trace(Plan(steps))
        for fact, clause in claims:
            arity = len(self._task.vocabulary.predicates.get(fact.predicate, ()))
            given = fact.objects.items()
            held = any(
                each[0] == fact.predicate and all(each[1 + slot] == name for slot, name in given)
                for each in state.facts
            )
            if given and held == fact.denied and (not held or len(given) == arity):
                return clause
        return ""

    def _is_valid(self, steps: Sequence[Step]) -> bool:
        """Return whether steps are a valid plan."""
        filled = completed(steps, self._task)
        if isinstance(filled, str):
            return False
        try:
            return self._task.progress(Plan(filled), strict=True).reached
        except (PlanSyntaxError, NotJudged, PddlError):
            return False


def _calls(steps: Sequence[Step]) -> list[tuple[object, ...]]:
    """Return the actions and objects of steps, without their places in the text."""
    return [step[:2] for step in steps]


def _has_fence(entries: Sequence[Entry]) -> bool:
    """Return whether a fence has steps; then mark the lines outside of fences."""
    fences = {entry.line.fence for entry in entries if entry.line.fence > 0 and entry.has_step}
    for entry in entries if fences else ():
        if entry.line.fence not in fences and not entry.titled:
            entry.outside = "outside of the fence"
    return bool(fences)


def _trace(text: str, told: Told) -> tuple[TraceLine, ...]:
    """Return the trace: what each clause of a line is."""
    lines = {line.number: line for line in lines_of(text)}
    steps = [each for each in told.mentions if not each.note]
    found = [lines[each.line].read_as(each.step, at) for at, each in enumerate(steps, 1)]
    notes = [(fault.line or 0, f"not read: {fault.message}") for fault in told.faults]
    notes += [(each.line, f"repetition: {each.note}") for each in told.mentions if each.note]
    found += [lines[at].dropped(note) for at, note in (*notes, *told.notes) if at in lines]
    known = {entry.line for entry in found}
    found += [line.dropped("no clause") for number, line in lines.items() if number not in known]
    return tuple(sorted(dict.fromkeys(found), key=lambda entry: entry.line))


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
