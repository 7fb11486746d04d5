"""The lines of an answer, without invisible characters."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine, Treatment

LONGEST: Final = 200_000
"""Maximal characters of an answer. Longer answers are not read, not even in part, since a part of
a plan is a different plan."""
_SHOWN: Final = 200
_THOUGHT: Final = "</think>"
# List numbers, bullets, Markdown and quotes before the text of a line, and signs after it.
_ORNAMENT: Final = re.compile(
    r"""^(?:[\s>*_`#"'\[{|\u2022\u2013\u2014-]+|\(?\d{1,4}[.):|]+\s)+|[\s*_`"',;.|\]}]+$"""
)
_ITEM: Final = re.compile(r"(\W{0,4}\d{1,4}[.):])|[*\u2022-]\s")
# Terminal colour codes.
_ESCAPE: Final = re.compile("\x1b\\[[0-9;]{0,20}m")
# Control characters, direction marks, zero-width spaces, the byte order mark.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
# Only visible line ends: `str.splitlines` splits at further characters.
_END: Final = re.compile(r"\r\n|\r|\n")


def visible(text: str) -> str:
    """Return a text without invisible characters: control characters, direction marks."""
    return _UNSEEN.sub("", _ESCAPE.sub("", text))


class AnswerLine(NamedTuple):
    """A line of an answer that is not blank."""

    number: int
    """1-based."""
    text: str
    """The line without invisible characters and without blanks at its ends."""
    indent: int = 0
    """Number of blanks before the text."""

    @property
    def bare(self) -> str:
        """The text without list numbers, bullets, Markdown and quotes around it."""
        return _ORNAMENT.sub("", self.text)

    @property
    def list_mark(self) -> str:
        """``1`` for an item of a numbered list, ``-`` for an item of another list, else empty."""
        item = _ITEM.match(self.text)
        return "" if item is None else "1" if item[1] else "-"

    @property
    def shown(self) -> str:
        """The text, truncated if it is long."""
        return self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}…"

    def used(self, step: int | None = None) -> TraceLine:
        """Return the entry of a line that is used unchanged."""
        return TraceLine(self.number, self.shown, Treatment.USED, step)

    def changed(self, note: str, step: int | None = None) -> TraceLine:
        """Return the entry of a line that is a step in different words."""
        return TraceLine(self.number, self.shown, Treatment.CHANGED, step, note)

    def dropped(self, note: str) -> TraceLine:
        """Return the entry of a line that is not a step."""
        return TraceLine(self.number, self.shown, Treatment.DROPPED, None, note)


def lines_of(text: str) -> list[AnswerLine]:
    """Return the lines of an answer that are not blank."""
    lines = enumerate(_END.split(visible(text)), start=1)
    return [
        AnswerLine(number, clean, len(line) - len(line.lstrip()))
        for number, line in lines
        if (clean := line.strip())
    ]


class Part(NamedTuple):
    """The part of an answer that is read."""

    text: str
    before: int
    """Number of lines before it."""
    unread: list[TraceLine]
    """The entries of these lines."""


def after_thinking(text: str) -> Part:
    """Return the part of an answer that follows a model's thinking.

    Reasoning models write it as ``<think> … </think>``. Thinking that is not closed was cut off
    before the answer.
    """
    closed = text.rfind(_THOUGHT)
    end = closed + len(_THOUGHT) if closed >= 0 else len(text) if "<think>" in text else 0
    thought = text[:end]
    lines = lines_of(thought) if end <= LONGEST else [AnswerLine(1, thought[:_SHOWN].strip())]
    unread = [line.dropped("thinking") for line in lines]
    return Part(text[end:], _line_ends(thought), unread)


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")
