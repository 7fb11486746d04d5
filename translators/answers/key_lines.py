"""Finds steps that are told in lines of keys: ``- action: stack``, ``block: a``, ``onto: b``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.translators.answers.flow_mapping import MARK, QUOTES, flow_step
from pddl_pipeline.translators.answers.lines import AnswerLine, lines_of
from pddl_pipeline.translators.answers.named_arguments import Argument, NamedArguments, open_names
from pddl_pipeline.translators.answers.step_reader import Mistake
from pddl_pipeline.translators.answers.structured import (
    ACTIONS,
    ARGUMENTS,
    REMARKS,
    with_objects_read,
)

_LINE: Final = re.compile(r"([a-z][\w -]{0,30}?)\s?:(?:\s+(.{0,200}))?", re.IGNORECASE)
_STEP: Final = re.compile(r"(?:step|action|move|act)[ _]?\d{1,4}")
_COMMENT: Final = re.compile(r"\s#.*$")
_BETWEEN: Final = re.compile(r"\s*,\s*|\s+and\s+|\s+")
_WITH_ACTION: Final = re.compile(
    rf"\W{{0,9}}(?:\d{{1,4}}\W{{1,3}})?(?:{'|'.join(ACTIONS)})\W{{0,4}}:", re.IGNORECASE
)
_BELOW: Final = re.compile(
    r"(?:[-*\u2022]\s)?[*_`]{0,3}[a-z][\w -]{0,30}[*_`]{0,3}:", re.IGNORECASE
)
_LISTS: Final = re.compile(r"\[\s{0,99}\[")
_SHORT: Final = ("{", "=", "rgument", "arameter", "args:")
"""Signs of a step in keys on one line."""
_NO_VALUES: Final = frozenset(("", "true", "false", "null", "none", "yes", "no", "~"))
_MOST_WORDS: Final = 3
_LONGEST_ACTION: Final = 40


class _Key(NamedTuple):
    """A line with a key."""

    column: int
    """Where the key stands."""
    marked: bool
    """Whether the mark of an item stands before it."""
    key: str
    value: str


class _Head(NamedTuple):
    """A line with an action, whose arguments may stand below it."""

    action: str
    column: int
    """Where its text stands."""
    marked: bool
    below: bool
    """Whether its arguments stand further right."""


class KeyLines(NamedTuple):
    """The lines of an answer, with one line for each step that is told in several."""

    lines: list[AnswerLine]
    rest: list[AnswerLine]
    """The other lines of these steps."""
    unclear: dict[int, Mistake]
    """By number of the line, the mistake in steps whose keys leave open which object is which."""


def structured_lines(text: str, named: NamedArguments) -> KeyLines:
    """Return the lines of an answer, with one line for each step in JSON or in lines of keys."""
    lines, rest, unclear = lines_of(text), list[AnswerLine](), dict[int, Mistake]()
    if "{" in text or _LISTS.search(text):
        lines, rest, unclear = with_objects_read(lines, named)
    if not any(map(_maybe_key, [line for line in lines if ":" in line.text or "=" in line.text])):
        return KeyLines(lines, rest, unclear)
    found = _with_keys_read(lines, named)
    return KeyLines(found.lines, [*rest, *found.rest], unclear | found.unclear)


def _maybe_key(line: AnswerLine) -> bool:
    """Return whether a line with a colon may belong to a step in lines of keys."""
    return (
        any(sign in line.text for sign in _SHORT)
        or _WITH_ACTION.match(line.text) is not None
        or (line.indent > 0 and _BELOW.match(line.text) is not None)
    )


def _with_keys_read(lines: list[AnswerLine], named: NamedArguments) -> KeyLines:
    """Return the lines; a step that is told in lines of keys becomes one line."""
    found, rest, unclear = list[AnswerLine](), list[AnswerLine](), dict[int, Mistake]()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        action, arguments, end = _told(lines, at, named)
        if not arguments:
            found.append(line)
            continue
        text = named.written(action, arguments)
        if text is None:
            unclear[line.number] = open_names(line)
        mark = MARK.match(line.text)
        told = line if text is None else line._replace(text=f"{mark[0] if mark else '- '}{text}")
        found.append(told)
        rest += lines[at:end]
        at = end
    return KeyLines(found, rest, unclear)


def _told(
    lines: Sequence[AnswerLine], start: int, named: NamedArguments
) -> tuple[str, list[Argument], int]:
    """Return the action and the arguments that the line before an index tells, and their end."""
    flow = flow_step(lines[start - 1].text)
    if flow is not None and named.is_action(flow[0]):
        return *flow, start
    head = _head_of(lines[start - 1], named)
    if head is None:
        return "", [], start
    inside = list(_inside(lines, start, head, named))
    return head.action, [each for key in inside for each in _arguments(key)], start + len(inside)


def _key_of(line: AnswerLine) -> _Key | None:
    mark = MARK.match(line.text)
    start = mark.end() if mark else 0
    match = _LINE.fullmatch(line.text[start:].translate(QUOTES).strip())
    if match is None:
        return None
    value = _COMMENT.sub("", match[2] or "").strip().rstrip(",;.")
    return _Key(line.indent + start, mark is not None, match[1].strip().lower(), value)


def _head_of(line: AnswerLine, named: NamedArguments) -> _Head | None:
    """Return the action of a line such as ``action: stack``, ``stack:`` or ``stack``, or None."""
    key = _key_of(line)
    if key is None:
        mark = MARK.match(line.text)
        start = mark.end() if mark else 0
        text = line.text[start:].translate(QUOTES).strip()
        if len(text) > _LONGEST_ACTION or not named.is_action(text):
            return None
        return _Head(text, line.indent + start, mark is not None, below=True)
    if not key.value:
        action = key.key if named.is_action(key.key) else None
    elif key.key in ACTIONS or _STEP.fullmatch(key.key):
        action = key.value if named.is_action(key.value) else None
    else:
        action = None
    if action is None:
        return None
    return _Head(action, key.column, key.marked, below=key.key not in ACTIONS)


def _inside(
    lines: Sequence[AnswerLine], start: int, head: _Head, named: NamedArguments
) -> Iterator[_Key]:
    """Yield the keys and items from a line on that belong to the action in the line before it."""
    number = lines[start - 1].number
    open_list = False
    for at in range(start, len(lines)):
        line = lines[at]
        if head.column == 0 and not head.marked and line.number > number + 1:
            return
        number = line.number
        key = _key_of(line)
        if key is None:
            item = MARK.match(line.text)
            if item is None or not open_list or line.indent < head.column:
                return
            yield _Key(line.indent, True, "", line.text[item.end() :].translate(QUOTES).strip())  # noqa: FBT003
            continue
        if key.column < head.column + head.below or key.key in ACTIONS:
            return
        if key.marked and line.indent < head.column:
            return
        if (head.below or not key.value) and named.is_action(key.key):
            return
        open_list = open_list or not key.value
        yield key


def _arguments(key: _Key) -> Iterator[Argument]:
    """Yield the arguments that a line states; a remark states none."""
    if not key.key:
        yield "", key.value
    elif key.key in ARGUMENTS:
        values = _BETWEEN.split(key.value.strip("[](){} "))
        yield from (("", value) for value in values if value)
    elif key.key not in REMARKS and key.value.lower() not in _NO_VALUES:
        words = key.value.split()
        if len(words) <= _MOST_WORDS and not key.value.isdecimal():
            yield key.key, key.value
