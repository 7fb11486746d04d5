"""Reads JSON as rows: one value per line, or the elements of one list, one at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.json_fault import json_fault
from pddl_pipeline.io.text_lines import open_binary, text_lines
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Reading
from pddl_pipeline.translators.formats.json_stream import JsonStream, parse_json

JSON_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")
_CHUNK: Final = 1 << 16


def json_lines(path: Path) -> Iterator[DataRow | InputError]:
    """Yield the values of a file with one JSON value per line.

    Raises:
        InputError: the file cannot be read.
    """
    for position, (number, line) in enumerate(text_lines(path), start=1):
        if isinstance(line, InputError):
            yield line
            continue
        try:
            yield DataRow(str(path), number, position, value_of_line(line, str(path), number), line)
        except RecordError as error:
            yield error


def value_of_line(line: str, file: str, number: int) -> Any:
    """Return the JSON value in a line.

    Args:
        line: the line.
        file: name of the file, for messages.
        number: the number of the line, from 1.

    Raises:
        RecordError: the line is not JSON, or `parse_json` rejects it.
    """
    try:
        return parse_json(line)
    except FieldFault as fault:
        message, column = str(fault), column_of(fault.field, line)
    except json.JSONDecodeError as error:
        message, column = json_fault(error, "the end of the line"), error.colno
    except ValueError as error:
        message, column = str(error), None
    raise RecordError(message, file=file, line=number, column=column)


def column_of(field: str, line: str) -> int:
    """Return the 1-based column of a field's name in a line, or 1 if it is not in the line."""
    return max(line.find(json.dumps(field)), 0) + 1


def json_items(path: Path) -> Iterator[DataRow | InputError]:
    """Yield the elements of a list, or the values of a file with one value per line.

    Raises:
        InputError: the file cannot be read, or the list is malformed or truncated.
    """
    if is_json_list(path):
        yield from json_list(path)
    else:
        yield from json_lines(path)


def item_rows(reading: Reading) -> Iterator[DataRow | InputError]:
    """Yield the items of a dataset; see `json_items`."""
    return json_items(reading.path)


def is_json_list(path: Path) -> bool:
    """Return whether a file starts with the bracket of a list.

    Raises:
        InputError: the file cannot be read.
    """
    return _first_sign(path) == b"["


def is_json(path: Path) -> bool:
    """Return whether a file starts with the bracket of a list or an object.

    Raises:
        InputError: the file cannot be read.
    """
    return _first_sign(path) in (b"[", b"{")


def _first_sign(path: Path) -> bytes:
    """Return the first byte of a file that is not blank, or none."""
    with open_binary(path) as file:
        while chunk := file.read(_CHUNK):
            start = chunk.lstrip(b"\xef\xbb\xbf \t\r\n")
            if start:
                return start[:1]
    return b""


def json_list(path: Path) -> Iterator[DataRow]:
    """Yield the elements of the list in a file without loading all of it.

    Raises:
        InputError: the file cannot be read, or the list is malformed or truncated.
    """
    with open_binary(path) as file:
        stream = JsonStream(file, str(path))
        for position, value in enumerate(stream.elements(), start=1):
            yield DataRow(str(path), None, position, value)
        stream.end()
