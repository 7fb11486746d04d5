"""Rows of a file of answers: lines of JSON, the elements of a list, or the rows of a table.

A row that cannot be read does not stop the reading of the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.tables import CSV_SUFFIXES, PARQUET, CsvRules, csv_columns, csv_rows
from pddl_pipeline.io.text_file import text_of_line
from pddl_pipeline.io.text_lines import json_fault, open_binary, suffix_of
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.scoring.answer import IDS
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.json_rows import (
    JSON_SUFFIXES,
    has_list,
    head_of,
    is_json,
    json_list,
    parse_json,
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


class RawLine(NamedTuple):
    """A line of a file of answers that was not decoded yet, so that any process can do it."""

    place: str
    """The file, and the number of the line."""
    raw: bytes
    is_first: bool

    def row(self) -> AnswerRow | None:
        """Return the row of the line; None if it is blank."""
        text = self.raw.decode("utf-8-sig" if self.is_first else "utf-8", errors="replace")
        if not text.strip():
            return None
        place = self.place
        try:
            return AnswerRow(place, parse_json(text))
        except json.JSONDecodeError as error:
            fault = json_fault(error, "the end of the line")
            found = AnswerRow(f"{place}:{error.colno}", fault=fault)
        except (FieldFault, ValueError) as error:
            found = AnswerRow(place, fault=str(error))
        try:  # JSON has no NUL byte, so that only other lines are searched
            text_of_line(self.raw, place, 1 if self.is_first else 2, "replace")
        except RecordError as error:
            return AnswerRow(f"{place}:{error.column}", fault=error.message)
        return found


def answer_rows(path: Path) -> Iterator[AnswerRow]:
    """Return the elements of a list, the rows of a table, or the values of lines.

    Bytes that are not UTF-8 become U+FFFD, because a model's output may end within a character. If
    the rest of the file cannot be read, the last row has a fault.
    """
    return decoded(raw_rows(path))


def decoded(rows: Iterable[AnswerRow | RawLine]) -> Iterator[AnswerRow]:
    """Yield rows, with the lines decoded that are not blank."""
    for each in rows:
        row = each.row() if isinstance(each, RawLine) else each
        if row is not None:
            yield row


def raw_rows(path: Path) -> Iterator[AnswerRow | RawLine]:
    """Yield the rows as `answer_rows` does, but lines of JSON as they are."""
    row: AnswerRow | RawLine = AnswerRow(str(path))
    try:
        for row in table_rows(path) or _json_rows(path):
            yield row
    except InputError as error:
        place = str(path) if error.line is None else f"{path}:{error.line}"
        after = "" if row.place == error.file else f", after {row.place}"
        yield AnswerRow(place, fault=f"{error.message}{after}")


def _json_rows(path: Path) -> Iterator[AnswerRow | RawLine]:
    # A list of anything other than objects is a bad line.
    if not has_list(path) or _OTHER_LIST.match(head_of(path)):
        return _lines(path)
    rows = json_list(path, "replace")
    return (AnswerRow(f"{path}: item {row.position}", row.value) for row in rows)


def _lines(path: Path) -> Iterator[RawLine]:
    with open_binary(path) as file:
        for number, raw in enumerate(file, start=1):
            if not raw.isspace():
                yield RawLine(f"{path}:{number}", raw, number == 1)


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
            yield AnswerRow(row.place.removesuffix(": "), fault=row.message)
        else:
            # An empty cell is null.
            yield AnswerRow(f"{path}:{line}", {name: cell or None for name, cell in row.items()})
