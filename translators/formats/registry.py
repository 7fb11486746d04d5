"""Finds formats by name, and detects the format of a dataset."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.tables import CSV_SUFFIXES, PARQUET, csv_columns, csv_header, parquet_columns
from pddl_pipeline.io.text_lines import suffix_of
from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.suggestion import item_named
from pddl_pipeline.translators.formats.format import DataRow, Format, Head
from pddl_pipeline.translators.formats.json_rows import JSON_SUFFIXES, has_list, is_json, json_items
from pddl_pipeline.translators.formats.rows import csv_rows, parquet_rows
from pddl_pipeline.translators.formats.table import TABLE, has_problem

OWN: Final = "records"
"""The name of the project's own format."""


@cache
def formats() -> dict[str, Format]:
    """Return all formats by name."""
    return registry("pddl_pipeline.translators.formats", "pddl_pipeline.formats")


def format_named(name: str) -> Format:
    """Return the format with a name.

    Raises:
        InputError: the name is unknown.
    """
    return item_named(formats(), name, "unknown format")


def guess_format(path: Path, *, own_columns: bool = False) -> Format:
    """Return the detected format of a dataset.

    If no format matches, it is this project's own records, whose reader reports what is wrong.

    Args:
        path: the dataset.
        own_columns: whether the user named columns or the domain, so that the dataset is a table or
            in no published format.

    Raises:
        InputError: the dataset cannot be read.
    """
    head = _head(path)
    if own_columns and (head.columns or isinstance(head.item, dict)):
        return formats()[TABLE]
    return _claimed(head) or formats()[OWN]


def row_format(row: object) -> Format | None:
    """Return the format of a row in memory, or None if it holds no problem of a known format."""
    form = _claimed(Head(Path(os.devnull), item=row))
    if form is None or form.name not in (OWN, TABLE):
        return form
    # A table also reads records, and needs no ids.
    return formats()[TABLE] if isinstance(row, dict) and has_problem(row) else None


def _claimed(head: Head) -> Format | None:
    return next((form for form in formats().values() if form.claims(head)), None)


def _head(path: Path) -> Head:
    suffix = suffix_of(path)
    if path.is_dir() or suffix == ".pddl":
        return Head(path, suffix)
    if suffix in CSV_SUFFIXES:
        return Head(path, suffix, _first(csv_rows, path), columns=csv_header(path))
    if suffix == PARQUET:
        return Head(path, suffix, _first(parquet_rows, path), columns=parquet_columns(path))
    if suffix not in JSON_SUFFIXES and not is_json(path):
        return Head(path, suffix, _first(csv_rows, path), columns=csv_columns(path))
    return Head(path, suffix, _first(json_items, path), has_list(path))


def _first(rows: Callable[[Path], Iterator[DataRow | InputError]], path: Path) -> Any:
    """Return the first row, or None; errors are reported when the rows are read."""
    try:
        row = next(rows(path), None)
    except RecordError:
        return None
    return row.value if isinstance(row, DataRow) else None
