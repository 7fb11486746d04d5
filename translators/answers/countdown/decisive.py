"""Finds the part of an answer that is marked as the answer: the last one counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.translators.answers.countdown.latex import BOX, END_OF_BOX
from pddl_pipeline.translators.answers.lines import AnswerLine

_BEFORE: Final = r"[\s*_#>`\"'-]"
_MARK: Final = re.compile(
    rf"(?P<open><answer>)|(?P<close></answer>)|(?P<box>{BOX})"
    r"|(?P<fence>^```\s?(?:final[_ -]?)?answer)"
    r"|(?<![\w-])(?P<answer>(?:final[\s_-]{1,3}(?:answer|expression|equation|solution)|answer)\b"
    r"(?:"
    r"[\"'\s*_`]{0,4}(?:\([^()\n]{0,60}\)|using[^:=\n]{0,60})?[\"'\s*_`]{0,4}"
    r"(?:(?:is|would be|becomes)\b[\s*_`]{0,4})?(?:[:=]|\u2192)"
    rf"|[\s*_`]{{1,4}}(?:is|would be)\b(?=[\s*_`]{{0,8}}[-(\d\[{{{BOX}])"
    r"|[\s*_`#]{0,6}$)[\s*_`]{0,8})",
    re.IGNORECASE,
)
_NO_MARK: Final = re.compile(
    r"(?:check\w*|verif\w*|confirm\w*|wrong|incorrect|not|n't|previous|whether|first|initial)\W+"
    r"(?:\w+\W+){0,2}$",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(
    rf"{_BEFORE}{{0,8}}(?:(?:so|thus|therefore|hence|my|the|here is|final),?\s{{1,3}}){{0,4}}$",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"[\s*`_\ue000(]{0,9}-?\d[\d.,]{0,40}[\s*`_.!)\u2705\u2713\ue001]{0,9}", re.ASCII
)
# An operation, a step in PDDL or a list, whose result may be in a box.
_OPERATION: Final = re.compile(
    r"\d[\s)\]*`_]{0,4}[-+*/xX\u2192|][\s*`_]{0,4}[\d(\[a-z]|[\[(]\s?[a-z\d]{2}|[\d)]\("
    r"|\b(?:plus|minus|times|add|subtract|multipl|divid)",
    re.IGNORECASE,
)
USUAL: Final = "Answer: "
"""The start of the last line of most chains of thought."""
_MOST: Final = 50
"""Maximum number of marks to examine, from the end."""
_PLACES: Final = {
    "open": "the tag <answer>", "box": "the box", "answer": "the answer line", "fence": "the fence",
}  # fmt: skip


class Decisive(NamedTuple):
    """The decisive part of an answer: lines, or the parts of lines that are read."""

    lines: Sequence[AnswerLine]
    place: str | None = None
    """The mark of the part; None if nothing marks it, so that all of the answer is read."""
    below: Sequence[AnswerLine] | None = None
    """The lines directly below ``Answer: …``, where steps may go on; None for other marks."""
    rest: Sequence[AnswerLine] = ()
    """All text behind the part."""


class _Mark(NamedTuple):
    kind: str
    line: int
    """Index of its line."""
    start: int
    """Where its content starts in the line."""
    colon: bool = True
    """Whether a number alone may stand behind it: not in ``The answer is 24``."""


def usual_part(text: str) -> Decisive | None:
    """Return the decisive part of a text whose only mark is ``Answer:`` in its last line.

    By far the most chains of thought are such texts. Other marks, or an empty part, give None.
    """
    end = text.rstrip()
    start = end.rfind("\n") + 1
    line = end[start:].strip()
    if not line.startswith(USUAL):
        return None
    told = line[len(USUAL) :].strip()
    if not told.strip(" *_`~:") or _may_mark(told) or _may_mark(text[:start]):
        return None
    number = text.count("\n", 0, start) + 1
    return Decisive([AnswerLine(number, told, len(text[start:]) - len(text[start:].lstrip()))],
                    _PLACES["answer"], ())  # fmt: skip


def _may_mark(text: str) -> bool:
    """Return whether a text may have a mark; much faster than the patterns."""
    lower = text.lower()
    return "answer" in lower or "final" in lower or BOX in lower


def decisive(lines: Sequence[AnswerLine]) -> Decisive:
    """Return the last part of an answer that is marked as the answer and tells a solution.

    A mark with nothing but a number states the result. It decides only if it is an ``Answer:`` or
    a tag, and no other mark tells a solution; or if the answer has no operation at all.
    """
    with_marks = [at for at, line in enumerate(lines) if _may_mark(line.text)]
    if not with_marks:
        return Decisive(lines)
    last = lines[with_marks[-1]]
    if last.text.startswith(USUAL) and len(with_marks) == 1:
        # By far the most answers: nothing but one line has a mark.
        part = _part(_Mark("answer", with_marks[-1], len(USUAL)), lines, {})
        if part.lines and not _may_mark(part.lines[0].text) and not _is_number(part):
            return part
    marks, ends = _marks(lines, with_marks)
    only_number: _Mark | None = None
    for mark in reversed(marks[-_MOST:]):
        part = _part(mark, lines, ends)
        if not _is_number(part):
            return part
        if only_number is None and mark.colon and mark.kind != "box":
            only_number = mark
    if only_number is None and not any(_OPERATION.search(line.text) for line in lines):
        only_number = next((mark for mark in reversed(marks) if mark.kind == "box"), None)
    return Decisive(lines) if only_number is None else _part(only_number, lines, ends)


def _is_number(part: Decisive) -> bool:
    """Return whether a part has only numbers; an empty part tells that there is no solution."""
    text = " ".join(line.text for line in part.lines)
    return len(text) < 60 and _NUMBER.fullmatch(text) is not None


def _marks(
    lines: Sequence[AnswerLine], with_marks: Sequence[int]
) -> tuple[list[_Mark], dict[_Mark, tuple[int, int]]]:
    """Return the marks in order, and where the content of tags and boxes ends."""
    marks: list[_Mark] = []
    ends: dict[_Mark, tuple[int, int]] = {}
    tag: _Mark | None = None
    for index, match in _found(lines, with_marks):
        kind = match.lastgroup or ""
        if kind == "close":
            if tag is not None:
                ends[tag] = index, match.start()
            tag = None
            continue
        mark = _Mark(kind, index, match.end(), _may_be_number(match))
        if kind == "open":
            tag = mark
        marks.append(mark)
    closed = any(mark.kind == "open" for mark in ends)
    return [m for m in marks if m.kind != "open" or m in ends or not closed], ends


def _may_be_number(match: re.Match[str]) -> bool:
    return match.lastgroup != "answer" or (
        match[0].rstrip(" *_`")[-1:] in (":", "=") and "answer" in match[0].lower()
    )


def _found(
    lines: Sequence[AnswerLine], with_marks: Sequence[int]
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the marks with the indexes of their lines."""
    for index in with_marks:
        line = lines[index]
        for match in _MARK.finditer(line.text):
            before = line.text[max(0, match.start() - 60) : match.start()]
            if match.lastgroup == "answer":
                alone = match[0].rstrip(" *_`#")[-1:].isalpha() and not match[0].rstrip(
                    " *_`#"
                ).endswith(("is", "be"))
                if (alone and not _HEADING.match(before)) or _NO_MARK.search(before):
                    continue
            yield index, match


