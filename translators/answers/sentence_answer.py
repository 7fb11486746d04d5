"""Reads plans from prose: sentences of a domain, steps in parentheses, marks around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.contents import (
    LineContent,
    above_list,
    again_in_code,
    beside,
    copies,
    explaining,
    is_whole,
    trace_of,
    without_summaries,
)
from pddl_pipeline.translators.answers.key_lines import structured_lines
from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.named_arguments import NamedArguments
from pddl_pipeline.translators.answers.omitted import Open, completed
from pddl_pipeline.translators.answers.ornaments import is_heading, item_number, list_mark
from pddl_pipeline.translators.answers.pddl_answer import (
    in_prose,
    only_remarks,
    pddl_steps,
    unread_step,
)
from pddl_pipeline.translators.answers.roles import may_be_same
from pddl_pipeline.translators.answers.sentences import Sentences
from pddl_pipeline.translators.answers.step_reader import Mistake, Words, own_names
from pddl_pipeline.translators.answers.zones import (
    Zone,
    alternatives,
    places,
    plan_zone,
    retractions,
)
from pddl_pipeline.translators.text import Reader
from pddl_pipeline.validation.task import Task


def sentence_reader(words: Words) -> Reader:
    """Return the reader of answers in the words of a domain; see `Text.parse_answer`."""

    @lru_cache(maxsize=1_000)
    def sentences_of(task: Task) -> Sentences:
        return Sentences(words, task)

    def read(text: str, _: Instance[object], task: Task) -> ReadAnswer:
        sentences = sentences_of(task)
        lines, others, unclear = structured_lines(text, NamedArguments(sentences, task))
        zone = plan_zone(lines)
        zone.outside.extend(line.dropped("no step") for line in others)
        return _Reading(task, sentences, unclear).read(zone)

    return read


class _Reading:
    """The reading of one answer."""

    def __init__(self, task: Task, sentences: Sentences, unclear: Mapping[int, Mistake]) -> None:
        self._task, self._sentences, self._unclear = task, sentences, unclear

    def read(self, zone: Zone) -> ReadAnswer:
        contents, rest = self._plan(zone)
        every = [step for each in contents for step in each.steps]
        count = len(every) if zone.marked else copies(contents)
        contents = self._completed(contents, count)
        steps, faults = list[Step](), list[Fault]()
        for line, found, mistake, _ in contents:
            if mistake is not None:
                faults.append(Fault(mistake.slug, mistake.message, line.number))
            elif len(steps) != count:
                steps += found
        if not steps and not faults and not (zone.marked and not zone.lines):
            faults.append(Fault(ErrorKind.UNREADABLE, "found no step"))
        plan = None if faults else Plan(steps)
        others = [*zone.outside, *rest]
        return ReadAnswer(plan, LazyTrace(lambda: trace_of(others, contents, count)), tuple(faults))

    def _completed(self, contents: list[LineContent], count: int) -> list[LineContent]:
        """Return the lines; the first steps get the objects that their sentences leave out."""
        steps = [(index, step) for index, each in enumerate(contents) for step in each.steps]
        try:
            found = completed([s for _, s in steps[:count]], self._task, self._sentences.implied)
        except Open as unclear:
            line = steps[unclear.index][0]
            mistake = Mistake(ErrorKind.UNREADABLE, str(unclear))
            return [*contents[:line], contents[line]._replace(steps=[], mistake=mistake),
                    *contents[line + 1 :]]  # fmt: skip
        whole: list[list[Step]] = [[] for _ in contents]
        # A plan that fails may end early, so that copies of it do not matter.
        rest = [step for _, step in steps[count:]] if len(found) == len(steps[:count]) else []
        for (index, _), step in zip(steps, (*found, *rest), strict=False):
            whole[index].append(step)
        return [
            each._replace(steps=every) if every or not each.steps
            else each._replace(steps=[], note="the plan fails above, which leaves its objects open")
            for each, every in zip(contents, whole, strict=True)
        ]  # fmt: skip

    def _plan(self, zone: Zone) -> tuple[list[LineContent], list[TraceLine]]:
        """Return the content of the plan's lines, and the trace of the other lines.

        Among alternative plans, the last one whose every line was read counts.
        """
        lines, mistake = self._unretracted(zone)
        parts = alternatives(lines)
        found = [self._place(part, marked=zone.marked) for part in parts]
        plans = [index for index, contents in enumerate(found) if is_whole(contents)]
        some = [index for index, contents in enumerate(found) if contents]
        chosen = (plans or some or [0])[-1]
        contents = found[chosen] if found else []
        kept = {each.line.number for each in contents}
        others = [line for line in zone.lines if line.number not in kept]
        why = "not in the plan" if len(parts) < 2 else "another plan counts"
        if mistake is not None:
            contents, others = [mistake], [line for line in zone.lines if line != mistake.line]
            why = "a part of the plan is taken back"
        return contents, [line.dropped(why) for line in others] if contents else []

    def _unretracted(self, zone: Zone) -> tuple[list[AnswerLine], LineContent | None]:
        """Return the lines behind the last retraction that a plan follows, else all lines.

        If a list goes on behind it, it is open what is taken back: a mistake.
        """
        lines = zone.lines
        for start in retractions(lines):
            after = self._place(lines[start:], marked=zone.marked)
            if not any(each.steps for each in after):
                continue
            first = next(each.line for each in after if each.steps)
            if item_number(first.text) > 1:
                taken = "it is open which steps are taken back"
                return lines, LineContent(lines[start], [], Mistake(ErrorKind.UNREADABLE, taken))
            return lines[start:], None
        return lines, None

    def _place(self, lines: list[AnswerLine], *, marked: bool) -> list[LineContent]:
        for start, end, enough in places(lines, marked=marked):
            part = lines[start:end]
            contents = self._in_pddl(part, marked=marked) or self._in_sentences(part, marked=marked)
            if sum(len(each.steps) for each in contents) >= enough:
                return contents
        return []

    def _in_pddl(self, lines: list[AnswerLine], *, marked: bool) -> list[LineContent]:
        """Return the content of lines with steps in PDDL; nothing if no line has a step."""
        if not any("(" in line.text for line in lines):
            return []
        found = [[self._named(step) for step in pddl_steps(line, self._task)] for line in lines]
        if only_remarks(lines, found, self._task):
            return []
        stepping = [index for index, steps in enumerate(found) if steps]
        first, last = (0, len(lines)) if marked else (stepping[0], stepping[-1])
        listed = [steps for line, steps in zip(lines, found, strict=True) if not in_prose(line)]
        known = {step[:2] for steps in (listed if any(listed) else found) for step in steps}
        contents: list[LineContent] = []
        numbered = any(s and item_number(x.text) for x, s in zip(lines, found, strict=True))
        for index, (line, steps) in enumerate(zip(lines, found, strict=True)):
            if not steps:
                among, item = first <= index <= last, numbered and item_number(line.text) > 0
                missed = self._missed(line, known, among=among, item=item)
                contents.append(LineContent(line, [], missed))
            elif any(listed) and in_prose(line):
                contents.append(beside(line, steps, known))
            else:
                contents.append(LineContent(line, steps, None))
        return contents

    def _missed(
        self, line: AnswerLine, known: set[Any], *, among: bool, item: bool
    ) -> Mistake | None:
        """Return the mistake in a line without a step in PDDL, beside the `known` ones, or None.

        What is not understood is prose, but not in a numbered `item`, since steps are numbered.
        """
        missed = self._unclear.get(line.number) or unread_step(line, self._task)
        if missed is not None and (among or missed.slug is ErrorKind.UNREADABLE):
            return missed
        found = self._sentences.read(line.text) if among or item else None
        if isinstance(found, Mistake):
            return found if item or found.slug is ErrorKind.UNKNOWN_OBJECT else None
        other = next((step for step in found or () if step[:2] not in known), None)
        return other and Mistake(ErrorKind.UNREADABLE, f"{other} is in a sentence among PDDL steps")

    def _named(self, step: Step) -> Step:
        """Return a PDDL step whose objects may be named as in sentences, for example by colour."""
        if all(name in self._task.vocabulary.objects for name in step.arguments):
            return step
        found = self._sentences.step(" ".join((step.action, *step.arguments)))
        return found._replace(line=step.line) if isinstance(found, Step) else step

    def _in_sentences(self, lines: list[AnswerLine], *, marked: bool) -> list[LineContent]:
        contents: list[LineContent] = []
        above: LineContent | None = None
        objects: list[str] = []
        for line in lines:
            each = self._sentence(line, objects, marked=marked)
            objects = self._sentences.objects_of(each.steps, objects) if each.steps else []
            if above is not None and line.indent > above.line.indent:
                report = bool(each.steps) and self._sentences.mood(line.text) != ""
                each = explaining(each, above, report=report)
            elif above is not None and again_in_code(each, above):
                each = each._replace(steps=[], note="repeats its heading")
            else:
                above = each if each.steps else None
            contents.append(each)
        contents = self._told_in_clauses(without_summaries(self._without_reports(contents)))
        return contents if marked else self._sentences.unread.among_steps(contents)

    def _told_in_clauses(self, contents: list[LineContent]) -> list[LineContent]:
        """Return the lines; one whose clause tells a step that no line has is a mistake.

        Mostly such a clause only says what the next line does: ``Sail to l1, where we board c0.``
        """
        known = [step for each in contents for step in each.steps]
        found = list(contents)
        for index, each in enumerate(contents):
            for told in self._sentences.told_aside(each.line.text) if each.steps else ():
                if not any(may_be_same(told, step) for step in known):
                    said = f"not understood beside a step: '{shortened(each.line.shown)}'"
                    found[index] = each._replace(
                        steps=[], mistake=Mistake(ErrorKind.UNREADABLE, said)
                    )
        return found

    def _without_reports(self, contents: list[LineContent]) -> list[LineContent]:
        """Return the lines; beside commands, sentences that only speak of steps have none.

        `We have to stack a on b.` beside a list with this step is no step, and neither is any line
        like `Stacking a on b`.
        """
        moods = [
            self._sentences.mood(each.line.text) if each.steps or each.mistake else ""
            for each in contents
        ]
        if not any(moods):
            return contents
        known = {
            step[:2]
            for each, mood in zip(contents, moods, strict=True)
            if not mood or (mood == "report" and list_mark(each.line.text))
            for step in each.steps
        }
        found, aims = list(contents), above_list(contents)
        for index, (each, mood) in enumerate(zip(contents, moods, strict=True)):
            again = each.steps and known.issuperset(step[:2] for step in each.steps)
            again = again or (index < aims and each.mistake is not None)
            spoken = again and mood and not list_mark(each.line.text)
            if known and (mood == "ing" or spoken):
                found[index] = each._replace(steps=[], mistake=None, note="speaks of steps")
        return found

    def _sentence(self, line: AnswerLine, objects: Sequence[str], *, marked: bool) -> LineContent:
        found: list[Step] | Mistake | None = self._unclear.get(line.number)
        label = is_heading(line.text) and self._sentences.names_nothing(line.text)
        if found is None and not label:
            found = self._sentences.read(line.text, tuple(objects))
        if found is None and marked:
            found = self._sentences.unread.mistake(line)
        if isinstance(found, Mistake):
            return LineContent(line, [], found)
        steps = [Step(step.action, step.arguments, line.number) for step in found or ()]
        return LineContent(line, steps, None)


read_any_answer: Final[Reader] = sentence_reader(Words({}, own_names()))
"""Reads answers in domains without words: steps as in PDDL."""
