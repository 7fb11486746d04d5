"""Reads CSV as rows: one object per record, its cells by the names in the header."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from pddl_pipeline.io.text_lines import open_binary
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.translators.formats.format import DataRow
from pddl_pipeline.translators.formats.row_fields import suffix_of

CSV_SUFFIXES: Final = (".csv", ".tsv")
_DELIMITERS: Final = (",", ";", "\t", "|")


class _Lines(Iterator[str]):
    """The lines of a file; a line that is not UTF-8 raises an error, and reading can go on."""

    def __init__(self, file: Iterable[bytes], name: str) -> None:
        self._lines = iter(file)
        self.name = name
        self.number = 0
        """1-based number of the last line."""

    def __next__(self) -> str:
        raw = next(self._lines)
        self.number += 1
        try:
            return raw.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(
                "found a byte that is not UTF-8 text",
                file=self.name, line=self.number, column=error.start + 1,
            ) from None  # fmt: skip


def csv_rows(path: Path) -> Iterator[DataRow | InputError]:
    """Yield the rows of a CSV file, and an error for each row that does not fit the header.

    The delimiter is the comma, or the tab if the name ends in ``.tsv``. If the header does not have
    it, the delimiter is the only one of comma, semicolon, tab and bar that the header has. Columns
    without a name are left out: a data frame writes its index so.

    Raises:
        InputError: the file cannot be read, or the header has a name twice.
    """
    with open_binary(path) as file:
        lines = _Lines(file, str(path))
        header, delimiter = _start(lines, path)
        for position, (start, cells) in enumerate(_records(lines, delimiter), start=1):
            if isinstance(cells, InputError):
                yield cells
            elif len(cells) != len(header):
                message = f"found {len(cells)} columns, expected {len(header)}"
                yield RecordError(message, file=str(path), line=start)
            else:
                value = {key: cell for key, cell in zip(header, cells, strict=True) if key}
                yield DataRow(str(path), start, position, value)


def csv_header(path: Path) -> tuple[str, ...]:
    """Return the names in the header; see `csv_rows`.

    Raises:
        InputError: the file cannot be read, or the header has a name twice.
    """
    with open_binary(path) as file:
        return tuple(_start(_Lines(file, str(path)), path)[0])


def _start(lines: _Lines, path: Path) -> tuple[list[str], str]:
    """Read the header; return its names and the delimiter."""
    first = next((line for line in lines if line.strip()), "")
    usual = "\t" if suffix_of(path) == ".tsv" else ","
    found = [each for each in _DELIMITERS if each in first]
    delimiter = usual if usual in found or len(found) != 1 else found[0]
    try:
        names = next(csv.reader([first], delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        message = f"the header is not CSV: {error}"
        raise RecordError(message, file=str(path), line=lines.number) from None
    header = [name.strip() for name in names]
    for name in header:
        if name and header.count(name) > 1:
            message = f"column '{name}' occurs twice"
            raise RecordError(message, file=str(path), line=lines.number)
    return header, delimiter


def _records(lines: _Lines, delimiter: str) -> Iterator[tuple[int, list[str] | InputError]]:
    """Yield the first line and the cells of each record that is not blank."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = lines.number + 1
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
