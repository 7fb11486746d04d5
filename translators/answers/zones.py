"""Where in an answer its plan stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine
from pddl_pipeline.translators.answers.lines import AnswerLine

# PlanBench's marks. A model that goes on writes the next statement after its plan.
_OPEN: Final = re.compile(r"\[(?:pddl )?plan\]", re.IGNORECASE)
_CLOSE: Final = re.compile(r"\[(?:pddl )?plan end\]|\[statement\]", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)(?:answer|plan)>", re.IGNORECASE)
# What a model writes above what is no plan any more.
_EXPLAINING: Final = re.compile(
    r"[\s#*_]*(?:explanation|reasoning|verification|justification|breakdown|final state|note)s?"
    r"\b[^.]{0,60}:[\s*_]*",
    re.IGNORECASE,
)
# What a model writes above the plan that it has come to.
_HEADING: Final = re.compile(
    r"[\s#*_>-]*(?:here(?: i|')s |so |thus,? )?(?:the |my )?"
    r"(?:(?:final|complete|full|entire|resulting|summary of(?: the)?|actions in the|sequence of) )*"
    r"(?:plan|answer|solution|actions|action sequence|summary|steps)"
    r"(?: (?:summary|of actions|of steps|in order|is|as follows))*[\s*_]*:[\s*_]*",
    re.IGNORECASE,
)


class Zone(NamedTuple):
    """The lines of an answer that tell its plan."""

    lines: list[AnswerLine]
    outside: list[TraceLine]
    """What became of the other lines."""
    marked: bool
    """Whether the answer says that they do: then what is no step there is a mistake."""


def plan_zone(lines: list[AnswerLine]) -> Zone:
    """Return where the plan stands: between PlanBench's marks, in a tag, or anywhere.

    Of several places that are marked the last counts. What comes before the first end mark
    belongs to the plan where the prompt itself gave the start mark.
    """
    for inside in (_between_marks(lines), _in_tag(lines)):
        if inside is not None:
            kept = {line.number for line in inside}
            return Zone(inside, _outside(lines, kept, "not in the marked plan"), marked=True)
    return Zone(lines, [], marked=False)


def announced(lines: list[AnswerLine]) -> list[tuple[int, int]]:
    """Return from where to where a plan is that a heading announces, the last one first.

    Indices of the first line and of the line after the last; an explanation ends a plan. At last
    comes what stands there without a heading.
    """
    explaining = [i for i, line in enumerate(lines) if _explains(line)]
    starts = [i for i, line in enumerate(lines, start=1) if _HEADING.fullmatch(line.text)]
    ends = [*explaining, len(lines)]
    return [(start, ends[bisect_left(explaining, start)]) for start in (*starts[::-1], 0)]


def _explains(line: AnswerLine) -> bool:
    """Whether a line announces an explanation; one further to the right is of a single step."""
    return line.indent == 0 and _EXPLAINING.fullmatch(line.text) is not None


def _outside(lines: list[AnswerLine], kept: set[int], why: str) -> list[TraceLine]:
    return [line.dropped(why) for line in lines if line.number not in kept]


def _between_marks(lines: list[AnswerLine]) -> list[AnswerLine] | None:
    """Return the lines of the last plan that PlanBench's marks enclose, None without marks."""
    found: list[AnswerLine] | None = None
    inside: list[AnswerLine] | None = []  # the prompt may have ended with the start mark
    for line in lines:
        rest = line
        opened = _OPEN.search(line.text)
        closed = _CLOSE.search(line.text)
        if opened:
            inside = found = []
            rest = line._replace(text=line.text[opened.end() :])
            closed = _CLOSE.search(rest.text)
        if closed:
            rest = rest._replace(text=rest.text[: closed.start()])
        if inside is not None and rest.text.strip():
            inside.append(rest._replace(text=rest.text.strip()))
        if closed:
            if found is None:
                found = inside
            if "statement" in closed[0].lower():
                return found
            inside = None
    return found


def _in_tag(lines: list[AnswerLine]) -> list[AnswerLine] | None:
    """Return the lines in the last ``<answer>`` or ``<plan>``, None without one."""
    found: list[AnswerLine] | None = None
    inside = False
    for line in lines:
        position = 0
        for tag in _TAG.finditer(line.text):
            if inside and found is not None:
                _add(found, line, line.text[position : tag.start()])
            inside = not tag[1]
            if inside:
                found = []
            position = tag.end()
        if inside and found is not None:
            _add(found, line, line.text[position:])
    return found


def _add(found: list[AnswerLine], line: AnswerLine, text: str) -> None:
    if text.strip():
        found.append(line._replace(text=text.strip()))
