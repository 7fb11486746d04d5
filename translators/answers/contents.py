"""The content of an answer's lines: their steps and mistakes, and how the lines belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.ornaments import is_heading, list_mark
from pddl_pipeline.translators.answers.pddl_answer import traced
from pddl_pipeline.translators.answers.step_reader import Mistake

# Words before steps that were told above.
_SUMMARY: Final = re.compile(
    r"\W{0,8}(?:in (?:summary|short|sum|conclusion|total)|to (?:sum up|summari[sz]e|recap|conclude)"
    r"|summari[sz]ing|summary|recap|overall|altogether)\b",
    re.IGNORECASE,
)
_MOST_BREAKS: Final = 100


class LineContent(NamedTuple):
    """The content of a line."""

    line: AnswerLine
    steps: list[Step]
    mistake: Mistake | None
    note: str = "no step"
    """Why the line has no step."""


def lists(contents: Sequence[LineContent]) -> Iterator[list[int]]:
    """Yield the indexes of the items of each list; lines further right belong to an item."""
    start: int | None = None
    for index, each in enumerate(contents):
        mark, indent = list_mark(each.line.text), each.line.indent
        if start is not None:
            top = contents[start].line
            if indent > top.indent or (mark, indent) == (list_mark(top.text), top.indent):
                continue
            yield _items(contents, start, index)
        start = index if mark else None
    if start is not None:
        yield _items(contents, start, len(contents))


def _items(contents: Sequence[LineContent], start: int, end: int) -> list[int]:
    top = contents[start].line.indent
    return [index for index in range(start, end) if contents[index].line.indent <= top]


def above_list(contents: Sequence[LineContent]) -> int:
    """Return the number of lines above the first steps if these are items of a list, else 0.

    A sentence there says what they are for: ``c0 needs to go to l1.``
    """
    first = next((index for index, each in enumerate(contents) if each.steps), 0)
    return first if contents and list_mark(contents[first].line.text) else 0


def adjoins(content: LineContent, other: LineContent) -> bool:
    """Return whether a line is right above or below a line with a step, and not further right."""
    near = abs(content.line.number - other.line.number) == 1
    return near and bool(other.steps) and content.line.indent <= other.line.indent


def is_whole(contents: list[LineContent]) -> bool:
    """Return whether the lines have steps and no mistake."""
    return any(each.steps for each in contents) and not any(each.mistake for each in contents)


def beside(line: AnswerLine, steps: list[Step], known: set[Any]) -> LineContent:
    """Return the content of a sentence with steps beside a plan that is a list of steps.

    The sentence is about the plan. If it has a step that the plan lacks, it is unclear whether the
    step belongs to the plan, which is a mistake.
    """
    other = next((step for step in steps if step[:2] not in known), None)
    if other is None:
        return LineContent(line, [], None)
    return LineContent(
        line, [], Mistake(ErrorKind.UNREADABLE, f"{other} appears in prose beside the plan")
    )


def explaining(content: LineContent, above: LineContent, *, report: bool) -> LineContent:
    """Return the content of a line that is indented below a step.

    The line explains the step: it may repeat it, and only unknown names in it are mistakes.

    Args:
        content: the line.
        above: the line with the step.
        report: whether the line is no command.
    """
    again = report or repeats(content, above)
    unknown = content.mistake is not None and content.mistake.slug is ErrorKind.UNKNOWN_OBJECT
    return content._replace(
        steps=[] if again else content.steps, mistake=content.mistake if unknown else None
    )


def repeats(content: LineContent, above: LineContent) -> bool:
    """Return whether a line has the same steps as the one above."""
    return [step[:2] for step in content.steps] == [step[:2] for step in above.steps]


def without_summaries(contents: list[LineContent]) -> list[LineContent]:
    """Return the lines; one that begins with ``In summary`` and only repeats steps has none."""
    found, before = list[LineContent](), list[tuple[Any, ...]]()
    for each in contents:
        steps = [step[:2] for step in each.steps]
        rest = iter(before)
        if steps and _SUMMARY.match(each.line.text) and all(step in rest for step in steps):
            found.append(each._replace(steps=[], mistake=None, note="sums up steps"))
            continue
        before += steps
        found.append(each)
    return found


def again_in_code(content: LineContent, above: LineContent) -> bool:
    """Return whether a line has the steps of its heading, or in code those of a line in words."""
    code = content.line.text.startswith("`") and not above.line.text.startswith("`")
    return (code or is_heading(above.line.text)) and repeats(content, above)


def copies(contents: list[LineContent]) -> int:
    """Return the length of the plan if all steps together repeat it, else the number of all steps.

    Another line must separate two copies: steps on consecutive lines are one plan.
    """
    words = [step[:2] for each in contents for step in each.steps]
    for length in _breaks(contents):
        count, rest = divmod(len(words), length)
        if rest == 0 and length > 1 and words == words[:length] * count:
            return length
    return len(words)


def _breaks(contents: list[LineContent]) -> list[int]:
    """Return the numbers of steps before each line without a step that more steps follow."""
    found, steps, quiet = list[int](), 0, False
    for each in contents:
        if each.steps and quiet and steps:
            found.append(steps)
        quiet = not each.steps
        steps += len(each.steps)
    return found[:_MOST_BREAKS]


def trace_of(
    others: Sequence[TraceLine], contents: Sequence[LineContent], count: int
) -> tuple[TraceLine, ...]:
    """Return the trace of an answer.

    Args:
        others: the entries of the lines outside the plan.
        contents: the lines of the plan.
        count: number of steps; lines with further ones repeat the plan.
    """
    trace, steps = list(others), 0
    for line, found, mistake, note in contents:
        if mistake is not None:
            trace.append(line.dropped(mistake.message))
        elif not found:
            trace.append(line.dropped(note))
        elif steps == count:
            trace.append(line.dropped("repeats the plan"))
        else:
            trace += traced(line, found, steps)
            steps += len(found)
    return tuple(sorted(trace, key=lambda entry: (entry.line, entry.step or 0)))
