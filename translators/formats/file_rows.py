"""Rows of CSV and Parquet files as rows of a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pddl_pipeline.io import csv_file, parquet_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators.formats.cells import plain
from pddl_pipeline.translators.formats.format import DataRow


def csv_rows(path: Path) -> Iterator[DataRow | InputError]:
    """Yield the rows of a CSV file; see `csv_file.csv_rows`."""
    for position, (line, row) in enumerate(csv_file.csv_rows(path), start=1):
        yield row if isinstance(row, InputError) else DataRow(str(path), line, position, row)


def parquet_rows(path: Path) -> Iterator[DataRow]:
    """Yield the rows of a Parquet file; see `parquet_file.parquet_rows`."""
    for position, row in enumerate(parquet_file.parquet_rows(path), start=1):
        value = {name: plain(cell) for name, cell in row.items()}
        yield DataRow(str(path), None, position, value, unit="row")
