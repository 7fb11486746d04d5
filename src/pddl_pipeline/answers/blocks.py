"""The structure of an answer: its lines with their place in lists, fences, tables and sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import unescape
from typing import Final, NamedTuple

from pddl_pipeline.answers.lines import END_OF_LINE, AnswerLine, lines_of

_ITEM: Final = re.compile(r"^(?:[-*+]|\d{1,9}[.)])[ \t]", re.MULTILINE)
_MARKDOWN: Final = re.compile(
    r"^[ \t]+(?:[-*+]|\d{1,9}[.)])[ \t]|^[ \t]*(?:#|>|```|~~~|\|)", re.MULTILINE
)
"""Markdown beyond flat lists and paragraphs."""
_MARK: Final = re.compile(
    r"(?:\(?(?P<n>\d{1,4})(?:\.\d+)*[.):\]]*(?:\s+|(?<=[.):\]])(?=[a-z(*_`\"']))|(?P<e>\d)\ufe0f?\u20e3"
    r"|[-*+\u2022\u25aa\u25e6\u2023\u25cf\u2013\u2014\u2192>]+\s"
    r"|(?:\*\*|__)?(?:step|action|move)\s*#?(?P<s>\d{1,4})\b[\s.:)*_-]*|\[[ x\u2713t=\d]*\]:?)",
    re.IGNORECASE,
)
_MOST_LINES: Final = 5_000
"""Maximum number of lines whose nesting is read; parsing Markdown takes long."""
_LETTER: Final = re.compile(r"(?:[a-z]|[ivx]{1,5})[.)]\s+", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([a-z][a-z0-9]{0,15})\b[^<>]{0,200}>", re.IGNORECASE)
_LINES_TAGS: Final = frozenset(
    ["br", "div", "h1", "h2", "h3", "h4", "item", "li", "ol", "p", "step", "tr", "ul"]
)
_BREAK: Final = "\x1f\n"
"""The line end that stands for a tag or for LaTeX's."""
_TEXT: Final = re.compile(r"\\(?:text\w*|math\w*|operatorname|boxed)\s*\{([^{}]*)\}")
_COMMAND: Final = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\{[^{}]*\})?|\\[a-zA-Z]+|\\[()\[\]]|[&${}]"
)
_LATEX_ARROW: Final = re.compile(r"\\(?:rightarrow|to|Rightarrow|longrightarrow|implies)\b")
_STRUCK: Final = re.compile(r"~~[^~\n]{1,500}~~")
_ORNAMENT: Final = re.compile(r"[*`\"\u201c\u201d\u00ab\u00bb]|(?<!\w)_+|_+(?!\w)")
_BOLD: Final = re.compile(r"\s*(?:\*\*|__)(?:(?!\*\*|__).)+(?:\*\*|__)\s*:?\s*")


class Line(NamedTuple):
    """A line of an answer that is not blank."""

    source: AnswerLine
    text: str
    """The line without list marks and ornaments."""
    depth: int = 0
    """How deep it is nested in lists; 0 outside of lists."""
    item: bool = False
    """Whether a mark such as ``-``, ``2.`` or ``Step 2:`` begins it."""
    order: int | None = None
    """The number in its mark."""
    heading: bool = False
    """Whether it is a heading: marked so, or bold as a whole."""
    fence: int = 0
    """Number of the fence around it, from 1 on; 0 outside of fences."""
    cells: tuple[str, ...] = ()
    """The cells of a row of a table."""


def structure(text: str) -> list[Line]:
    """Return the lines of an answer with their place in it."""
    whole = text
    if "<" in text:
        text = _TAG.sub(_without_tag, text)
        text = unescape(text)
    if "\\" in text:
        text = _TEXT.sub(r"\1", _LATEX_ARROW.sub(" \u2192 ", text.replace("\\\\", _BREAK)))
        text = _COMMAND.sub(" ", text.replace("\\item", f"{_BREAK}- ")).replace("\\", "")
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    lines = lines_of(text)
    if len(lines) <= _MOST_LINES and _MARKDOWN.search(text):
        places = _places(lines)
    else:
        places = _flat_places(lines) if _ITEM.search(text) else {}
    if text is not whole:
        numbers = list(_numbers(text))
        sources = {line.number: line._replace(number=numbers[line.number - 1]) for line in lines}
    else:
        sources = {line.number: line for line in lines}
    return [
        _line(sources[line.number], places.get(line.number, _PLAIN))
        for line in lines if line.text.strip("-=_*# ")
    ]  # fmt: skip


