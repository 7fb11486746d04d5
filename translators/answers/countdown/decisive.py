"""Finds the decisive part of an answer: a tag, a line ``Answer:``, a box, or all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.translators.answers.lines import AnswerLine

_MARK: Final = re.compile("answer|boxed", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)answer>", re.IGNORECASE)
_ANSWER: Final = re.compile(
    r"[\s*_#>`-]{0,8}(?:(?:so|thus|therefore|hence|my|the|final),?\s{1,3}){0,4}answer"
    r"(?:(?:[\s*_`]{1,4}is\b)?[\s*_`]{0,4}:|[\s*_`]{1,4}is\b(?=[\s*_`$]{0,8}[-(\d\[\\])"
    r"|[\s*_`]{0,4}$)[\s*_`]{0,8}",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"[-\d\s.*$`]{1,30}")
_TAGGED: Final = "the tag <answer>"
_BOX: Final = re.compile(r"\\boxed\s{0,3}\{")
_NUMBER_BOX: Final = re.compile(r"\\boxed\s{0,3}\{\s{0,9}(-?\d{1,99}(?:\.\d{1,99})?)\s{0,9}\}")
# An operation, a step in PDDL or a list, whose result may be in a box.
_OPERATION: Final = re.compile(
    r"\d[\s)\]$]{0,4}[^\w\s.,;:!?()\[\]{}=$]\s{0,4}[\d(\[a-z]|[\[(]\s?[a-z\d]{2}"
)
_OBJECT: Final = re.compile(
    r'\{\s{0,9}"(?:final[_ ])?answer"\s{0,9}:\s{0,9}("(?:[^"\\]|\\.)*")\s{0,9}\}', re.IGNORECASE
)
_FENCE: Final = "```"
_BRACE: Final = re.compile("[{}]")


class Piece(NamedTuple):
    """A line of an answer, or the part of a line that is read."""

    row: int
    """0-based index of the line among those that are not blank."""
    line: int
    """1-based line of the answer."""
    text: str


class Decisive(NamedTuple):
    """The decisive part of an answer."""

    pieces: Sequence[Piece]
    place: str | None = None
    """The mark of the part; None if nothing marks it, so that all of the answer is read."""


def decisive(lines: Sequence[AnswerLine]) -> Decisive:
    """Return the decisive part of an answer: the last marked part, outer marks first."""
    part = Decisive([Piece(i, line.number, line.text) for i, line in enumerate(lines)])
    if not any(_MARK.search(line.text) for line in lines):
        return part
    for narrower in (_in_tag, _in_object, _after_answer):
        part = narrower(part.pieces) or part
    part = _without_results(part)
    return _in_box(part.pieces) or part


def _in_tag(pieces: Sequence[Piece]) -> Decisive | None:
    """Return the content of the last closed tag, or else of an open one."""
    opened = closed = None
    for at, piece in enumerate(pieces):
        for match in _TAG.finditer(piece.text) if "<" in piece.text else ():
            if not match[1]:
                opened = at, match
            elif opened is not None:
                closed, opened = (opened, (at, match)), None
    if closed is not None:
        return Decisive(_between(pieces, *closed), _TAGGED)
    if opened is None:
        return None
    return Decisive(_between(pieces, opened, (len(pieces) - 1, None)), _TAGGED)


def _between(
    pieces: Sequence[Piece],
    start: tuple[int, re.Match[str]],
    end: tuple[int, re.Match[str] | None],
) -> list[Piece]:
    found = []
    for at in range(start[0], end[0] + 1):
        piece = pieces[at]
        first = start[1].end() if at == start[0] else 0
        last = end[1].start() if at == end[0] and end[1] is not None else len(piece.text)
        found.append(piece._replace(text=piece.text[first:last].strip()))
    return [piece for piece in found if piece.text]


def _after_answer(pieces: Sequence[Piece]) -> Decisive | None:
    """Return the text after the last ``Answer:``, on its line or else on the lines below."""
    for at in range(len(pieces) - 1, -1, -1):
        piece = pieces[at]
        match = _ANSWER.match(piece.text)
        if match is not None:
            rest = piece.text[match.end() :].strip()
            if ":" not in match[0] and _NUMBER.fullmatch(rest):
                continue  # `the answer is 24` states the result, not the operations
            found = [piece._replace(text=rest)] if rest else pieces[at + 1 :]
            return Decisive(found, "the answer line")
    return None


def _in_object(pieces: Sequence[Piece]) -> Decisive | None:
    """Return the field ``answer`` if the answer is only a JSON object with this field."""
    kept = [piece for piece in pieces if not piece.text.startswith(_FENCE)]
    if not kept or not kept[0].text.startswith("{"):
        return None
    match = _OBJECT.fullmatch(" ".join(piece.text for piece in kept))
    try:
        answer: str = json.loads(match[1]) if match else ""
    except ValueError:
        return None
    lines = [kept[0]._replace(text=line.strip()) for line in answer.splitlines() if line.strip()]
    return Decisive(lines, "the field 'answer'") if match else None


def _without_results(part: Decisive) -> Decisive:
    r"""Return a part with ``\boxed{24}`` replaced by its number if the part has operations."""
    if not any("boxed" in piece.text for piece in part.pieces):
        return part
    pieces = [
        piece._replace(text=_NUMBER_BOX.sub(r"\1", piece.text)) if "boxed" in piece.text else piece
        for piece in part.pieces
    ]
    return part._replace(pieces=pieces) if any(_OPERATION.search(p.text) for p in pieces) else part


def _in_box(pieces: Sequence[Piece]) -> Decisive | None:
    r"""Return the content of the last ``\boxed{…}``, up to the end of its line."""
    for piece in reversed(pieces):
        boxes = list(_BOX.finditer(piece.text))
        if boxes:
            inner = _to_brace(piece.text, boxes[-1].end())
            return Decisive([piece._replace(text=inner)], "the box")
    return None


def _to_brace(text: str, start: int) -> str:
    """Return the text up to the closing brace."""
    depth = 1
    for match in _BRACE.finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return text[start : match.start()].strip()
    return text[start:].strip()
