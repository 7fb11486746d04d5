"""Read CSV and Parquet files: rows by the names of their columns. Parquet needs an extra."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Self

from pddl_pipeline.io.text_file import text_of_line
from pddl_pipeline.io.text_lines import open_binary, suffix_of
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.extras import check_package
from pddl_pipeline.model.text import counted

_TABS: Final = ".tsv"
CSV_SUFFIXES: Final = (".csv", _TABS)
_DELIMITERS: Final = (",", ";", "\t", "|")


class CsvRules(NamedTuple):
    """What is accepted in a CSV file."""

    errors: Literal["strict", "replace"] = "strict"
    """Whether a byte that is not UTF-8 is an error or becomes U+FFFD."""
    longest_cell: int = 1 << 17
    """In characters. An open quotation mark makes one cell of the rest of a file."""


STRICT: Final = CsvRules()


class _Lines(Iterator[str]):
    """The lines of a file; a line that is not text raises an error, and reading can go on."""

    def __init__(self, file: Iterable[bytes], name: str, errors: str) -> None:
        # A carriage return ends a line, too.
        self._lines = chain.from_iterable(raw.splitlines(keepends=True) for raw in file)
        self._errors = errors
        self.name = name
        self.number = 0
        """1-based number of the last line."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        raw = next(self._lines)
        self.number += 1
        return text_of_line(raw, self.name, self.number, self._errors)


def csv_rows(
    path: Path, rules: CsvRules = STRICT
) -> Iterator[tuple[int, dict[str, str] | RecordError]]:
    """Yield the first line and the cells of each row, or an error if it does not fit the header.

    The delimiter is the tab if the name ends in ``.tsv`` and the header has a tab; else the one of
    comma, semicolon, tab and bar that the header has most often. Blank rows are left out, and so
    are columns without a name: a data frame writes its index so.

    Raises:
        InputError: the file cannot be read, or the header has a name twice.
    """
    with open_binary(path) as file:
        lines = _Lines(file, str(path), rules.errors)
        header, delimiter = _start(lines, path)
        expected = f"expected {len(header)}: {', '.join(header)[:80]}"
        for start, cells in _records(lines, delimiter, rules.longest_cell):
            if isinstance(cells, RecordError):
                yield start, cells
            elif len(cells) != len(header):
                message = f"found {counted(len(cells), 'column')}, {expected}"
                yield start, RecordError(message, file=str(path), line=start)
            else:
                named = zip(header, cells, strict=True)
                yield start, {name: cell for name, cell in named if name}


def csv_columns(path: Path, rules: CsvRules = STRICT) -> tuple[str, ...]:
    """Return the names in the header of a file that may be CSV, or none."""
    try:
        return csv_header(path, rules)
    except RecordError:
        return ()


def csv_header(path: Path, rules: CsvRules = STRICT) -> tuple[str, ...]:
    """Return the names in the header; see `csv_rows`.

    Raises:
        InputError: the file cannot be read, or the header has a name twice.
    """
    with open_binary(path) as file:
        return tuple(_start(_Lines(file, str(path), rules.errors), path)[0])


def _start(lines: _Lines, path: Path) -> tuple[list[str], str]:
    """Read the header; return its names and the delimiter."""
    first = next((line for line in lines if line.strip()), "")
    place = lines.number
    has_tabs = suffix_of(path) == _TABS and "\t" in first
    delimiter = "\t" if has_tabs else max(_DELIMITERS, key=first.count)  # the first of equals
    try:
        # A name in quotation marks may have several lines.
        names = next(csv.reader(chain([first], lines), delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        message = f"the header is not CSV: {error}"
        raise RecordError(message, file=str(path), line=place) from None
    header = [name.strip() for name in names]
    for name in header:
        if name and header.count(name) > 1:
            message = f"column '{name}' occurs twice"
            raise RecordError(message, file=str(path), line=place)
    return header, delimiter


def _records(
    lines: _Lines, delimiter: str, longest_cell: int
) -> Iterator[tuple[int, list[str] | RecordError]]:
    """Yield the first line and the cells of each record that is not blank."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = lines.number + 1
        # It is a limit of the process, which another reader may have set meanwhile.
        csv.field_size_limit(longest_cell)
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield start, RecordError(f"not CSV: {error}", file=lines.name, line=start)
        except RecordError as error:
            yield start, error
        else:
            if cells is None:
                return
            if len(cells) > 1 or any(cell.strip() for cell in cells):
                yield start, cells


if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

PARQUET: Final = ".parquet"
"""The suffix of Parquet files."""
_BATCH: Final = 1024


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file.

    Raises:
        EngineError: pyarrow is not installed.
        InputError: the file cannot be read, or two columns have the same name.
    """
    with _opened(path) as file:
        _check_names(file, path)
        for batch in file.iter_batches(batch_size=_BATCH):
            yield from batch.to_pylist()


def parquet_columns(path: Path) -> tuple[str, ...]:
    """Return the names of the columns.

    Raises:
        EngineError, InputError: as `parquet_rows`.
    """
    with _opened(path) as file:
        return _check_names(file, path)


def _check_names(file: ParquetFile, path: Path) -> tuple[str, ...]:
    names = tuple(file.schema_arrow.names)
    for column in names:
        if names.count(column) > 1:
            raise InputError(f"column '{column}' occurs twice", file=str(path))
    return names


@contextmanager
def _opened(path: Path) -> Iterator[ParquetFile]:
    check_package("reading Parquet", "pyarrow", "parquet")
    from pyarrow import ArrowException, parquet  # an extra

    try:
        with parquet.ParquetFile(str(path)) as file:
            yield file
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        # Values that are not int64, such as dates, raise different errors.
        reason = (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"not readable as Parquet: {reason}", file=str(path)) from error
