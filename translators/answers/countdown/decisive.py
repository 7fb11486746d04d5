"""Finds the part of an answer that decides: a tag, a line ``Answer:``, a box, or all of it."""

from __future__ import annotations

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
_TAGGED: Final = "the tag <answer>"
_BOX: Final = re.compile(r"\\boxed\s{0,3}\{")
_BRACE: Final = re.compile("[{}]")


class Piece(NamedTuple):
    """A line of an answer, or the part of it that is looked at."""

    row: int
    """Of its line among those that are not blank, from 0 on."""
    line: int
    """1-based line of the answer."""
    text: str


class Decisive(NamedTuple):
    """The part of an answer that decides."""

    pieces: Sequence[Piece]
    place: str | None = None
    """What marks it; None where nothing does, and all of the answer is looked at."""


def decisive(lines: Sequence[AnswerLine]) -> Decisive:
    """Return the part of an answer that decides: the last one that is marked, from outside in."""
    part = Decisive([Piece(i, line.number, line.text) for i, line in enumerate(lines)])
    if not any(_MARK.search(line.text) for line in lines):
        return part
    for narrower in (_in_tag, _after_answer, _in_box):
        found = narrower(part.pieces)
        if found is not None:
            part = found
    return part


def _in_tag(pieces: Sequence[Piece]) -> Decisive | None:
    """Return what the last tag holds; one that is not closed counts where none is."""
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
    """Return what follows the last ``Answer:``, on its line or else on those below."""
    for at in range(len(pieces) - 1, -1, -1):
        piece = pieces[at]
        match = _ANSWER.match(piece.text)
        if match is not None:
            rest = piece.text[match.end() :].strip()
            told = [piece._replace(text=rest)] if rest else pieces[at + 1 :]
            return Decisive(told, "the answer line")
    return None


def _in_box(pieces: Sequence[Piece]) -> Decisive | None:
    r"""Return what the last ``\boxed{…}`` holds, as far as its line goes."""
    for piece in reversed(pieces):
        boxes = list(_BOX.finditer(piece.text))
        if boxes:
            inner = _to_brace(piece.text, boxes[-1].end())
            return Decisive([piece._replace(text=inner)], "the box")
    return None


def _to_brace(text: str, start: int) -> str:
    """Return the text up to the brace that closes."""
    depth = 1
    for match in _BRACE.finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return text[start : match.start()].strip()
    return text[start:].strip()
