"""Read Parquet files in batches; the extra ``parquet``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command

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
