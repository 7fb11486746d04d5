"""Reads Parquet as rows, in batches; the extra ``parquet``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.translators.formats.cells import plain
from pddl_pipeline.translators.formats.format import DataRow

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

PARQUET: Final = ".parquet"
"""The suffix of Parquet files."""
_BATCH: Final = 4096


def parquet_rows(path: Path) -> Iterator[DataRow]:
    """Yield the rows of a Parquet file.

    Raises:
        EngineError: pyarrow is not installed.
        InputError: the file cannot be read, or two columns have the same name.
    """
    name, position = str(path), 0
    with _opened(path) as file:
        _check_names(file, name)
        for batch in file.iter_batches(batch_size=_BATCH):
            for value in batch.to_pylist():
                position += 1
                row = {key: plain(each) for key, each in value.items()}
                yield DataRow(name, None, position, row, unit="row")


def parquet_columns(path: Path) -> tuple[str, ...]:
    """Return the names of the columns.

    Raises:
        EngineError, InputError: as `parquet_rows`.
    """
    with _opened(path) as file:
        return _check_names(file, str(path))


def _check_names(file: ParquetFile, name: str) -> tuple[str, ...]:
    names = tuple(file.schema_arrow.names)
    for column in names:
        if names.count(column) > 1:
            raise InputError(f"column '{column}' occurs twice", file=name)
    return names


@contextmanager
def _opened(path: Path) -> Iterator[ParquetFile]:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 -- an extra
    except ImportError as error:
        command = install_command("parquet")
        raise EngineError(f"reading Parquet requires pyarrow: {command}") from error
    try:
        with parquet.ParquetFile(str(path)) as file:
            yield file
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        # Values that are not int64, such as dates, raise different errors.
        reason = (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"not readable as Parquet: {reason}", file=str(path)) from error
