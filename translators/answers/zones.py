"""Finds the part of an answer that contains the plan."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine
from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.marks import (
    PLAN_MARKS,
    PLAN_TAG,
    announces_explanation,
    announces_plan,
    announcing_alternatives,
    boxed_lines,
    enclosed,
    fenced_lines,
    taking_back,
)

_MOST: Final = 5
"""Maximum number of headings or fences to examine, from the end."""


class Zone(NamedTuple):
    """The lines of an answer that contain its plan."""

    lines: list[AnswerLine]
    outside: list[TraceLine]
    """The entries of the other lines."""
    marked: bool
    """Whether the answer marks these lines as its plan, so that other text there is a mistake."""


def plan_zone(lines: list[AnswerLine]) -> Zone:
    """Return the zone of the plan: between PlanBench's marks, in a tag, or all lines.

    The last marked part counts; one that is not closed must have text.
    """
    for marks in (PLAN_MARKS, PLAN_TAG):
        parts = enclosed(lines, marks)
        if parts:
            inside = ([part for part in parts if part.closed or part.lines] or parts)[-1].lines
            kept = {line.number for line in inside}
            outside = [line for line in lines if line.number not in kept]
            dropped = [line.dropped("not in the marked plan") for line in outside]
            return Zone(inside, dropped, marked=True)
    return Zone(lines, [], marked=False)


def alternatives(lines: list[AnswerLine]) -> list[list[AnswerLine]]:
    """Return the parts of an answer that tell one plan each; all lines if there is only one."""
    starts = announcing_alternatives(lines)
    bounds = [0, *starts, len(lines)]
    return [lines[start:end] for start, end in pairwise(bounds) if start < end]


def retractions(lines: list[AnswerLine]) -> list[int]:
    """Return the indexes of the lines that take back what stands above, the last one first."""
    found = [index for index in taking_back(lines) if index]
    return found[: -_MOST - 1 : -1]


class Place(NamedTuple):
    """A range of lines that may contain the plan; ``end`` is exclusive."""

    start: int
    end: int
    enough: int
    """Minimal number of steps in the range if it is the plan."""


def places(lines: list[AnswerLine], *, marked: bool) -> list[Place]:
    """Return the places where the plan may be, the likeliest first.

    These are the last box, the last fences, the text below the last headings that announce a plan,
    the text above an explanation, and all lines. An explanation ends a plan.

    Args:
        lines: the lines.
        marked: whether the lines are marked as the plan. Then fences and boxes mean nothing.
    """
    explaining = [i for i, line in enumerate(lines) if announces_explanation(line)]
    starts = [i for i, line in enumerate(lines, start=1) if announces_plan(line)]
    ends = [*explaining, len(lines)]
    below = [
        Place(start, ends[bisect_left(explaining, start)], 1) for start in starts[: -_MOST - 1 : -1]
    ]
    fences = [] if marked else fenced_lines(lines)
    # A single fence may contain a plan of one step. Several fences may contain one step each.
    enough = 1 if len(fences) == 1 else 2
    inside = [Place(start, end, enough) for start, end in fences[: -_MOST - 1 : -1]]
    above = [Place(0, ends[0], 1)] if explaining else []
    boxes = [] if marked else [Place(start, end, 2) for start, end in boxed_lines(lines)]
    return [*boxes, *inside, *below, *above, Place(0, len(lines), 0)]
