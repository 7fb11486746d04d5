"""Finds formats by name, and detects the format of a dataset."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.text_lines import csv_values, text_lines
from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.translators.formats.format import DataRow, Format, Head
from pddl_pipeline.translators.formats.json_rows import is_json_list, json_items

_JSON: Final = (".json", ".jsonl", ".ndjson")
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
    known = formats()
    if name not in known:
        raise InputError(f"unknown format '{name}'{hint(name, known)}")
    return known[name]


def guess_format(path: Path) -> Format:
    """Return the detected format of a dataset.

    If no format matches, it is this project's own records, whose reader reports what is wrong.

    Raises:
        InputError: the dataset cannot be read, or is a CSV file with unknown columns.
    """
    head = _head(path)
    for form in formats().values():
        if form.claims(head):
            return form
    if head.suffix == ".csv":
        found = ", ".join(head.columns)[:80]
        raise InputError(f"the columns match no known format: found {found}", file=str(path))
    return formats()[OWN]


def _head(path: Path) -> Head:
    name = path.name.lower().removesuffix(".gz")
    suffix = Path(name).suffix
    if path.is_dir() or suffix in (".pddl", ".parquet", ".tar", ".tgz", ".bz2", ".xz"):
        return Head(path, suffix)
    if suffix == ".csv":
        first = next(text_lines(path), None)
        line = first[1] if first else ""
        if isinstance(line, InputError):
            raise line
        columns = csv_values(line, str(path), 1) if line else []
        return Head(path, suffix, columns=tuple(columns))
    if suffix not in _JSON:
        return Head(path, suffix)
    return Head(path, suffix, _first_item(path), is_json_list(path))


def _first_item(path: Path) -> Any:
    """Return the first item of JSON, or None; errors are reported when the rows are read."""
    try:
        row = next(json_items(path), None)
    except RecordError:
        return None
    return row.value if isinstance(row, DataRow) else None
