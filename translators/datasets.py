"""Reads datasets of every format into instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.formats.json_rows import column_of
from pddl_pipeline.translators.formats.registry import format_named, guess_format
from pddl_pipeline.translators.ids import Ids


def raise_it(error: InputError) -> None:
    """Raise an error: the default for invalid rows."""
    raise error


def say_nothing(path: str, form: Format) -> None:
    """Do nothing: the default when a format is detected."""
    del path, form


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How datasets are read."""

    form: str | None = None
    """Name of their format; detected if None."""
    domain: Path | None = None
    """See `Reading.domain`."""
    folders: dict[str, Path] = field(default_factory=dict)
    """See `Reading.folders`."""
    on_bad: Callable[[InputError], None] = raise_it
    """Called for each invalid row. If it returns, the row is skipped."""
    on_guess: Callable[[str, Format], None] = say_nothing
    """Called with the name of a dataset and its detected format."""
    on_ignored: Callable[[str], None] | None = None
    """See `Reading.on_ignored`."""


def load_records(
    *paths: str | Path, source: ReadOptions = ReadOptions()
) -> Iterator[Instance[Any]]:
    """Yield the instances of datasets, in order.

    Args:
        paths: files and folders, each in any of the known `formats`.
        source: how to read them.

    Raises:
        RecordError: a row is not an instance of a known domain, an id occurs twice, or a dataset
            has no valid instance; with file, line and, if known, column.
        InputError: a file cannot be read.
    """
    with closing(Ids()) as ids:
        for path in map(Path, paths):
            yield from _load(path, source, ids)


def _load(path: Path, source: ReadOptions, ids: Ids) -> Iterator[Instance[Any]]:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError("is not a regular file; expected a file or a folder", file=str(path))
    form = guess_format(path) if source.form is None else format_named(source.form)
    if source.form is None:
        source.on_guess(str(path), form)
    reading = Reading(path, source.domain, source.folders, source.on_ignored)
    found = read = False
    for row in form.rows(reading):
        found = True
        try:
            instance = _instance(row, form, reading, ids)
        except InputError as error:
            source.on_bad(error)
        else:
            read = True
            yield instance
    if not read:
        reason = "every record was skipped" if found else "the file contains no record"
        raise RecordError(reason, file=str(path))


def _instance(row: DataRow | InputError, form: Format, reading: Reading, ids: Ids) -> Instance[Any]:
    if isinstance(row, InputError):
        raise row
    try:
        instance = form.instance(row, reading)
        ids.add(instance.id, row.file if row.line is None else f"{row.file}:{row.line}")
    except FieldFault as fault:
        column = column_of(fault.field, row.text) if row.text else None
        message = str(fault) if row.line is not None else f"item {row.position}: {fault}"
        raise RecordError(message, file=row.file, line=row.line, column=column) from None
    return instance
