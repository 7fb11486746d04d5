"""Reads plans from prose: sentences of a domain, steps in parentheses, marks around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.answer import Fault, ReadAnswer, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.omitted import Open, completed
from pddl_pipeline.translators.answers.ornaments import list_mark
from pddl_pipeline.translators.answers.pddl_answer import in_prose, pddl_steps, traced, unread_step
from pddl_pipeline.translators.answers.sentences import Mistake, Sentences, Words, own_names
from pddl_pipeline.translators.answers.zones import Zone, alternatives, places, plan_zone
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


class _LineContent(NamedTuple):
    """The content of a line."""

    line: AnswerLine
    steps: list[Step]
    mistake: Mistake | None


class _Reading:
    """The reading of one answer."""

    def __init__(self, task: Task, sentences: Sentences) -> None:
        self._task = task
        self._sentences = sentences

    def read(self, zone: Zone) -> ReadAnswer:
        contents, rest = self._plan(zone)
        every = [step for each in contents for step in each.steps]
        copies = len(every) if zone.marked else _copies(contents)
        contents = self._completed(contents, copies)
        trace, steps, faults = [*zone.outside, *rest], list[Step](), list[Fault]()
        for line, found, mistake in contents:
            if mistake is not None:
                trace.append(line.dropped(mistake.message))
                faults.append(Fault(mistake.slug, mistake.message, line.number))
            elif found and len(steps) == copies:
                trace.append(line.dropped("repeats the plan"))
            else:
                trace += traced(line, found, len(steps))
                steps += found
        if not steps and not faults and not (zone.marked and not zone.lines):
            faults.append(Fault(ErrorKind.UNREADABLE, "found no step"))
        plan = None if faults else Plan(steps)
        trace.sort(key=lambda entry: (entry.line, entry.step or 0))
        return ReadAnswer(plan, tuple(trace), tuple(faults))

    def _completed(self, contents: list[_LineContent], count: int) -> list[_LineContent]:
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
        for (index, _), step in zip(steps, (*found, *(s for _, s in steps[count:])), strict=True):
            whole[index].append(step)
        return [each._replace(steps=every) for each, every in zip(contents, whole, strict=True)]

    def _plan(self, zone: Zone) -> tuple[list[_LineContent], list[TraceLine]]:
        """Return the content of the plan's lines, and the trace of the other lines.

        Among alternative plans, the last one whose every line was read counts.
        """
        parts = alternatives(zone.lines)
        found = [self._place(part, marked=zone.marked) for part in parts]
        plans = [index for index, contents in enumerate(found) if _is_whole(contents)]
        some = [index for index, contents in enumerate(found) if contents]
        chosen = (plans or some or [0])[-1]
        contents = found[chosen] if found else []
        kept = {each.line.number for each in contents}
        others = [line for line in zone.lines if line.number not in kept]
        why = "not in the plan" if len(parts) < 2 else "another plan counts"
        return contents, [line.dropped(why) for line in others] if contents else []

    def _place(self, lines: list[AnswerLine], *, marked: bool) -> list[_LineContent]:
        if marked:
            return self._said(lines, marked=True)
        for start, end, enough in places(lines):
            contents = self._said(lines[start:end], marked=False)
            if sum(len(each.steps) for each in contents) >= enough:
                return contents
        return []

    def _said(self, lines: list[AnswerLine], *, marked: bool) -> list[_LineContent]:
        return self._in_pddl(lines, marked=marked) or self._in_sentences(lines, marked=marked)

    def _in_pddl(self, lines: list[AnswerLine], *, marked: bool) -> list[_LineContent]:
        """Return the content of lines with steps in PDDL; nothing if no line has a step."""
        found = [[self._named(step) for step in pddl_steps(line, self._task)] for line in lines]
        stepping = [index for index, steps in enumerate(found) if steps]
        if not stepping:
            return []
        first, last = (0, len(lines)) if marked else (stepping[0], stepping[-1])
        listed = [steps for line, steps in zip(lines, found, strict=True) if not in_prose(line)]
        known = {step[:2] for steps in (listed if any(listed) else found) for step in steps}
        contents: list[_LineContent] = []
        for index, (line, steps) in enumerate(zip(lines, found, strict=True)):
            if not steps:
                contents.append(
                    _LineContent(line, [], self._missed(line, known, first <= index <= last))
                )
            elif any(listed) and in_prose(line):
                contents.append(_beside(line, steps, known))
            else:
                contents.append(_LineContent(line, steps, None))
        return contents

    def _missed(self, line: AnswerLine, known: set[Any], among: bool) -> Mistake | None:  # noqa: FBT001
        """Return the mistake in a line without steps beside a plan in PDDL, or None.

        Args:
            line: a line without PDDL, or with a step that cannot be read.
            known: the steps of the plan, which sentences may repeat.
            among: whether the line is between the steps.
        """
        missed = unread_step(line, self._task)
        if missed is not None and (among or missed.slug is ErrorKind.UNREADABLE):
            return missed
        found = self._sentences.read(line.text) if among else None
        if isinstance(found, Mistake):
            return found if found.slug is ErrorKind.UNKNOWN_OBJECT else None
        other = next((step for step in found or () if step[:2] not in known), None)
        return other and Mistake(ErrorKind.UNREADABLE, f"{other} is in a sentence among PDDL steps")

    def _named(self, step: Step) -> Step:
        """Return a PDDL step whose objects may be named as in sentences, for example by colour."""
        if all(name in self._task.vocabulary.objects for name in step.arguments):
            return step
        found = self._sentences.step(" ".join((step.action, *step.arguments)))
        return found._replace(line=step.line) if isinstance(found, Step) else step

    def _in_sentences(self, lines: list[AnswerLine], *, marked: bool) -> list[_LineContent]:
        contents: list[_LineContent] = []
        above: _LineContent | None = None
        for line in lines:
            each = self._sentence(line, marked=marked)
            if above is not None and line.indent > above.line.indent:
                each = _explaining(each, above)
            else:
                above = each if each.steps else None
            contents.append(each)
        return contents if marked else self._with_items(contents)

    def _sentence(self, line: AnswerLine, *, marked: bool) -> _LineContent:
        found = self._sentences.read(line.text)
        if found is None and marked:
            found = self._not_understood(line)
        if isinstance(found, Mistake):
            return _LineContent(line, [], found)
        return _LineContent(line, [step._replace(line=line.number) for step in found or []], None)

    def _not_understood(self, line: AnswerLine) -> Mistake | None:
        """Return the mistake in a line in the place of a step that names an object, or None."""
        if not self._sentences.seems_a_step(line.text):
            return None
        return Mistake(ErrorKind.UNREADABLE, f"not understood: '{shortened(line.shown)}'")

    def _with_items(self, contents: list[_LineContent]) -> list[_LineContent]:
        """Return the lines; those in the places of steps must be steps as well.

        These are the items of a list with steps, and lines between two steps.
        """
        found = list(contents)
        for first, last in _lists(contents):
            top = contents[first].line.indent
            items = [index for index in range(first, last) if contents[index].line.indent <= top]
            if any(contents[index].steps for index in items):
                for index in items:
                    found[index] = self._as_step(found[index])
        for index in range(1, len(contents) - 1):
            before, each, after = contents[index - 1 : index + 2]
            indent = max(before.line.indent, after.line.indent)
            if before.steps and after.steps and each.line.indent <= indent:
                found[index] = self._as_step(each)
        for index, each in enumerate(contents):
            beside = contents[max(index - 1, 0) : index] + contents[index + 1 : index + 2]
            if any(_adjoins(each, other) for other in beside):
                verb = self._sentences.has_verb(each.line.text)
                found[index] = self._as_step(each) if verb else found[index]
        return found

    def _as_step(self, content: _LineContent) -> _LineContent:
        if content.steps or content.mistake:
            return content
        return content._replace(mistake=self._not_understood(content.line))


def _lists(contents: Sequence[_LineContent]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that are the items of one list, with further indented lines."""
    start: int | None = None
    for index, each in enumerate(contents):
        mark, indent = list_mark(each.line.text), each.line.indent
        if start is not None:
            top = contents[start].line
            if indent > top.indent or (mark, indent) == (list_mark(top.text), top.indent):
                continue
            yield start, index
        start = index if mark else None
    if start is not None:
        yield start, len(contents)