def _part(mark: _Mark, lines: Sequence[AnswerLine], ends: dict[_Mark, tuple[int, int]]) -> Decisive:
    """Return the content of a mark."""
    line, place = lines[mark.line], _PLACES[mark.kind]
    rest = line.text[mark.start :]
    if mark.kind == "open":
        last, stop = ends.get(mark, (len(lines) - 1, len(lines[-1].text)))
        return Decisive(_between(lines, (mark.line, mark.start), (last, stop)), place,
                        rest=_from(lines, last, stop))  # fmt: skip
    if mark.kind == "fence":
        inside = range(mark.line + 1, len(lines))
        last = next((at for at in inside if lines[at].text.startswith("```")), len(lines))
        return Decisive(lines[mark.line + 1 : last], place, rest=lines[last:])
    if mark.kind == "box":
        last = mark.line
        while END_OF_BOX not in lines[last].text[mark.start if last == mark.line else 0 :]:
            last += 1
            if last == len(lines) or last > mark.line + 20:
                return Decisive(_nonempty([line._replace(text=rest)]), place)
        stop = lines[last].text.index(END_OF_BOX, mark.start if last == mark.line else 0)
        return Decisive(_between(lines, (mark.line, mark.start), (last, stop)), place,
                        rest=_from(lines, last, stop + 1))  # fmt: skip
    for end in ("</answer>", END_OF_BOX):
        rest = rest.partition(end)[0]
    if not rest.strip(" *_`~:"):
        return Decisive(lines[mark.line + 1 :], place)
    below = _directly_below(lines, mark.line)
    return Decisive([line._replace(text=rest.strip())], place, below, lines[mark.line + 1 :])


def _directly_below(lines: Sequence[AnswerLine], index: int) -> Sequence[AnswerLine]:
    """Return the lines below a line, up to the first blank one."""
    last = index + 1
    while last < len(lines) and lines[last].number == lines[last - 1].number + 1:
        last += 1
    return lines[index + 1 : last]


def _between(
    lines: Sequence[AnswerLine], start: tuple[int, int], end: tuple[int, int]
) -> list[AnswerLine]:
    """Return the text between two places, as lines."""
    found = list(lines[start[0] : end[0] + 1])
    found[-1] = found[-1]._replace(text=found[-1].text[: end[1]])
    found[0] = found[0]._replace(text=found[0].text[start[1] :])
    return _nonempty(found)


def _from(lines: Sequence[AnswerLine], index: int, start: int) -> list[AnswerLine]:
    rest = [lines[index]._replace(text=lines[index].text[start:]), *lines[index + 1 :]]
    return _nonempty(rest)


def _nonempty(lines: Sequence[AnswerLine]) -> list[AnswerLine]:
    return [line._replace(text=text) for line in lines if (text := line.text.strip())]
