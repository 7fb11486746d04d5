"""Tables of text cells, and their forms: terminal, CSV, HTML, LaTeX and Markdown.

Only this module rounds numbers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final, Literal, NamedTuple
from unicodedata import normalize

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.tables.linked_text import LinkedText

NO_NUMBER: Final = "-"
_LEAST_P: Final = 0.0001
_SHORT_P: Final = 0.01
_NAME: Final = 12
"""A name on a narrow terminal wraps to this width."""
_PROSE: Final = 40
"""Longer cells wrap, in a column that stays wide enough to read."""
_LATEX: Final = str.maketrans({
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    # In the default font encoding these three are other characters.
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    # At the start of a row, these two would belong to the end of the row before.
    "[": "{[}", "*": "{*}",
})  # fmt: skip
# TeX would join `--` to a dash, and ?` to a turned question mark.
_LIGATURE: Final = re.compile(r"([-'`?!])(?=[-'`])")
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>|~&$])")
_SPACES: Final = re.compile(r"\s+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_NUMBER: Final = re.compile(r"[+-]?(?:\d[\d.,]*(?:e[+-]?\d+)?(?:/\d+)?|inf|nan)")

Form = Literal["wide", "long", "facts"]
"""How a page shows a table."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """Headings, and rows with the same number of cells. rich prints it on a terminal."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int
    """Number of columns, from the left, that contain names; the others contain numbers."""
    marked: tuple[bool, ...] = ()
    """For each row, whether a claim failed; empty if that does not apply."""

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, or, on a narrow terminal, several with the same first columns."""
        for part, (padding, widths) in enumerate(self._parts(options.max_width)):
            yield from [""] * (part > 0)
            table = Table(
                box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, padding)
            )
            for index, width in widths.items():
                justify: Literal["left", "right"] = "left" if index < self.names else "right"
                heading = self.headings[index]
                table.add_column(heading, justify=justify, width=width, overflow="fold")
            for index, row in enumerate(self.rows):
                cells = [row[column] for column in widths]
                table.add_row(*cells, style="yellow" if self._is_marked(index) else None)
            yield table

    def _parts(self, room: int) -> Iterator[tuple[int, dict[int, int]]]:
        """Yield, for each table on a terminal, the padding and the widths by column.

        Numbers and words of headings stay whole; headings of several words and long names wrap. If
        the columns still do not fit, names take half of the room and stand in each table.
        """
        columns = [
            _Extent.of(heading, [row[index] for row in self.rows], is_name=index < self.names)
            for index, heading in enumerate(self.headings)
        ]
        full = [column.full for column in columns]
        if sum(full) + 2 * len(full) - 2 <= room:  # the box has a space between columns, too
            yield 1, dict(enumerate(full))
            return
        shared = 0
        if sum(column.least + 1 for column in columns) - 1 > room:
            shared = self.names if self.names < len(columns) else 1
            while shared > 1 and sum(column.least + 1 for column in columns[:shared]) > room // 2:
                shared -= 1
        keys = _widths(columns[:shared], room // 2)
        left = room - sum(keys) - len(keys)
        part: list[int] = []
        for index in range(shared, len(columns) + 1):
            chosen = [columns[other] for other in part]
            is_end = index == len(columns)
            if part and (is_end or sum(c.least + 1 for c in (*chosen, columns[index])) - 1 > left):
                yield 0, dict(enumerate(keys)) | dict(zip(part, _widths(chosen, left), strict=True))
                part = []
            part.append(index)

    def to_csv(self) -> str:
        """Return the table as CSV; cells without a number are empty."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(map(_no_formula, self.headings))
        for row in self.rows:
            writer.writerow("" if cell == NO_NUMBER else _no_formula(cell) for cell in row)
        return stream.getvalue()

    def to_html(self, caption: str = "", form: Form = "wide") -> str:
        """Return the table as HTML, for `html_page`.

        Args:
            caption: what the table shows; empty if a heading or summary before it says that.
            form: ``wide`` tables scroll sideways; ``long`` ones have cells that wrap; so have
                ``facts``, which are few and in their order, and cannot be sorted.

        The first column has the headings of the rows. Marked rows are highlighted.
        """
        head = "".join(
            f"<th scope=col{' class=number' if index >= self.names else ''}>{escape(heading)}</th>"
            for index, heading in enumerate(self.headings)
        )
        body = [
            f"<tr{' class=gap' if self._is_marked(index) else ''}>"
            f"{''.join(map(self._html_cell, range(len(row)), row))}</tr>\n"
            for index, row in enumerate(self.rows)
        ]
        title = f"<caption>{escape(caption)}</caption>" if caption else ""
        return (
            f"<div class={form}><table>{title}"
            f"<thead><tr>{head}</tr></thead><tbody>\n{''.join(body)}</tbody></table></div>"
        )

    def to_latex(self, caption: str, label: str) -> str:
        """Return the table as a LaTeX ``longtable``, for the packages booktabs and longtable."""
        columns = "l" * self.names + "r" * (len(self.headings) - self.names)
        head, *body = [
            f"{' & '.join(map(latex_text, row))} \\\\" for row in (self.headings, *self.rows)
        ]
        return "\n".join([
            f"\\begin{{longtable}}{{{columns}}}",
            f"\\caption{{{latex_text(caption)}}}\\label{{{label}}}\\\\",
            r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot",
            *body, r"\end{longtable}", "",
        ])  # fmt: skip

    def to_markdown(self, *, marked_up: bool = False) -> str:
        """Return the table as GitHub's Markdown; numbers are aligned to the right.

        Args:
            marked_up: whether the cells are Markdown. Else every character stands for itself.
        """
        rule = ["---"] * self.names + ["--:"] * (len(self.headings) - self.names)
        escaped = markdown_cell if marked_up else markdown_text
        rows = [list(map(escaped, row)) for row in (self.headings, *self.rows)]
        return "".join(f"| {' | '.join(row)} |\n" for row in (rows[0], rule, *rows[1:]))

    def _is_marked(self, index: int) -> bool:
        return bool(self.marked) and self.marked[index]

    def _html_cell(self, column: int, cell: str) -> str:
        plain = "\N{EN DASH}" if cell == NO_NUMBER else cell
        shown = cell if isinstance(cell, LinkedText) else LinkedText(plain)
        note = f" title='{escape(shown.note)}'" if shown.note else ""
        if column == 0:
            return f"<th scope=row{note}>{shown.to_html()}</th>"
        kind = shown.style or (
            "number" if column >= self.names else "prose" if len(cell) > _PROSE else ""
        )
        return f"<td{kind and ' class='}{kind}{note}>{shown.to_html()}</td>"


