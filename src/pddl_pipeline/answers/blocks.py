"""Cuts an answer into blocks by its own marks: tags, fences, JSON, tables, headings and labels.

Each block has a rank. The plan is in a block of the highest rank that has steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import unescape
from typing import Final, NamedTuple

from pddl_pipeline.answers.english import listed, words_in
from pddl_pipeline.answers.lines import END_OF_LINE, visible
from pddl_pipeline.answers.structured_steps import CLOSE, DATA, OPEN, STOP, with_data

EXCLUDED, LOWERED, PLAIN, MARKED, NAMED = -1, 0, 1, 2, 3
"""Ranks: below a label such as ``Wrong:``, or ``Explanation:``; plain lines; a fence, a table or
JSON; named as the answer."""
RANKS: Final = {
    EXCLUDED: "excluded by its label", LOWERED: "explanation", PLAIN: "plain lines",
    MARKED: "fence, table or JSON", NAMED: "named as the answer",
}  # fmt: skip
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_FOLLOWS: Final = ("\u2192", "\u21d2", "\u21b3", "->", "=>")
"""Signs that begin a remark on the item above."""
# `1.`, `(1)`, `1.2:`, a digit on a keycap, a bullet, `Step 3:`, or a box that may be ticked;
# `step 3 can be …` is a sentence.
_MARK: Final = re.compile(
    r"(?:\(?(?P<n>\d{1,4})(?:\.\d+)*[.):\]]*(?:\s+|(?<=[.):\]])(?=[a-z(*_`\"']))|(?P<e>\d)\ufe0f?\u20e3"
    r"|[-*+\u2022\u25aa\u25e6\u2023\u25cf\u2013\u2014\u2192>]+\s"
    r"|(?:\*\*|__)?(?:step|action|move)\s*#?(?P<s>\d{1,4})\b(?!\s+(?:and|or|can|may|could|might"
    r"|should|must|will|would|have|to|of|in|on|do|[a-z]+s)\b)[\s.:)*_-]*|\[[ x\u2713t=\d]*\]:?)",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(r"(?:[a-z]|[ivx]{1,5})[.)]\s+", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([a-z][a-z0-9_]{0,15})\b[^<>]{0,200}>", re.IGNORECASE)
_ANSWER_TAGS: Final = {"answer", "plan", "solution", "result", "final_answer", "final", "output"}
_LINES_TAGS: Final = frozenset(
    ["br", "div", "h1", "h2", "h3", "h4", "item", "li", "ol", "p", "step", "tr", "ul"]
)
_PLAN_MARK: Final = re.compile(r"\[(?:(?:pddl )?plan( end)?|(statement))\]", re.IGNORECASE)
_LATEX: Final = [
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\\\\", "\n"),
        # One level of braces inside, as in `\boxed{\text{stack c a}}`.
        (r"\\boxed\s{0,3}\{((?:[^{}]|\{[^{}]*\})*)\}", rf"\n{OPEN}\n\1\n{CLOSE}\n"),
        (r"\\(?:rightarrow|to|Rightarrow|longrightarrow|implies)\b", " \u2192 "),
        (r"\\(?:text\w*|math\w*|operatorname)\s{0,3}\{([^{}]*)\}", r"\1"),
        (r"\\item", "\n- "),
        (r"\\(?:begin|end)\s{0,3}\{[^{}]*\}(?:\{[^{}]*\})?|\\[a-zA-Z]+|\\[()\[\]]|[&${}]", " "),
        (r"\\", ""),
        (r"~~[^~\n]{1,500}~~", " "),
    )
]
"""What replaces LaTeX and struck text, in this order."""
_TICKED: Final = re.compile(r"^[\s*+\d.)-]{0,20}(?:\[[xX\u2713]\]|[\u2611\u2705])", re.MULTILINE)
_OPEN_BOX: Final = re.compile(r"(?:\[ \]|[\u2610\u2b1c\u274c])[ \t]{0,9}")
"""Boxes before items that are done, and that are not."""
_ALONE: Final = re.compile(r"\s{0,9}\d{1,3}[.)]\s{0,9}")
_NO_TEXT: Final = "|:-=_*# []{}(),;."
"""Signs that no line has alone."""
_DASHES: Final = "-\u2013\u2014 "
"""Signs of a cell that says nothing."""
_ORNAMENT: Final = re.compile(r"[*`\"\u201c\u201d\u00ab\u00bb]|(?<!\w)_+|_+(?!\w)")
_BOLD: Final = re.compile(r"(?:\*\*|__)(?:(?!\*\*|__).)+(?:\*\*|__)\s{0,9}:?")
_LABEL: Final = re.compile(r"([^:]{1,60}?)(?::|\b(?:is|are)(?=\s))[ \t]*(?=\S)")
_ACTION: Final = frozenset({
    "action", "actions", "move", "command", "operator",
    "aktion", "acci\u00f3n", "azione", "a\u00e7\u00e3o", "\u52a8\u4f5c", "\u64cd\u4f5c",
    "\u884c\u52a8",
})  # fmt: skip
_COLUMNS: Final = _ACTION | {
    "args", "arguments", "details", "parameters", "objects", "object", "from", "to", "on", "onto",
    "at", "block", "target",
    "car", "location", "truck", "place", "hoist", "crate", "robot", "room", "ball", "gripper",
    "key", "shape",
}  # fmt: skip
"""Headers of columns of a table that tell the step."""
OPTION: Final = re.compile(
    r"(?:plan|option|approach|attempt|version|answer|solution|idea) #?(?:[a-h]\b|\d|one|two|three)"
)
_INNER: Final = re.compile(
    r"[.!?]\s{1,3}(?=(?:\w+,? ){0,4}(?:plan|solution|answer|sequence)\b[^.:!?]{0,20}:\s)",
    re.IGNORECASE,
)
"""The end of a sentence before a label: ``b is on c. So the plan is: …``."""
_STEP_LABEL: Final = re.compile(r"(?:the )?(?:\w+ )?step\b.*:")
_EXPLAINING: Final = listed("explaining")
_OUTSIDE: Final = listed("outside")
_PLAN: Final = listed("plan")
_NAMING: Final = listed("naming")
_NAMES: Final = _PLAN | _NAMING
_TITLE: Final = _PLAN | _NAMING | listed("of_plan")
_PART: Final = listed("part")
_LONGEST_TITLE: Final = 4
_EXPLAINS: Final = re.compile(
    r"\Aby \w+ing\b|\bbecause\b|\bwill:?\Z|\bhow (?:it|this|that|these)\b|\bworks\b(?! (?:is|are))"
)
_THING: Final = re.compile(
    r"(?<=\w )(?:the|its|their) (?:(?:lower|upper|left|right|first|second|last|next|final) )?\w+"
)
_DENIED: Final = re.compile(
    r"\b(?:not|wrong|incorrect|first attempt|fails?|failed|rejected)\b|n't\b"
)


class Line(NamedTuple):
    """A line of an answer that is not blank, without marks and ornaments."""

    number: int
    text: str
    depth: int = 0
    """How deep it is nested in lists; 0 outside of lists."""
    mark: str = ""
    """``1`` for a number, ``-`` for a bullet, ``#`` for a heading, ``|`` for a row; `OPEN` and
    `CLOSE` for the ends of marked parts."""
    order: int | None = None
    """The number in its mark."""
    fence: int = 0
    """Number of the fence or the data around it, from 1 on; 0 outside of them."""
    cells: tuple[str, ...] = ()
    """The cells of a row of a table."""

    @property
    def level(self) -> int:
        """How far right it stands: text below an item is further right than the item."""
        return 2 * self.depth + (not self.mark and self.depth > 0)


class Block(NamedTuple):
    """A part of an answer."""

    lines: list[Line]
    title: str = ""
    """The heading or label above it."""
    rank: int = PLAIN
    region: int = 0
    """Number of the marked part that it is in; 0 outside of them."""


def lines_in(text: str) -> list[Line]:
    """Return the lines of an answer with their place in it."""
    found, indents = list[Line](), list[int]()  # the indents of the items that are open
    fence = fences = marks = 0
    text = _OPEN_BOX.sub("(not ticked) ", text) if _TICKED.search(text) else text
    for number, source in enumerate(END_OF_LINE.split(with_data(visible(text))), start=1):
        indent = len(source) - len(source.lstrip())
        for part in _unmarked(source.strip()).split("\n"):
            # `[STATEMENT]`: the model writes on after its plan, with a next task.
            if part == STOP and marks:
                return _with_columns(found)
            if part == DATA or part.startswith(("```", "~~~")):
                fences += not fence
                fence = 0 if fence else fences
            elif part in (OPEN, CLOSE):
                marks += 1
                found.append(Line(number, "", mark=part, fence=fence))
            elif part.strip(_NO_TEXT) and not _ALONE.fullmatch(part):
                item = not fence and _ITEM.match(part.lstrip()) is not None
                indents = [each for each in indents if each < indent or not item] + [indent] * item
                depth = sum(item or each < indent for each in indents)
                depth += part.lstrip().startswith(_FOLLOWS) and bool(found)
                found.append(_line(Line(number, part.strip(), depth, fence=fence), listed_=item))
    return _with_columns(found)


def _with_columns(lines: list[Line]) -> list[Line]:
    """Return lines whose rows have their columns by the header: steps, their number, remarks."""
    header: list[set[str]] = []
    for at, line in enumerate(lines):
        header = header if line.cells else []
        if header:
            cells = [(names, cell) for names, cell in zip(header, line.cells, strict=False) if cell]
            named = "".join(cell for names, cell in cells if names & _PART)
            number = (named or line.cells[0]).strip(". #step")
            # `| 1 | stack c on a | c is on a |`: the third cell is a remark on the step.
            rest = "; ".join(
                f"{' '.join(sorted(names))}: {cell}" for names, cell in cells
                if not (names & (_COLUMNS | _PART) or cell.strip(". ").isdigit())
            )  # fmt: skip
            told = tuple(cell for names, cell in cells if names & _COLUMNS)
            order = int(number) if number.isdigit() else None
            state = order == 0 and len(told) < len(header)  # the initial state
            lines[at] = line._replace(
                text=f"({rest})" if rest else "", mark="" if state else line.mark, order=order,
                cells=() if state else told or line.cells,
            )  # fmt: skip
        elif line.cells and not _ACTION.isdisjoint(words_in(line.text)):
            header = [set(words_in(cell)) for cell in line.cells]
            lines[at] = line._replace(mark="", cells=())
        elif (
            # `| Nr | Zug |` has no known word, but `|---|---|` below it tells that it is a header.
            line.cells and not (at and lines[at - 1].mark == "|") and _is_ruled(lines[at : at + 2])
        ):
            lines[at] = line._replace(mark="", cells=())
    return lines


def _is_ruled(lines: Sequence[Line]) -> bool:
    """Return whether a rule stood below the first of some lines, as below a table's header."""
    return len(lines) > 1 and lines[1].number == lines[0].number + 2 and lines[1].mark == "|"