def _adjoins(content: _LineContent, other: _LineContent) -> bool:
    """Return whether a line is right above or below a line with a step, and not further right."""
    near = abs(content.line.number - other.line.number) == 1
    return near and bool(other.steps) and content.line.indent <= other.line.indent


def _is_whole(contents: list[_LineContent]) -> bool:
    """Return whether the lines have steps and no mistake."""
    return any(each.steps for each in contents) and not any(each.mistake for each in contents)


def _beside(line: AnswerLine, steps: list[Step], known: set[Any]) -> _LineContent:
    """Return the content of a sentence with steps beside a plan that is a list of steps.

    The sentence is about the plan. If it has a step that the plan lacks, it is unclear whether the
    step belongs to the plan, which is a mistake.
    """
    other = next((step for step in steps if step[:2] not in known), None)
    if other is None:
        return _LineContent(line, [], None)
    return _LineContent(
        line, [], Mistake(ErrorKind.UNREADABLE, f"{other} appears in prose beside the plan")
    )


def _explaining(content: _LineContent, above: _LineContent) -> _LineContent:
    """Return the content of a line that is indented below a step.

    The line explains the step: it may repeat it, and only unknown names in it are mistakes.
    """
    again = [step[:2] for step in content.steps] == [step[:2] for step in above.steps]
    unknown = content.mistake is not None and content.mistake.slug is ErrorKind.UNKNOWN_OBJECT
    return content._replace(
        steps=[] if again else content.steps, mistake=content.mistake if unknown else None
    )


def _copies(contents: list[_LineContent]) -> int:
    """Return the length of the plan if all steps together repeat it, else the number of all steps.

    Another line must separate two copies: steps on consecutive lines are one plan.
    """
    words = [step[:2] for each in contents for step in each.steps]
    for length in _breaks(contents):
        count, rest = divmod(len(words), length)
        if rest == 0 and length > 1 and words == words[:length] * count:
            return length
    return len(words)


def _breaks(contents: list[_LineContent]) -> list[int]:
    """Return the numbers of steps before each line without a step that more steps follow."""
    found, steps, quiet = list[int](), 0, False
    for each in contents:
        if each.steps and quiet and steps:
            found.append(steps)
        quiet = not each.steps
        steps += len(each.steps)
    return found[:_MOST_BREAKS]


read_any_answer: Final[Reader] = sentence_reader(Words({}, own_names()))
"""Reads answers in domains without words: steps as in PDDL."""