def facts_table(facts: Iterable[tuple[str, str]]) -> TextTable:
    """Return the table of some facts, by name."""
    return TextTable(("property", "value"), tuple(facts), names=2)


class _Extent(NamedTuple):
    """The widths of a column on a terminal, in characters."""

    full: int
    least: int

    @classmethod
    def of(cls, heading: str, cells: Sequence[str], *, is_name: bool) -> _Extent:
        """Return the widths of a column."""
        longest = max(map(cell_len, cells), default=0)
        words = max(map(cell_len, heading.split()), default=0)
        least = min(longest, _NAME) if is_name else longest
        return cls(max(cell_len(heading), longest), max(words, least))


def _widths(columns: Sequence[_Extent], room: int) -> list[int]:
    """Return the widths of columns, of which the first grow first, to their full widths."""
    spare = room - sum(column.least + 1 for column in columns) + 1
    widths = []
    for column in columns:
        width = min(column.full, max(1, column.least + max(spare, 0)), room)
        spare -= width - column.least
        widths.append(width)
    return widths


def rounded(value: float | Fraction | None, digits: int = 2) -> str:
    """Return a number rounded to ``digits`` decimals, or exact if it is too large for a float."""
    if value is None:
        return NO_NUMBER
    try:
        return f"{float(value):.{digits}f}"
    except OverflowError:
        return number_text(Fraction(value))


def count_text(value: Number) -> str:
    """Return a count, of which repetitions are parts: ``29`` or ``12.5``."""
    return rounded(Fraction(value)).removesuffix("0").removesuffix(".0")


def p_text(value: float | None, equal: str = "") -> str:
    """Return the p of a test, never as 0: ``<0.0001`` and ``0.0230``, or ``= 0.02`` with a sign."""
    if value is not None and value < _LEAST_P:
        return f"<{' ' * bool(equal)}{_LEAST_P}"
    is_short = equal and value is not None and value >= _SHORT_P
    return f"{equal}{rounded(value, 2 if is_short else 4)}"


def percent_range(bounds: Iterable[float] | None) -> str:
    """Return the bounds of a range of shares as percentages."""
    if bounds is None:
        return NO_NUMBER
    return " to ".join(rounded(100 * bound, 1) for bound in bounds)


def _no_formula(cell: str) -> str:
    """Return a cell that spreadsheets do not evaluate: ``'=1+1`` for ``=1+1``, but -3 for -3."""
    # Spreadsheets may take blanks away, and signs of East Asian width for the usual ones.
    usual = normalize("NFKC", cell).lstrip(" \n\v\f")
    is_formula = usual.startswith(("=", "+", "-", "@", "\t", "\r")) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def latex_text(text: str) -> str:
    """Return text for LaTeX, in which every character stands for itself."""
    return _LIGATURE.sub(r"\1{}", _one_line(text).translate(_LATEX))


def markdown_text(text: str) -> str:
    """Return text for a cell of a Markdown table, in which every character stands for itself."""
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


def markdown_cell(text: str) -> str:
    """Return Markdown that is a cell of a table: what would end the cell or be HTML is escaped."""
    return _one_line(text).replace("|", "\\|").replace("<", "&lt;")


def _one_line(text: str) -> str:
    """Return a text without line breaks, which would end a row, and other control characters."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _SPACES.sub(" ", text))
