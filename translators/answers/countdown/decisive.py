"""Finds the decisive part of an answer: a tag, a line ``Answer:``, a box, or all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.translators.answers.lines import AnswerLine
from pddl_pipeline.translators.answers.marks import (
    ANSWER_TAG,
    after_answer,
    answer_field,
    boxed,
    enclosed,
    unfenced,
    without_number_boxes,
)

_MARK: Final = re.compile("answer|boxed", re.IGNORECASE)
# An operation, a step in PDDL or a list, whose result may be in a box.
_OPERATION: Final = re.compile(
    r"\d[\s)\]$]{0,4}[^\w\s.,;:!?()\[\]{}=$]\s{0,4}[\d(\[a-z]|[\[(]\s?[a-z\d]{2}"
)


class Decisive(NamedTuple):
    """The decisive part of an answer: lines, or the parts of lines that are read."""

    lines: Sequence[AnswerLine]
    place: str | None = None
    """The mark of the part; None if nothing marks it, so that all of the answer is read."""


def decisive(lines: Sequence[AnswerLine]) -> Decisive:
    """Return the decisive part of an answer: the last marked part, outer marks first."""
    part = Decisive(lines)
    if not any(_MARK.search(line.text) for line in lines):
        return part
    for narrower in (_in_tag, _in_object, _after_answer):
        part = narrower(part.lines) or part
    part = _without_results(part)
    return _in_box(part.lines) or part


def _in_tag(lines: Sequence[AnswerLine]) -> Decisive | None:
    """Return the content of the last closed tag, or else of an open one."""
    parts = enclosed(lines, ANSWER_TAG)
    if not parts:
        return None
    closed = [part for part in parts if part.closed]
    return Decisive((closed or parts)[-1].lines, "the tag <answer>")


def _in_object(lines: Sequence[AnswerLine]) -> Decisive | None:
    """Return the field ``answer`` if the answer is only a JSON object with this field."""
    kept = unfenced(lines)
    if not kept or not kept[0].text.startswith("{"):
        return None
    answer = answer_field(" ".join(line.text for line in kept))
    if answer is None:
        return None
    texts = [line.strip() for line in answer.splitlines() if line.strip()]
    return Decisive([kept[0]._replace(text=text) for text in texts], "the field 'answer'")


def _after_answer(lines: Sequence[AnswerLine]) -> Decisive | None:
    """Return the text after the last ``Answer:``, on its line or else on the lines below."""
    for at in range(len(lines) - 1, -1, -1):
        rest = after_answer(lines[at])
        if rest is not None:
            found = [lines[at]._replace(text=rest)] if rest else lines[at + 1 :]
            return Decisive(found, "the answer line")
    return None


def _without_results(part: Decisive) -> Decisive:
    r"""Return a part with ``\boxed{24}`` replaced by its number if the part has operations."""
    if not any("boxed" in line.text for line in part.lines):
        return part
    lines = [line._replace(text=without_number_boxes(line.text)) for line in part.lines]
    return part._replace(lines=lines) if any(_OPERATION.search(x.text) for x in lines) else part


def _in_box(lines: Sequence[AnswerLine]) -> Decisive | None:
    r"""Return the content of the last ``\boxed{…}``, up to the end of its line."""
    for line in reversed(lines):
        inner = boxed(line.text)
        if inner is not None:
            return Decisive([line._replace(text=inner)], "the box")
    return None