def _unmarked(text: str) -> str:
    """Return a line without tags and LaTeX; some of them begin a line."""
    if "[" in text:
        text = _PLAN_MARK.sub(
            lambda match: f"\n{CLOSE if match[1] else STOP if match[2] else OPEN}\n", text
        )
    text = unescape(_TAG.sub(_without_tag, text)) if "<" in text else text
    for pattern, put in _LATEX if "\\" in text or "~~" in text else ():
        text = pattern.sub(put, text)
    return text


def _without_tag(match: re.Match[str]) -> str:
    """Return what a tag means: the end of a part, an item, a line, or nothing."""
    name, ends = match[2].lower(), bool(match[1])
    if name in _ANSWER_TAGS:
        return f"\n{CLOSE if ends else OPEN}\n"
    if name not in _LINES_TAGS and " " in match[0] and "=" not in match[0]:
        return f" {match[0][1:-1]} "  # `<insert the rest here>`
    item, line = (
        name in ("li", "item") and not ends,
        name in _LINES_TAGS and (not ends or name == "p"),
    )
    return "\n- " if item else "\n" if line else " "


def _line(place: Line, *, listed_: bool) -> Line:
    """Return a line without its marks, given its text and its place."""
    text, order = place.text, None
    kind = "#" if text.startswith("#") and not place.fence else ""
    text = text.lstrip("#> ") if text.startswith((">", "#")) else text
    if text.startswith("|"):
        cells = tuple(plain(cell).strip(_DASHES) for cell in text.strip("|").split("|"))
        return place._replace(text=" | ".join(cells), depth=0, mark="|", cells=cells)
    # A line that is bold as a whole is a heading, unless it is an item of a list.
    if _BOLD.fullmatch(text) is not None:
        kind, text = kind or ("" if listed_ else "#"), text.lstrip("*_")
    # Marks may be nested: `- 1. **Step 1:** stack c on a`.
    for _ in range(3):
        text = text.lstrip("*_`") if _MARK.match(text.lstrip("*_`")) else text
        mark = _MARK.match(text) or (_LETTER.match(text) if kind in ("", "#") else None)
        if mark is None or mark.end() == len(text):
            break
        number = mark.groupdict() if mark.re is _MARK else {}
        digits = number.get("n") or number.get("s") or number.get("e")
        order = int(digits) if digits and order is None else order
        text = text[mark.end() :].lstrip()
        kind = kind or ("1" if digits else "-")
    return place._replace(text=plain(text), mark=kind, order=order)


