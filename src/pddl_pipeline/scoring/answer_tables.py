"""Rows of tables of answers: CSV, TSV and Parquet. A row is an object with a field per column."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.tables import (
    CSV_SUFFIXES,
    PARQUET,
    CsvRules,
    csv_header,
    csv_rows,
    parquet_rows,
)
from pddl_pipeline.io.text_lines import suffix_of
from pddl_pipeline.model.errors import RecordError
from pddl_pipeline.scoring.answer_fields import IDS
from pddl_pipeline.translators.formats.json_rows import JSON_SUFFIXES, is_json
from pddl_pipeline.translators.formats.rows import plain

_NUMBERS: Final = ("attempt", "expanded")
"""The columns whose cells are whole numbers."""
_RULES: Final = CsvRules(errors="replace", longest_cell=1 << 30)
"""A model's output may be long, and end within a character."""


class TableRow(NamedTuple):
    """A row of a table, or the reason why it cannot be read."""

    place: str
    value: dict[str, Any] | None = None
    fault: str | None = None


def table_rows(path: Path) -> Iterator[TableRow] | None:
    """Return the rows of a table, or None if a file is not a table.

    A name that ends in ``.csv``, ``.tsv`` or ``.parquet`` (or these and ``.gz``) decides. A file
    with another name, and standard input, is a table if its first line has a column of ids.

    Raises:
        InputError: the file cannot be read.
    """
    suffix = suffix_of(path)
    if suffix == PARQUET:
        return _parquet(path)
    is_table = suffix in CSV_SUFFIXES or (suffix not in JSON_SUFFIXES and _has_header(path))
    return _cells(path) if is_table else None


def _has_header(path: Path) -> bool:
    if is_json(path):
        return False
    try:
        columns = csv_header(path, _RULES)
    except RecordError:
        return False
    return len(columns) > 1 and not {*IDS}.isdisjoint(columns)


def _cells(path: Path) -> Iterator[TableRow]:
    for line, row in csv_rows(path, _RULES):
        place = f"{path}:{line}"
        if isinstance(row, RecordError):
            yield TableRow(row.place.removesuffix(": "), fault=row.message)
        else:
            yield TableRow(place, dict(map(_cell, row, row.values())))


def _cell(column: str, text: str) -> tuple[str, Any]:
    """Return a column and its value; an empty cell is null."""
    if column in _NUMBERS and text.isascii() and text.isdigit():
        return column, int(text)
    return column, text or None


def _parquet(path: Path) -> Iterator[TableRow]:
    for number, row in enumerate(parquet_rows(path), start=1):
        value = {name: plain(cell) for name, cell in row.items()}
        yield TableRow(f"{path}: row {number}", value)
