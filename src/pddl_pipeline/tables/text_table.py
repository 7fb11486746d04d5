"""Tables of text cells, and their forms: terminal, CSV, HTML, Markdown and LaTeX.

Only this module rounds numbers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.table import Table

from pddl_pipeline.model.number import number_text

NO_NUMBER: Final = "-"
_MARKDOWN_ESCAPES: Final = str.maketrans({"|": r"\|", "<": "&lt;"})
_LATEX_ESCAPES: Final = str.maketrans({
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextTable:
    """Headings, and rows with the same number of cells. rich prints it on a terminal."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int
    """Number of columns, from the left, that contain names; the others contain numbers."""
    marked: tuple[bool, ...] = ()
    """For each row, whether a claim failed; empty if that does not apply."""

    def __rich__(self) -> Table:
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
        for index, heading in enumerate(self.headings):
            # On a narrow terminal, wrap only headings of several words.
            justify: Literal["left", "right"] = "left" if index < self.names else "right"
            table.add_column(heading, justify=justify, no_wrap=" " not in heading)
        for index, row in enumerate(self.rows):
            table.add_row(*row, style="yellow" if self._is_marked(index) else None)
        return table

    def to_csv(self) -> str:
        """Return the table as CSV; cells without a number are empty."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.headings)
        for row in self.rows:
            writer.writerow("" if cell == NO_NUMBER else cell for cell in row)
        return stream.getvalue()

    def to_html(self, *, long: bool = False) -> str:
        """Return the table as HTML. Marked rows are highlighted; with `long`, long cells wrap."""
        body = [
            f"<tr{' class=gap' if self._is_marked(index) else ''}>{self._html('td', row)}</tr>\n"
            for index, row in enumerate(self.rows)
        ]
        return (
            f"<div class='{'long' if long else 'wide'}'><table>"
            f"<thead><tr>{self._html('th', self.headings)}</tr></thead><tbody>\n"
            f"{''.join(body)}</tbody></table></div>"
        )

    def to_markdown(self) -> str:
        """Return the table as GitHub's Markdown; numbers are aligned to the right."""
        rule = ["---"] * self.names + ["--:"] * (len(self.headings) - self.names)
        lines = [
            " | ".join(cell.translate(_MARKDOWN_ESCAPES) for cell in row)
            for row in (self.headings, rule, *self.rows)
        ]
        return "".join(f"| {line} |\n" for line in lines)

    def to_latex(self) -> str:
        """Return the table as a LaTeX ``tabular``; it requires the package booktabs."""
        columns = "l" * self.names + "r" * (len(self.headings) - self.names)
        head, *body = [
            f"{' & '.join(cell.translate(_LATEX_ESCAPES) for cell in row)} \\\\"
            for row in (self.headings, *self.rows)
        ]
        lines = [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *body]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])

    def _is_marked(self, index: int) -> bool:
        return bool(self.marked) and self.marked[index]

    def _html(self, tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{' class=number' if index >= self.names else ''}>{escape(cell)}</{tag}>"
            for index, cell in enumerate(cells)
        )


def rounded(value: float | Fraction | None, digits: int = 2) -> str:
    """Return a number rounded to ``digits`` decimals, or exact if it is too large for a float."""
    if value is None:
        return NO_NUMBER
    try:
        return f"{float(value):.{digits}f}"
    except OverflowError:
        return number_text(Fraction(value))


def percent_range(bounds: Iterable[float] | None) -> str:
    """Return the bounds of a range of shares as percentages."""
    if bounds is None:
        return NO_NUMBER
    return " to ".join(rounded(100 * bound, 1) for bound in bounds)
