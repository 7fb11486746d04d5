"""Finds the part of an answer that contains the plan."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine
from pddl_pipeline.translators.answers.lines import AnswerLine

# PlanBench's marks. A model that does not stop writes the next statement after its plan.
_MARK: Final = re.compile(
    r"(?P<open>\[(?:pddl )?plan\])|(?P<close>\[(?:pddl )?plan end\])|(?P<stop>\[statement\])",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"(?P<open><(?:answer|plan)>)|(?P<close></(?:answer|plan)>)|(?P<stop>(?!))", re.IGNORECASE
)
# Headings above text that is no longer part of the plan.
_EXPLAINING: Final = re.compile(
    r"[\s#*_]*(?:explanation|reasoning|verification|justification|breakdown|final state|note)s?"
    r"\b[^.]{0,60}:[\s*_]*",
    re.IGNORECASE,
)
# Headings above a model's final plan.
_HEADING: Final = re.compile(
    r"[\s#*_>-]*(?:here(?: i|')s |so |thus,? )?(?:the |my |your )?"
    r"(?:(?:final|complete|full|entire|resulting|correct|corrected|revised|updated|new|"
    r"summary of(?: the)?|actions in the|sequence of) )*"
    r"(?:plan|answer|solution|actions|action sequence|summary|steps)(?: [a-z0-9])?"
    r"(?: (?:summary|of actions|of steps|in order|is|as follows))*[\s*_]*:?[\s*_]*",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(r"^(?:```|~~~)")
_MOST: Final = 5
"""Maximal number of headings or fences to examine, from the end."""


class Zone(NamedTuple):
    """The lines of an answer that contain its plan."""

    lines: list[AnswerLine]
    outside: list[TraceLine]
    """The entries of the other lines."""
    marked: bool
    """Whether the answer marks these lines as its plan, so that other text there is a mistake."""


def plan_zone(lines: list[AnswerLine]) -> Zone:
    """Return the zone of the plan: between PlanBench's marks, in a tag, or all lines.

    The last marked zone counts. The text before the first end mark belongs to the plan if the
    prompt itself contained the start mark.
    """
    for mark, opened in ((_MARK, True), (_TAG, False)):
        inside = _enclosed(lines, mark, opened=opened)
        if inside is not None:
            kept = {line.number for line in inside}
            return Zone(inside, _outside(lines, kept, "not in the marked plan"), marked=True)
    return Zone(lines, [], marked=False)


class Place(NamedTuple):
    """A range of lines that may contain the plan; ``end`` is exclusive."""

    start: int
    end: int
    enough: int
    """Minimal number of steps in the range if it is the plan."""


def places(lines: list[AnswerLine]) -> list[Place]:
    """Return the places where the plan may be, the likeliest first.

    These are the last fences, the text below the last headings that announce a plan, the text above
    an explanation, and all lines. An explanation ends a plan.
    """
    explaining = [i for i, line in enumerate(lines) if _explains(line)]
    starts = [i for i, line in enumerate(lines, start=1) if _announces(line.text)]
    ends = [*explaining, len(lines)]
    below = [
        Place(start, ends[bisect_left(explaining, start)], 1) for start in starts[: -_MOST - 1 : -1]
    ]
    fences = _fences(lines)
    # A single fence may contain a plan of one step. Several fences may contain one step each.
    enough = 1 if len(fences) == 1 else 2
    inside = [Place(start, end, enough) for start, end in fences[: -_MOST - 1 : -1]]
    above = [Place(0, ends[0], 1)] if explaining else []
    return [*inside, *below, *above, Place(0, len(lines), 0)]


def _fences(lines: list[AnswerLine]) -> list[tuple[int, int]]:
    """Return the ranges inside Markdown fences; an open fence ends with the answer."""
    marks = [i for i, line in enumerate(lines) if _FENCE.match(line.text)]
    closes = [*marks[1::2], len(lines)]
    return [(start + 1, end) for start, end in zip(marks[::2], closes, strict=False)]


def _announces(text: str) -> bool:
    """Return whether a line is a heading that announces a plan, by a colon or by Markdown."""
    return (":" in text or text[0] in "#*_") and _HEADING.fullmatch(text) is not None


def _explains(line: AnswerLine) -> bool:
    """Return whether a line announces an explanation. Indented ones explain a single step."""
    return line.indent == 0 and _EXPLAINING.fullmatch(line.text) is not None


def _outside(lines: list[AnswerLine], kept: set[int], why: str) -> list[TraceLine]:
    return [line.dropped(why) for line in lines if line.number not in kept]


def _enclosed(
    lines: list[AnswerLine], mark: re.Pattern[str], *, opened: bool
) -> list[AnswerLine] | None:
    """Return the lines between the last marks, or None if there are no marks.

    A mark that is not closed encloses the text after it, if there is any.

    Args:
        lines: the answer.
        mark: pattern with groups ``open``, ``close`` and ``stop``; text after a stop that follows
            a plan is ignored.
        opened: whether the prompt may have ended with the opening mark.
    """
    found: list[AnswerLine] | None = None
    inside: list[AnswerLine] | None = [] if opened else None
    seen = False
    for line in lines:
        position = 0
        for match in mark.finditer(line.text):
            _add(inside, line, line.text[position : match.start()])
            position = match.end()
            if match["open"]:
                inside, seen = [], True
                continue
            found = found if inside is None else inside
            if match["stop"] and (seen or found):
                return found
            inside = None
        _add(inside, line, line.text[position:])
    return inside if seen and (inside or found is None) else found


def _add(inside: list[AnswerLine] | None, line: AnswerLine, text: str) -> None:
    if inside is not None and text.strip():
        inside.append(line._replace(text=text.strip()))