def _numbers(text: str) -> Iterator[int]:
    """Yield the number that each line has in the answer, where tags do not begin lines."""
    number = 1
    for line in END_OF_LINE.split(text):
        yield number
        number += not line.endswith(_BREAK[0])


def _without_tag(match: re.Match[str]) -> str:
    return _BREAK if match[2].lower() in _LINES_TAGS and not (match[1] and match[2] != "p") else " "


class _Place(NamedTuple):
    depth: int = 0
    item: bool = False
    heading: bool = False
    fence: int = 0
    row: bool = False


_PLAIN: Final = _Place()


@cache
def _parser() -> object:
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- most answers have no Markdown

    parser = MarkdownIt("zero").enable(["list", "fence", "heading", "table", "blockquote"])
    parser.core.ruler.disable(["inline"])
    return parser


def _places(lines: Sequence[AnswerLine]) -> dict[int, _Place]:
    """Return the places of lines in the structure of Markdown, by line number."""
    numbers = [line.number for line in lines]
    source: list[str] = [""] * numbers[-1]
    for line in lines:
        source[line.number - 1] = " " * min(line.indent, 40) + line.text
    found: dict[int, _Place] = {}
    depth, fences = 0, 0
    starts: list[tuple[int, int]] = []
    for token in _parser().parse("\n".join(source)):  # type: ignore[attr-defined]
        first, end = token.map or (0, 0)
        if token.type == "list_item_open":
            depth += 1
            text = source[first]
            starts.append((first, len(text) - len(text.lstrip())))
        elif token.type == "list_item_close":
            depth -= 1
            starts.pop()
        elif token.type == "fence":
            fences += 1
            for at in range(first, end):
                edge = at == first or (
                    at == end - 1 and source[at].strip().startswith(("```", "~~~"))
                )
                found[at + 1] = _Place(depth, heading=False, fence=-1 if edge else fences)
        elif token.type == "tr_open":
            found[first + 1] = _Place(row=True)
        elif token.type == "inline" and first + 1 not in found:
            for at in range(first, end):
                inside = depth and (at == starts[-1][0] or _indent(source[at]) > starts[-1][1])
                item = bool(depth) and at == starts[-1][0]
                found[at + 1] = _Place(
                    depth if inside else 0,
                    item,
                    token.level == 1 and source[first].lstrip().startswith("#"),
                )
    return found


def _flat_places(lines: Sequence[AnswerLine]) -> dict[int, _Place]:
    """Return the places of lines in lists that have no others inside, by line number."""
    found: dict[int, _Place] = {}
    inside = False
    for line in lines:
        item = line.indent == 0 and _ITEM.match(line.text) is not None
        inside = item or (inside and line.indent > 0)
        if inside:
            found[line.number] = _Place(depth=1, item=item)
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _line(source: AnswerLine, place: _Place) -> Line:
    text, item, order = source.text, place.item, None
    heading = place.heading
    text = text.lstrip("#> ") if place.heading or text.startswith((">", "#")) else text
    if place.fence < 0:
        return Line(source, "", fence=-1)
    if place.row:
        cells = tuple(_plain(cell) for cell in text.strip("|").split("|"))
        return Line(source, " | ".join(cells), item=True, cells=cells)
    bold = _BOLD.fullmatch(text) is not None
    text = text.lstrip("*_") if bold else text
    for _ in range(3):
        text = text.lstrip("*_`") if _MARK.match(text.lstrip("*_`")) else text
        mark = _MARK.match(text) or (_LETTER.match(text) if not item or place.item else None)
        if mark is None or mark.end() == len(text):
            break
        number = mark.groupdict() if mark.re is _MARK else {}
        digits = number.get("n") or number.get("s") or number.get("e")
        order = int(digits) if digits and order is None else order
        text, item = text[mark.end() :].lstrip(), True
    heading = heading or (bold and not item)
    return Line(source, _plain(text), place.depth, item, order, heading, place.fence)


def _plain(text: str) -> str:
    """Return a text without ornaments: emphasis, quotes, code marks, emojis at its ends."""
    return _ORNAMENT.sub(" " if "`" in text else "", text).strip(" \t,")
