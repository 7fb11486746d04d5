"""Reads plans from prose: sentences of a domain, steps in parentheses, marks around them."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pddl_pipeline.model.answer import Fault, ReadAnswer, TraceLine
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.slug import Slug
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.pddl_answer import pddl_steps, traced
from pddl_pipeline.translators.answers.sentences import Mistake, Sentences, Words
from pddl_pipeline.translators.answers.zones import Zone, announced, plan_zone
from pddl_pipeline.translators.text import Reader
from pddl_pipeline.validation.task import Task


def sentence_reader(words: Words) -> Reader:
    """Return the reader of answers in the words of a domain; see `Text.parse_answer`."""

    @lru_cache(maxsize=256)
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
        told = self._in_pddl(zone) or self._in_sentences(zone)
        told, rest = _announced(told, zone)
        every = [step for each in told for step in each.steps]
        copies = len(every) if zone.marked else _copies(every)
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
        if not steps and not faults:
            faults.append(Fault(Slug.UNREADABLE, "found no step"))
        plan = None if faults else Plan(steps)
        return ReadAnswer(plan, tuple(sorted(trace)), tuple(faults))

    def _in_pddl(self, zone: Zone) -> list[_Told]:
        """Return what the lines say in PDDL; nothing where none says anything."""
        found = [
            _Told(line, [self._named(step) for step in pddl_steps(line, self._task)], None)
            for line in zone.lines
        ]
        return found if any(told.steps for told in found) else []

    def _named(self, step: Step) -> Step:
        """Return a step in PDDL with the objects that are called as in sentences, by colour say."""
        if all(name in self._task.vocabulary.objects for name in step.arguments):
            return step
        found = self._sentences.step(" ".join((step.action, *step.arguments)))
        return found._replace(line=step.line) if isinstance(found, Step) else step

    def _in_sentences(self, zone: Zone) -> list[_Told]:
        told: list[_Told] = []
        above: _Told | None = None
        for line in zone.lines:
            each = self._sentence(line, marked=zone.marked)
            if above is not None and line.indent > above.line.indent:
                each = _explaining(each, above)
            else:
                above = each if each.steps else None
            told.append(each)
        return told

    def _sentence(self, line: AnswerLine, *, marked: bool) -> _Told:
        found = self._sentences.read(line.text)
        if found is None and marked and self._sentences.names_an_object(line.text):
            found = Mistake(Slug.UNKNOWN_ACTION, f"no known action: '{line.shown}'")
        if isinstance(found, Mistake):
            return _Told(line, [], found)
        return _Told(line, [step._replace(line=line.number) for step in found or []], None)


def _announced(told: list[_Told], zone: Zone) -> tuple[list[_Told], list[TraceLine]]:
    """Return what is told below the last heading that announces a plan, and a trace of the rest.

    A heading counts where steps follow it; without one everything is the plan, up to a heading
    that announces an explanation.
    """
    before = [0, *accumulate(len(each.steps) for each in told)]
    for start, end in [] if zone.marked else announced(zone.lines):
        if before[end] > before[start]:
            rest = [each.line.dropped("not in the plan") for each in (*told[:start], *told[end:])]
            return told[start:end], rest
    return told, []


def _explaining(told: _Told, above: _Told) -> _Told:
    """Return what a line says that stands below a step, further to the right.

    It explains the step: it may say it again, and it makes no mistakes.
    """
    again = [step[:2] for step in told.steps] == [step[:2] for step in above.steps]
    return told._replace(steps=[] if again else told.steps, mistake=None)


def _copies(steps: list[Step]) -> int:
    """Return the length of the plan that all steps tell, once or several times over."""
    words = [step[:2] for step in steps]
    for length in range(1, len(words) // 2 + 1):
        count, rest = divmod(len(words), length)
        if rest == 0 and words == words[:length] * count and length > 1:
            return length
    return len(words)
