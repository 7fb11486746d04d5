"""Tables of text cells. Here, and only here, numbers are rounded."""

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
    """Headings, and rows of as many cells."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int
    """How many of the columns, from the left, hold names; the others hold numbers."""
    marked: tuple[bool, ...] = ()
    """By row: whether a claim failed there; empty where that is not asked."""


def table_csv(table: TextTable) -> str:
    """Return a table as CSV; empty where there is no number."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.headings)
    for row in table.rows:
        writer.writerow("" if cell == NO_NUMBER else cell for cell in row)
    return stream.getvalue()


def rounded(value: float | Fraction | None, digits: int = 2) -> str:
    """Return a number with so many decimals, exact where it is too large for that."""
    if value is None:
        return NO_NUMBER
    try:
        return f"{float(value):.{digits}f}"
    except OverflowError:
        return number_text(Fraction(value))


def percent_range(bounds: Iterable[float]) -> str:
    """Return shares as percentages from one to the other."""
    return " to ".join(rounded(100 * bound, 1) for bound in bounds)
