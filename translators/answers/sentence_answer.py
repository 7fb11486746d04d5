"""Reads plans from prose: sentences of a domain, steps in parentheses, marks around them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.answer import Fault, ReadAnswer, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.pddl_answer import in_prose, pddl_steps, traced, unread_step
from pddl_pipeline.translators.answers.sentences import Mistake, Sentences, Words
from pddl_pipeline.translators.answers.zones import Zone, places, plan_zone
from pddl_pipeline.translators.text import Reader
from pddl_pipeline.validation.task import Task

_MOST_BREAKS: Final = 100


def sentence_reader(words: Words) -> Reader:
    """Return the reader of answers in the words of a domain; see `Text.parse_answer`."""

    @lru_cache(maxsize=1_000)
    def sentences(task: Task) -> Sentences:
        return Sentences(words, task)

    def read(text: str, instance: Instance[object], task: Task) -> ReadAnswer:
        del instance
        return _Reading(task, sentences(task)).read(plan_zone(lines_of(text)))

    return read


class _Told(NamedTuple):
    """What a line says."""

    line: AnswerLine
    steps: list[Step]
    mistake: Mistake | None


class _Reading:
    """One answer as it is read."""

    def __init__(self, task: Task, sentences: Sentences) -> None:
        self._task = task
        self._sentences = sentences

    def read(self, zone: Zone) -> ReadAnswer:
        told, rest = self._plan(zone)
        every = [step for each in told for step in each.steps]
        copies = len(every) if zone.marked else _copies(told)
        trace, steps, faults = [*zone.outside, *rest], list[Step](), list[Fault]()
        for line, found, mistake in told:
            if mistake is not None:
                trace.append(line.dropped(mistake.message))
                faults.append(Fault(mistake.slug, mistake.message, line.number))
            elif found and len(steps) == copies:
                trace.append(line.dropped("tells the plan again"))
            else:
                trace += traced(line, found, len(steps))
                steps += found
        if not steps and not faults and not (zone.marked and not zone.lines):
            faults.append(Fault(ErrorKind.UNREADABLE, "found no step"))
        plan = None if faults else Plan(steps)
        trace.sort(key=lambda entry: (entry.line, entry.step or 0))
        return ReadAnswer(plan, tuple(trace), tuple(faults))

    def _plan(self, zone: Zone) -> tuple[list[_Told], list[TraceLine]]:
        """Return what the lines of the plan say, and a trace of the others."""
        if zone.marked:
            return self._said(zone.lines, marked=True), []
        lines = zone.lines
        for start, end, enough in places(lines):
            told = self._said(lines[start:end], marked=False)
            if sum(len(each.steps) for each in told) >= enough:
                others = (*lines[:start], *lines[end:])
                return told, [line.dropped("not in the plan") for line in others]
        return [], []

    def _said(self, lines: list[AnswerLine], *, marked: bool) -> list[_Told]:
        return self._in_pddl(lines, marked=marked) or self._in_sentences(lines, marked=marked)

    def _in_pddl(self, lines: list[AnswerLine], *, marked: bool) -> list[_Told]:
        """Return what the lines say in PDDL; nothing where none says anything."""
        found = [[self._named(step) for step in pddl_steps(line, self._task)] for line in lines]
        stepping = [index for index, steps in enumerate(found) if steps]
        if not stepping:
            return []
        first, last = (0, len(lines)) if marked else (stepping[0], stepping[-1])
        listed = [steps for line, steps in zip(lines, found, strict=True) if not in_prose(line)]
        known = {step[:2] for steps in (listed if any(listed) else found) for step in steps}
        told: list[_Told] = []
        for index, (line, steps) in enumerate(zip(lines, found, strict=True)):
            if not steps:
                told.append(_Told(line, [], self._missed(line, known, first <= index <= last)))
            elif any(listed) and in_prose(line):
                told.append(_beside(line, steps, known))
            else:
                told.append(_Told(line, steps, None))
        return told

    def _missed(self, line: AnswerLine, known: set[Any], among: bool) -> Mistake | None:  # noqa: FBT001
        """Return what is wrong with a line without steps beside a plan in PDDL.

        Args:
            line: says nothing in PDDL, or a step that is not read.
            known: the steps of the plan, which sentences may tell as well.
            among: whether it stands among the steps.
        """
        missed = unread_step(line, self._task)
        if missed is not None and (among or missed.slug is ErrorKind.UNREADABLE):
            return missed
        found = self._sentences.read(line.text) if among else None
        if isinstance(found, Mistake):
            return found if found.slug is ErrorKind.UNKNOWN_OBJECT else None
        other = next((step for step in found or () if step[:2] not in known), None)
        return other and Mistake(ErrorKind.UNREADABLE, f"{other} is told in a sentence among PDDL")

    def _named(self, step: Step) -> Step:
        """Return a step in PDDL with the objects that are called as in sentences, by colour say."""
        if all(name in self._task.vocabulary.objects for name in step.arguments):
            return step
        found = self._sentences.step(" ".join((step.action, *step.arguments)))
        return found._replace(line=step.line) if isinstance(found, Step) else step

    def _in_sentences(self, lines: list[AnswerLine], *, marked: bool) -> list[_Told]:
        told: list[_Told] = []
        above: _Told | None = None
        for line in lines:
            each = self._sentence(line, marked=marked)
            if above is not None and line.indent > above.line.indent:
                each = _explaining(each, above)
            else:
                above = each if each.steps else None
            told.append(each)
        return told if marked else self._with_items(told)

    def _sentence(self, line: AnswerLine, *, marked: bool) -> _Told:
        found = self._sentences.read(line.text)
        if found is None and marked:
            found = self._unknown_action(line)
        if isinstance(found, Mistake):
            return _Told(line, [], found)
        return _Told(line, [step._replace(line=line.number) for step in found or []], None)

    def _unknown_action(self, line: AnswerLine) -> Mistake | None:
        if not self._sentences.names_an_object(line.text):
            return None
        return Mistake(ErrorKind.UNKNOWN_ACTION, f"no known action: '{line.shown}'")

    def _with_items(self, told: list[_Told]) -> list[_Told]:
        """Return what is told; further items of a list with steps are meant as steps, too."""
        step: AnswerLine | None = None
        for index, each in enumerate(told):
            mark, indent = each.line.list_mark, each.line.indent
            if each.steps:
                step = each.line
            elif step is not None and indent <= step.indent and not mark:
                step = None  # the list is over
            elif step is not None and (mark, indent) == (step.list_mark, step.indent):
                unknown = each.mistake or self._unknown_action(each.line)
                told[index] = each._replace(mistake=unknown)
        return told


def _beside(line: AnswerLine, steps: list[Step], known: set[Any]) -> _Told:
    """Return what a sentence says that holds steps, where the plan is a list of steps.

    It speaks of the plan; a step that is not in the plan may be meant or not.
    """
    other = next((step for step in steps if step[:2] not in known), None)
    if other is None:
        return _Told(line, [], None)
    return _Told(
        line, [], Mistake(ErrorKind.UNREADABLE, f"{other} stands in prose beside the plan")
    )


def _explaining(told: _Told, above: _Told) -> _Told:
    """Return what a line says that stands below a step, further to the right.

    It explains the step: it may say it again, and makes no mistake but with a name that is none.
    """
    again = [step[:2] for step in told.steps] == [step[:2] for step in above.steps]
    unknown = told.mistake is not None and told.mistake.slug is ErrorKind.UNKNOWN_OBJECT
    return told._replace(
        steps=[] if again else told.steps, mistake=told.mistake if unknown else None
    )


def _copies(told: list[_Told]) -> int:
    """Return how many steps are one plan, where all of them tell it once or several times over.

    Something must stand between a plan and the same again: steps that follow each other are one.
    """
    words = [step[:2] for each in told for step in each.steps]
    for length in _breaks(told):
        count, rest = divmod(len(words), length)
        if rest == 0 and length > 1 and words == words[:length] * count:
            return length
    return len(words)


def _breaks(told: list[_Told]) -> list[int]:
    """Return after how many steps there is a line without one, and steps again."""
    found, steps, quiet = list[int](), 0, False
    for each in told:
        if each.steps and quiet and steps:
            found.append(steps)
        quiet = not each.steps
        steps += len(each.steps)
    return found[:_MOST_BREAKS]
