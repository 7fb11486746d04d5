"""Helpers of the readers of answers.

Answers are untrusted: every function takes time linear in their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.answers.lines import LONGEST, visible
from pddl_pipeline.answers.marks import after_stated, last_tagged, without_thinking
from pddl_pipeline.questions.denials import denied, denied_before

_STATED: Final = re.compile(
    r"(?:\banswer\s(?:is|would be|should be)|\b(?:choose|pick|select))\s"
    r"(?:(?:option|choice|action|goal|number)\s)?"
    r"(?:\(([a-d]|\d)\)|([a-d]|\d)(?=[.,:;!](?!\d)|\s(?:because|since|as)\b|$))"
    r"|\b(?:option|choice)\s\(?([a-d]|\d)(?![\w-]|\.\d)"
)
_MARKDOWN: Final = re.compile("[*`#]")
_NO_QUOTES: Final = str.maketrans({",": " ", "'": None, '"': None, "`": None})
_SHORT: Final = 12
_HEDGE: Final = re.compile(r"\s{0,3}(?:or|and|to|[,/-])\s{0,3}(?:step\s)?\d")
GROUP: Final = re.compile(r"\(\s{0,9}([^\s()][^()]{0,300})\)")
_NUMBER: Final = re.compile(r"(?<![\w.+-])\d{1,9}(?![\w-])(?!\.\d)")


def readings(text: str) -> Iterator[str]:
    """Yield the parts of a text that may be the answer, the likeliest first, in lower case.

    The parts are the content of the last ``<answer>``, the text after the last ``answer:`` or
    ``state:``, and the whole text. Markdown marks, invisible characters and thoughts in ``<think>``
    are removed. If a ``<think>`` is not closed, everything after it is removed.
    """
    for part, _ in _marked(text):
        yield part


def short_readings(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of `readings`, and before them the line of the last ``answer:``.

    If nothing follows ``answer:`` on its line, the line below is yielded, if it is short. An
    explanation after an answer therefore does not replace the answer. Each part comes with whether
    it is such a line.
    """
    for part, follows_mark in _marked(text):
        if follows_mark:
            line, _, below = part.partition("\n")
            below = below.strip().partition("\n")[0]
            if line.strip() or len(below) <= _SHORT:
                yield line.strip() or below, True
        yield part, False


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of `readings`, each with whether it follows a mark such as ``answer:``."""
    cleaned = _MARKDOWN.sub("", without_thinking(visible(text.lower())))
    parts = (last_tagged(cleaned), False), (after_stated(cleaned), True), (cleaned, False)
    for part, follows_mark in parts:
        if part is not None:
            yield part[-LONGEST:], follows_mark


def groups(text: str) -> list[str]:
    """Return the texts in parentheses, with one blank between words and commas as blanks."""
    return [f"({' '.join(group_words(found))})" for found in GROUP.findall(text)]


def group_words(group: str) -> list[str]:
    """Return the words of a text in parentheses, without quotes; commas separate words as well."""
    return group.translate(_NO_QUOTES).split()


def without_groups(text: str) -> str:
    """Return a text without the parts in parentheses."""
    return GROUP.sub(" ", text)


def last_number(text: str) -> int | None:
    """Return the last of the `numbers` of a text; None if there are none."""
    found = numbers(text)
    return found[-1] if found else None


def first_number(text: str) -> int | None:
    """Return the first of the `numbers` of a text, or the last if the first is hedged.

    A number is hedged if another follows it at once, as in "2 or 3".
    """
    found = numbers(text)
    match = _NUMBER.search(without_groups(text))
    hedged = match is not None and _HEDGE.match(without_groups(text), match.end())
    return found[-1 if hedged else 0] if found else None


def numbers(text: str) -> list[int]:
    """Return the whole numbers below 10**9 that are neither denied nor part of a name."""
    plain = " ".join(without_groups(text).split())
    return [
        int(found[0]) for found in _NUMBER.finditer(plain)
        if not denied_before(plain, found.start())
    ]  # fmt: skip


def claimed_groups(text: str) -> list[str]:
    """Return the `groups` of a text that are not denied."""
    plain = " ".join(text.split())
    return [
        group for found in GROUP.finditer(plain) for group in groups(found[0])
        if not denied_before(plain, found.start())
    ]  # fmt: skip


def chosen_option(text: str, options: Sequence[Sequence[str]]) -> int | None:
    """Return the position of the one option that an answer chooses; None if it is unclear.

    An option is chosen by its position (from 1) or letter, or by its name: it is the
    only option named in the answer, else in its last line, else in its first. An option that is
    denied does not count as named.

    Args:
        text: the answer.
        options: the names of each option, in lower case.
    """
    ways = [[_pattern(way) for way in option] for option in options]
    for reading, _ in short_readings(text):
        for part in _parts(reading):
            by_position = _position(part, len(options))
            if by_position is not None:
                return by_position
            named = [n for n, option in enumerate(ways) if _names(part, option)]
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
    """Return the position of the option that a text gives by letter or number; else None."""
    match = re.match(r"\(?(?:option |goal |action )?([a-d]|\d)(?:\)|[.:](?!\d)|$)", text)
    if match is not None and not denied(text, match.start(), match.end()):
        return _number_of(match[1], count)
    said = {
        match[1] or match[2] or match[3] for match in _STATED.finditer(text)
        if not denied(text, match.start(), match.end()) and "not" not in match[0].split()
    }  # fmt: skip
    return _number_of(said.pop(), count) if len(said) == 1 else None


def _number_of(sign: str, count: int) -> int | None:
    number = int(sign) - 1 if sign.isdigit() else ord(sign) - ord("a")
    return number if 0 <= number < count else None


def _names(text: str, ways: Sequence[re.Pattern[str]]) -> bool:
    """Return whether a text names an option without denying it."""
    found = (match for way in ways for match in way.finditer(text))
    return any(not denied(text, match.start(), match.end()) for match in found)


def _pattern(way: str) -> re.Pattern[str]:
    """Return the pattern of an option's name, which does not match inside longer words."""
    words = way.strip("()").split()
    phrase = r"[\s,]{1,3}".join(map(re.escape, words))
    return re.compile(rf"(?<![\w-]){phrase}(?![\w-])")
