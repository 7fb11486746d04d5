"""One line of a CSV file."""

from __future__ import annotations

import csv

from pddl_pipeline.model.errors import RecordError


def csv_values(line: str, file: str, number: int) -> list[str]:
    """Return the values of a line.

    Raises:
        RecordError: the line is not CSV.
    """
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise RecordError(f"not CSV: {error}", file=file, line=number) from None
