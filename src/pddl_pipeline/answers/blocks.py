"""The structure of an answer: its lines with their place in lists, fences, tables and sections."""

from __future__ import annotations

import re
from html import unescape
from typing import Final, NamedTuple

from pddl_pipeline.answers.lines import AnswerLine, lines_of

_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")
_MARK: Final = re.compile(
    r"(?:\(?(?P<n>\d{1,4})(?:\.\d+)*[.):\]]*(?:\s+|(?<=[.):\]])(?=[a-z(*_`\"']))|(?P<e>\d)\ufe0f?\u20e3"
    r"|[-*+\u2022\u25aa\u25e6\u2023\u25cf\u2013\u2014\u2192>]+\s"
    r"|(?:\*\*|__)?(?:step|action|move)\s*#?(?P<s>\d{1,4})\b[\s.:)*_-]*|\[[ x\u2713t=\d]*\]:?)",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(r"(?:[a-z]|[ivx]{1,5})[.)]\s+", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([a-z][a-z0-9]{0,15})\b[^<>]{0,200}>", re.IGNORECASE)
_LINES_TAGS: Final = frozenset(
    ["br", "div", "h1", "h2", "h3", "h4", "item", "li", "ol", "p", "step", "tr", "ul"]
)
_TEXT: Final = re.compile(r"\\(?:text\w*|math\w*|operatorname)\s*\{([^{}]*)\}")
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
    found: list[Line] = []
    indents: list[int] = []  # of the items that are open
    fence = fences = 0
    for source in lines_of(text):
        if source.text.startswith(("```", "~~~")):
            fences += not fence
            fence = 0 if fence else fences
            continue
        for part in _unmarked(source.text).split("\n"):
            mark = None if fence else _ITEM.match(part.lstrip())
            while indents and mark and indents[-1] >= source.indent:
                indents.pop()
            indents += [source.indent] if mark else []
            depth = sum(mark is not None or each < source.indent for each in indents)
            if part.strip("|:-=_*# "):
                place = Line(source, part.strip(), depth, item=mark is not None, fence=fence)
                found.append(_line(place))
    return found


def _unmarked(text: str) -> str:
    """Return a line without tags and LaTeX; some of them begin a line."""
    if "<" in text:
        text = unescape(_TAG.sub(_without_tag, text))
    if "\\" in text:
        text = _TEXT.sub(r"\1", _LATEX_ARROW.sub(" \u2192 ", text.replace("\\\\", "\n")))
        text = text.replace("\\item", "\n- ").replace("\\boxed", "\n")
        text = _COMMAND.sub(" ", text).replace("\\", "")
    return _STRUCK.sub(" ", text) if "~~" in text else text


def _without_tag(match: re.Match[str]) -> str:
    return "\n" if match[2].lower() in _LINES_TAGS and not (match[1] and match[2] != "p") else " "


def _line(place: Line) -> Line:
    """Return a line without its marks, given its text and its place."""
    text, item, order = place.text, place.item, None
    heading = _HEADING.match(text) is not None and not place.fence
    text = text.lstrip("#> ") if heading or text.startswith((">", "#")) else text
    if text.startswith("|"):
        cells = tuple(_plain(cell) for cell in text.strip("|").split("|"))
        return place._replace(text=" | ".join(cells), depth=0, item=True, cells=cells)
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
    return place._replace(text=_plain(text), item=item, order=order, heading=heading)


def _plain(text: str) -> str:
    """Return a text without ornaments: emphasis, quotes, code marks, emojis at its ends."""
    return _ORNAMENT.sub(" " if "`" in text else "", text).strip(" \t,")
