"""Rows of a file of answers: lines of JSON, the elements of a list, or the rows of a table.

A row that cannot be read does not stop the reading of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.tables import CSV_SUFFIXES, PARQUET, CsvRules, csv_columns, csv_rows
from pddl_pipeline.io.text_lines import suffix_of, text_lines
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.scoring.answer import IDS
from pddl_pipeline.translators.formats.json_rows import (
    JSON_SUFFIXES,
    has_list,
    head_of,
    is_json,
    json_list,
    value_of_line,
)
from pddl_pipeline.translators.formats.rows import parquet_rows

_OTHER_LIST: Final = re.compile(rb"\[\s*[^\s{]")
_RULES: Final = CsvRules(errors="replace", longest_cell=1 << 30)
"""A model's output may be long, and end within a character."""


class AnswerRow(NamedTuple):
    """A row, or the reason why it cannot be read."""

    place: str
    """The file, and the line or the item of a list."""
    value: Any = None
    fault: str | None = None


def answer_rows(path: Path) -> Iterator[AnswerRow]:
    """Yield the elements of a list, the rows of a table, or the values of lines.

    Bytes that are not UTF-8 become U+FFFD, because a model's output may end within a character. If
    the rest of the file cannot be read, the last row has a fault.
    """
    row = AnswerRow(str(path))
    try:
        for row in table_rows(path) or _json_rows(path):
            yield row
    except InputError as error:
        place = str(path) if error.line is None else f"{path}:{error.line}"
        after = "" if row.place == error.file else f", after {row.place}"
        yield AnswerRow(place, fault=f"{error.message}{after}")


def _json_rows(path: Path) -> Iterator[AnswerRow]:
    # A list of anything other than objects is a bad line.
    if not has_list(path) or _OTHER_LIST.match(head_of(path)):
        return _lines(path)
    rows = json_list(path, "replace")
    return (AnswerRow(f"{path}: item {row.position}", row.value) for row in rows)


def _lines(path: Path) -> Iterator[AnswerRow]:
    for number, line in text_lines(path, "replace"):
        try:
            if isinstance(line, RecordError):
                raise line
            yield AnswerRow(f"{path}:{number}", value_of_line(line, str(path), number))
        except RecordError as error:
            yield _faulty(error)


def _faulty(error: RecordError) -> AnswerRow:
    return AnswerRow(error.place.removesuffix(": "), fault=error.message)


def table_rows(path: Path) -> Iterator[AnswerRow] | None:
    """Return the rows of a table, or None if a file is not a table.

    A row is an object with a field for each column. A name that ends in ``.csv``, ``.tsv`` or
    ``.parquet`` (or these and ``.gz``) decides. A file with another name, and standard input, is a
    table if its first line has a column of ids.

    Raises:
        InputError: the file cannot be read.
    """
    suffix = suffix_of(path)
    if suffix == PARQUET:
        rows = parquet_rows(path)
        return (AnswerRow(f"{path}: row {row.position}", row.value) for row in rows)
    is_table = suffix in CSV_SUFFIXES or (suffix not in JSON_SUFFIXES and _has_header(path))
    return _cells(path) if is_table else None


def _has_header(path: Path) -> bool:
    columns = () if is_json(path) else csv_columns(path, _RULES)
    return len(columns) > 1 and not {*IDS}.isdisjoint(columns)


def _cells(path: Path) -> Iterator[AnswerRow]:
    for line, row in csv_rows(path, _RULES):
        if isinstance(row, RecordError):
            yield _faulty(row)
        else:
            # An empty cell is null.
            yield AnswerRow(f"{path}:{line}", {name: cell or None for name, cell in row.items()})