def plain(text: str) -> str:
    """Return a text without ornaments: emphasis, quotes, code marks."""
    return _ORNAMENT.sub(" " if "`" in text else "", text).strip(" \t,")


class _Cutter:
    """Takes the lines of an answer one after another."""

    def __init__(self, has_step: Callable[[Line], bool]) -> None:
        self.blocks = [Block([])]
        self._has_step = has_step
        self._region = self._regions = self._fence = 0
        self._last: Line | None = None  # the last item with a number
        self._above: list[Line] = []  # the lines that the last one is nested in, and itself
        self._short = False  # whether the block is the rest of a line with a label

    def add(self, line: Line) -> None:
        """Add a line to the last block, or to a new one that it begins."""
        inner = _INNER.search(line.text) if ":" in line.text else None
        if inner is not None:
            self.add(line._replace(text=line.text[: inner.start() + 1]))
            line = line._replace(text=line.text[inner.end() :])
        if line.mark in (OPEN, CLOSE):
            self._mark(line)
            return
        block = self.blocks[-1]
        if line.fence != self._fence:
            self._fence = line.fence
            keeps = line.fence and not block.lines  # a title right above
            place = block.rank if keeps and block.rank != PLAIN else MARKED if line.fence else PLAIN
            self._begin(block.title if keeps else "", place)
        self._above = [each for each in self._above if each.level < line.level]
        # Below a step of a list, `Reason:` explains that step and begins no block.
        nested = any(each.depth and self._has_step(each) for each in self._above[-1:])
        self._above.append(line)
        rank, label = (None, None) if nested else (self._titled(line), self._label(line))
        if rank is not None:
            self._begin(line.text, rank)
            return
        last = self._last
        # A second `1.` begins another list, and with it perhaps another plan.
        again = line.order == 1 and last is not None and line.depth <= last.depth
        if last is not None and line.mark == "|":  # and no row of the same table
            again &= line.number > last.number + 1
        if label is not None:
            self._begin(line.text[: label.end()], rank_of(label[0]))
            line = line._replace(text=line.text[label.end() :].strip())
        elif self._short or self._ends(line, self.blocks[-1]):
            self._begin("", PLAIN)
        elif again and self._has_step(line):
            rank = self.blocks[-1].rank
            self._begin(
                self.blocks[-1].title, MARKED if line.mark == "|" and rank == PLAIN else rank
            )
        elif line.mark == "|" and self.blocks[-1].rank == PLAIN:
            self._begin(self.blocks[-1].title, MARKED)
        self._short = label is not None and self.blocks[-1].rank < PLAIN
        self._last = line if line.order else self._last
        self.blocks[-1].lines.append(line)

    def _mark(self, line: Line) -> None:
        self._regions += 1
        if line.mark == CLOSE and self._regions == 1:  # the prompt ended with the opening mark
            self.blocks = [
                each._replace(rank=NAMED, region=1) if each.rank >= PLAIN else each
                for each in self.blocks
            ]
        self._region = self._regions if line.mark == OPEN else 0
        above = self.blocks[-1] if not self.blocks[-1].lines else Block([])  # a title right above
        self._begin(above.title, min(above.rank, PLAIN))

    def _begin(self, title: str, rank: int) -> None:
        # Inside `<answer>`, everything is the answer but what a label lowers: `Explanation:`.
        rank = NAMED if self._region and rank >= PLAIN else rank
        self._short, self._last, self._above = False, None, []
        self.blocks.append(Block([], title, rank, self._region))

    def _titled(self, line: Line) -> int | None:
        """Return the rank of the block below a title; None for other lines, and titles of parts."""
        text, words = line.text.rstrip(), words_in(line.text)
        named = set(words) <= _TITLE and not _NAMES.isdisjoint(words) and not line.fence
        if not (line.mark == "#" or text.endswith(":") or named) or self._has_step(line):
            return None
        rank = rank_of(text)
        # `Phase 2:` divides a plan and begins no other one.
        if rank == PLAIN and not _PART.isdisjoint(words):
            return None
        short = len(words) <= _LONGEST_TITLE and words[:1] != ["to"]
        title = short or not _EXPLAINING.isdisjoint(words) or _EXPLAINS.search(text.lower())
        return rank if rank >= PLAIN or title else PLAIN

    def _label(self, line: Line) -> re.Match[str] | None:
        """Return the label before the colon of a line that decides the rank of what follows."""
        match = _LABEL.match(line.text)
        count = len(words_in(match[1])) if match else 0
        row = line.cells or line.text.startswith("(")  # the rest of a row is in parentheses
        if match is None or row or not 0 < count <= _LONGEST_TITLE + 2:
            return None
        rank, rest = rank_of(match[1]), line._replace(text=line.text[match.end() :])
        if self._has_step(line._replace(text=match[1])):
            return None
        if rank == NAMED or OPTION.fullmatch(match[1].lower()):
            # `Answer: stack a b`, and not `Correction: step 3 is: stack a b`
            named = self._has_step(rest) and not _STEP_LABEL.match(rest.text)
            return match if rank != NAMED or named else None
        alone = line.mark not in ("1", "-") and not line.depth and ":" in match[0]
        return match if rank < PLAIN and alone and count <= _LONGEST_TITLE else None

    def _ends(self, line: Line, block: Block) -> bool:
        """Return whether a line ends a section that a label lowered: another kind of list."""
        last = (
            block.lines[-1]
            if block.rank < PLAIN and block.title.endswith(":") and block.lines
            else line
        )
        other = line.mark not in (last.mark, "|")
        return line.number - last.number > 1 and other and line.depth <= last.depth


def blocks_of(lines: Iterable[Line], has_step: Callable[[Line], bool]) -> list[Block]:
    """Return the blocks of an answer, in order; `has_step` says whether a line has a step."""
    cutter = _Cutter(has_step)
    for line in lines:
        cutter.add(line)
    return [block for block in cutter.blocks if block.lines or block.title or block.region]


@lru_cache(4096)
def rank_of(title: str) -> int:
    """Return the rank of what stands below a heading, or behind a label."""
    # What stands below depends on the last sentence: `b is on c. So the plan is:`.
    title = re.split(r"[.!?]\s", title.lower().strip())[-1]
    words = set(words_in(title))
    told = set(words_in(_THING.sub(" ", title)))  # `Get the key:`, `Walk to the goal:`
    # `Initial state:` has no plan below it; `Plan from the initial state:` has one.
    excluded = told & _OUTSIDE and not words & (_PLAN - {"steps"})
    if excluded or _DENIED.search(title):
        return EXCLUDED
    if told & _EXPLAINING or _EXPLAINS.search(title):
        return LOWERED
    return NAMED if words & _NAMING and words <= _TITLE else PLAIN
