"""Where in an answer its plan stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine
from pddl_pipeline.translators.answers.lines import AnswerLine

# PlanBench's marks. A model that goes on writes the next statement after its plan.
_MARK: Final = re.compile(
    r"(?P<open>\[(?:pddl )?plan\])|(?P<close>\[(?:pddl )?plan end\])|(?P<stop>\[statement\])",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"(?P<open><(?:answer|plan)>)|(?P<close></(?:answer|plan)>)|(?P<stop>(?!))", re.IGNORECASE
)
# What a model writes above what is no plan any more.
_EXPLAINING: Final = re.compile(
    r"[\s#*_]*(?:explanation|reasoning|verification|justification|breakdown|final state|note)s?"
    r"\b[^.]{0,60}:[\s*_]*",
    re.IGNORECASE,
)
# What a model writes above the plan that it has come to.
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
"""Headings or fences that are looked at, from the end."""


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
    for mark, opened in ((_MARK, True), (_TAG, False)):
        inside = _enclosed(lines, mark, opened=opened)
        if inside is not None:
            kept = {line.number for line in inside}
            return Zone(inside, _outside(lines, kept, "not in the marked plan"), marked=True)
    return Zone(lines, [], marked=False)


class Place(NamedTuple):
    """Where a plan may stand: from an index of lines to the one after the last."""

    start: int
    end: int
    enough: int
    """How many steps must stand there, for it to be the plan."""


def places(lines: list[AnswerLine]) -> list[Place]:
    """Return where a plan may stand, the likeliest place first.

    The last fences, then what stands below the last headings that announce a plan, then all of
    it; an explanation ends a plan.
    """
    explaining = [i for i, line in enumerate(lines) if _explains(line)]
    starts = [i for i, line in enumerate(lines, start=1) if _announces(line.text)]
    ends = [*explaining, len(lines)]
    below = [
        Place(start, ends[bisect_left(explaining, start)], 1) for start in starts[: -_MOST - 1 : -1]
    ]
    fences = _fences(lines)
    # One that is alone may hold a plan of one step; of several each may hold a single step.
    enough = 1 if len(fences) == 1 else 2
    inside = [Place(start, end, enough) for start, end in fences[: -_MOST - 1 : -1]]
    above = [Place(0, ends[0], 1)] if explaining else []
    return [*inside, *below, *above, Place(0, len(lines), 0)]


def _fences(lines: list[AnswerLine]) -> list[tuple[int, int]]:
    """Return what Markdown fences enclose; one that is not closed ends with the answer."""
    marks = [i for i, line in enumerate(lines) if _FENCE.match(line.text)]
    closes = [*marks[1::2], len(lines)]
    return [(start + 1, end) for start, end in zip(marks[::2], closes, strict=False)]


def _announces(text: str) -> bool:
    """Whether a line is a heading that announces a plan: by a colon or by its type."""
    return (":" in text or text[0] in "#*_") and _HEADING.fullmatch(text) is not None


def _explains(line: AnswerLine) -> bool:
    """Whether a line announces an explanation; one further to the right is of a single step."""
    return line.indent == 0 and _EXPLAINING.fullmatch(line.text) is not None


def _outside(lines: list[AnswerLine], kept: set[int], why: str) -> list[TraceLine]:
    return [line.dropped(why) for line in lines if line.number not in kept]


def _enclosed(
    lines: list[AnswerLine], mark: re.Pattern[str], *, opened: bool
) -> list[AnswerLine] | None:
    """Return the lines that the last marks enclose, None where there are none.

    Marks that are not closed enclose what follows them, if that is anything.

    Args:
        lines: the answer.
        mark: with groups ``open``, ``close`` and ``stop``; nothing counts after a stop that
            follows a plan.
        opened: whether the prompt may have ended with the mark that opens.
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
