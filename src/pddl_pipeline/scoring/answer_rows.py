"""Rows of a file of answers: lines of JSON, the elements of a list, or the rows of a table.

A row that cannot be read does not stop the reading of the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.text_file import text_of_line
from pddl_pipeline.io.text_lines import json_fault, open_binary
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.scoring.answer_tables import table_rows
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.json_rows import JsonStream, parse_json

_HEAD: Final = 1 << 16
# A list of anything other than objects is a bad line.
_LIST: Final = re.compile(rb"(\xef\xbb\xbf)?\s*\[\s*\{")


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
        found = _row(self.place, text)
        if found.fault is None:  # JSON has no NUL byte, so that only other lines are searched
            return found
        try:
            text_of_line(self.raw, self.place, 1 if self.is_first else 2, "replace")
        except RecordError as error:
            return AnswerRow(f"{self.place}:{error.column}", fault=error.message)
        return found


def answer_rows(path: Path) -> Iterator[AnswerRow]:
    """Yield the elements of a list, the rows of a table, or the values of lines.

    Bytes that are not UTF-8 become U+FFFD, because a model's output may end within a character. If
    the rest of the file cannot be read, the last row has a fault.
    """
    for each in raw_rows(path):
        row = each.row() if isinstance(each, RawLine) else each
        if row is not None:
            yield row


def raw_rows(path: Path) -> Iterator[AnswerRow | RawLine]:
    """Yield the rows as `answer_rows` does, but lines of JSON as they are."""
    row: AnswerRow | RawLine = AnswerRow(str(path))
    try:
        for row in _rows(path):
            yield row
    except InputError as error:
        place = str(path) if error.line is None else f"{path}:{error.line}"
        yield AnswerRow(place, fault=_after(row.place, error))


def _rows(path: Path) -> Iterator[AnswerRow] | Iterator[RawLine]:
    table = table_rows(path)
    if table is not None:
        return starmap(AnswerRow, table)
    return _elements(path) if _is_list(path) else _lines(path)


def open_stream(path: Path, file: Any) -> JsonStream:
    """Return the JSON of a file of answers."""
    return JsonStream(file, str(path), errors="replace")


def _is_list(path: Path) -> bool:
    with open_binary(path) as file:
        return _LIST.match(file.read(_HEAD)) is not None


def _elements(path: Path) -> Iterator[AnswerRow]:
    with open_binary(path) as file:
        stream = open_stream(path, file)
        for number, value in enumerate(stream.elements(), start=1):
            yield AnswerRow(f"{path}: item {number}", value)
        stream.end()


def _lines(path: Path) -> Iterator[RawLine]:
    with open_binary(path) as file:
        for number, raw in enumerate(file, start=1):
            if not raw.isspace():
                yield RawLine(f"{path}:{number}", raw, number == 1)


def _row(place: str, text: str) -> AnswerRow:
    try:
        return AnswerRow(place, parse_json(text))
    except json.JSONDecodeError as error:
        return AnswerRow(f"{place}:{error.colno}", fault=json_fault(error, "the end of the line"))
    except (FieldFault, ValueError) as error:
        return AnswerRow(place, fault=str(error))


def _after(place: str, error: InputError) -> str:
    """Return why reading ended, and after which row if any was read."""
    return error.message if place == error.file else f"{error.message}, after {place}"
