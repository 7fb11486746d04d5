"""Tables of text cells. Only this module rounds numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pddl_pipeline.model.number import number_text

NO_NUMBER: Final = "-"


@dataclass(frozen=True, slots=True)
class TextTable:
    """Headings, and rows with the same number of cells."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int
    """Number of columns, from the left, that contain names; the others contain numbers."""
    marked: tuple[bool, ...] = ()
    """For each row, whether a claim failed; empty if that does not apply."""


def table_csv(table: TextTable) -> str:
    """Return a table as CSV; cells without a number are empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.headings)
    for row in table.rows:
        writer.writerow("" if cell == NO_NUMBER else cell for cell in row)
    return stream.getvalue()


def rounded(value: float | Fraction | None, digits: int = 2) -> str:
    """Return a number rounded to ``digits`` decimals, or exact if it is too large for a float."""
    if value is None:
        return NO_NUMBER
    try:
        return f"{float(value):.{digits}f}"
    except OverflowError:
        return number_text(Fraction(value))


def percent_range(bounds: Iterable[float]) -> str:
    """Return the bounds of a range of shares as percentages."""
    return " to ".join(rounded(100 * bound, 1) for bound in bounds)
