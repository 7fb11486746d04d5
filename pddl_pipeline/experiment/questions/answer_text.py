"""What readers of answers share. Answers are hostile: all takes time linear in their length."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.translators.answers.lines import LONGEST, visible

_MARK: Final = re.compile(
    r"(?:\banswer|\b(?:new|final|resulting|resultant|current)\s{1,3}state)"
    r"(?:\s{1,3}(?:is|will be|would be))?\s{0,3}:"
)
_MARKDOWN: Final = re.compile("[*`#]")
_GROUP: Final = re.compile(r"\(\s{0,9}([^\s()][^()]{0,300})\)")
_NUMBER: Final = re.compile(r"(?<![\w.+-])\d{1,9}(?![\w-])(?!\.\d)")


def readings(text: str) -> Iterator[str]:
    """Yield the parts of an answer that may be meant, the likeliest first, in lower case.

    These are what stands in the last ``<answer>``, after the last ``answer:`` or ``state:``, and
    all of it. Marks of Markdown and signs that cannot be seen are left out.
    """
    whole = _MARKDOWN.sub("", visible(text.lower()))
    tags = whole.rpartition("<answer>")
    if tags[1]:
        yield tags[2].partition("</answer>")[0][-LONGEST:]
    marks = deque(_MARK.finditer(whole), maxlen=1)
    if marks:
        yield whole[marks[0].end() :][-LONGEST:]
    yield whole[-LONGEST:]


def groups(text: str) -> list[str]:
    """Return what stands in parentheses, one blank between words, commas as blanks."""
    return [f"({' '.join(found.replace(',', ' ').split())})" for found in _GROUP.findall(text)]


def without_groups(text: str) -> str:
    """Return a text without what stands in parentheses."""
    return _GROUP.sub(" ", text)


def last_number(text: str) -> int | None:
    """Return the last whole number that is part of no name, of at most nine digits."""
    found = _NUMBER.findall(without_groups(text))
    return int(found[-1]) if found else None


def chosen_option(text: str, options: Sequence[Sequence[str]]) -> int | None:
    """Return the position of the one option that an answer chooses; None where it is not clear.

    An option is chosen by its position (from 1) or letter, or by being named: alone in the
    answer, else alone in its last line, else alone in its first.

    Args:
        text: the answer.
        options: the ways to name each, in lower case.
    """
    ways = [[_pattern(way) for way in option] for option in options]
    for reading in readings(text):
        for part in _parts(reading):
            by_position = _position(part, len(options))
            if by_position is not None:
                return by_position
            named = [n for n, option in enumerate(ways) if any(way.search(part) for way in option)]
            if len(named) == 1:
                return named[0]
    return None


def _parts(text: str) -> Iterator[str]:
    yield " ".join(text.split())
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        yield " ".join(lines[-1].split())
        yield " ".join(lines[0].split())


def _position(text: str, count: int) -> int | None:
    """Return the option that a letter or number alone, or before a sign and more, stands for."""
    match = re.match(r"\(?(?:option |goal |action )?([a-d]|\d)(?:\)|[.:](?!\d)|$)", text)
    if match is None:
        return None
    sign = match[1]
    number = int(sign) - 1 if sign.isdigit() else ord(sign) - ord("a")
    return number if 0 <= number < count else None


def _pattern(way: str) -> re.Pattern[str]:
    """Return what finds a name of an option, never inside longer words."""
    words = way.strip("()").split()
    phrase = r"[\s,]{1,3}".join(map(re.escape, words))
    return re.compile(rf"(?<![\w-]){phrase}(?![\w-])")
