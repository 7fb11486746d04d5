"""Rows of tables of answers: CSV, TSV and Parquet. A row is an object with a field per column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.text_lines import open_binary
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.scoring.answer_fields import IDS

_HEAD: Final = 1 << 16
_JSON: Final = (".json", ".jsonl", ".ndjson")
_SEPARATORS: Final = {".csv": ",;\t", ".tsv": "\t"}
_PARQUET: Final = ".parquet"
_NUMBERS: Final = ("attempt", "expanded")
"""The columns whose cells are whole numbers."""
_LONGEST_CELL: Final = 1 << 30


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
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix == _PARQUET:
        return _parquet(path)
    if suffix in _JSON:
        return None
    with open_binary(path) as file:
        first = file.read(_HEAD).decode("utf-8-sig", errors="replace").lstrip().partition("\n")[0]
    separator = max(_SEPARATORS.get(suffix, ",;\t"), key=first.count)
    if suffix in _SEPARATORS:
        return _cells(path, separator)
    columns = {column.strip('\r" ') for column in first.split(separator)}
    is_table = len(columns) > 1 and not first.startswith(("{", "[")) and columns & {*IDS}
    return _cells(path, separator) if is_table else None


def _cells(path: Path, separator: str) -> Iterator[TableRow]:
    """Yield the rows of CSV. Bytes that are not UTF-8 become U+FFFD, as in `answer_rows`."""
    csv.field_size_limit(_LONGEST_CELL)
    with open_binary(path) as file:
        text = io.TextIOWrapper(file, "utf-8-sig", errors="replace", newline="")
        reader = csv.reader(text, delimiter=separator, strict=True)
        columns: list[str] | None = None
        while True:
            place = f"{path}:{reader.line_num + 1}"
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield TableRow(place, fault=f"not CSV: {error}")
                continue
            if not cells:
                continue
            if columns is None:
                columns = _columns(cells, path)
            elif len(cells) != len(columns):
                expected = f"expected {len(columns)}: {', '.join(columns)[:80]}"
                yield TableRow(place, fault=f"found {len(cells)} columns, {expected}")
            else:
                yield TableRow(place, dict(map(_cell, columns, cells)))


def _columns(cells: list[str], path: Path) -> list[str]:
    columns = [cell.strip() for cell in cells]
    for column in columns:
        if columns.count(column) > 1:
            raise InputError(f"column '{column}' occurs twice", file=str(path), line=1)
    return columns


def _cell(column: str, text: str) -> tuple[str, Any]:
    """Return a column and its value; an empty cell is null."""
    if column in _NUMBERS and text.isascii() and text.isdigit():
        return column, int(text)
    return column, text or None


def _parquet(path: Path) -> Iterator[TableRow]:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 -- an extra
    except ImportError as error:
        command = install_command("parquet")
        raise EngineError(f"{path}: reading Parquet requires pyarrow; fix: {command}") from error
    number = 0
    try:
        with parquet.ParquetFile(str(path)) as file:
            for batch in file.iter_batches(batch_size=1024):
                for value in batch.to_pylist():
                    number += 1
                    yield TableRow(f"{path}: row {number}", value)
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        reason = (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"not readable as Parquet: {reason}", file=str(path)) from error
