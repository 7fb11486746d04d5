"""Marks that every reader of texts knows: a model's thinking, answer tags, fences."""

from __future__ import annotations

import re
from collections import deque
from typing import Final, NamedTuple

from pddl_pipeline.answers.lines import LONGEST, SHOWN, AnswerLine, lines_of
from pddl_pipeline.model.answer import TraceLine

_THINK, _THOUGHT = "<think>", "</think>"
_FINAL: Final = "<|channel|>final<|message|>"
"""What begins the answer behind other channels, in the format of gpt-oss."""
_THOUGHTS: Final = re.compile(rf"{_THINK}.*?(?:{_THOUGHT}|\Z)", re.DOTALL)
_FENCE: Final = "```"
_END_OF_TEXT: Final = "<|endoftext|>"
# `answer:` anywhere in the answer to a question, in lower case and without Markdown.
_STATED: Final = re.compile(
    r"(?:\banswer|\b(?:new|final|resulting|resultant|current)\s{1,3}state)"
    r"(?:\s{1,3}(?:is|will be|would be))?\s{0,3}:"
)


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
    if not any(mark in text for mark in (_THINK, _THOUGHT, _FINAL)):
        return Part(text, 0, [])
    ends = [at + len(mark) for mark in (_THOUGHT, _FINAL) if (at := text.rfind(mark)) >= 0]
    end = max(ends, default=len(text) if _THINK in text else 0)
    thought = text[:end]
    lines = lines_of(thought) if end <= LONGEST else [AnswerLine(1, thought[:SHOWN].strip())]
    unread = [line.dropped("outside: thinking") for line in lines]
    line_ends = thought.count("\n") + thought.count("\r") - thought.count("\r\n")
    return Part(text[end:], line_ends, unread)


def without_thinking(text: str) -> str:
    """Return a text without each part in ``<think>``; if only an end is marked, the text after it.

    Unlike `after_thinking`, this keeps text before and between thoughts, as answers to questions
    are often one line.
    """
    return _THOUGHTS.sub("", text).rpartition(_THOUGHT)[2] if "think>" in text else text


def last_tagged(text: str) -> str | None:
    """Return the content of the last ``<answer>`` of a text in lower case, closed or not."""
    _, tag, content = text.rpartition("<answer>")
    return content.partition("</answer>")[0] if tag else None


def after_stated(text: str) -> str | None:
    """Return the text after the last ``answer:`` or ``state:`` of a text in lower case, or None."""
    marks = deque(_STATED.finditer(text), maxlen=1)
    return text[marks[0].end() :] if marks else None


def code_blocks(text: str) -> list[str]:
    """Return the texts inside fences, which may be in the middle of a line; else the whole text."""
    parts = text.replace(_END_OF_TEXT, "").split(_FENCE)
    if len(parts) == 1:
        return [text]
    # The rest of a fence's line is the language; the last fence may be incomplete.
    return [part.partition("\n")[2].rstrip("`") for part in parts[1::2]]
