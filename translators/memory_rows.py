"""Data in memory as rows: records, instances and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.formats.cells import plain
from pddl_pipeline.translators.formats.format import DataRow

_NAME: Final = "data"


def memory_rows(data: Instance[Any] | Mapping[str, Any] | Iterable[Any]) -> Iterator[DataRow]:
    """Yield the rows of a record, of an iterable of records or instances, or of a data frame.

    A data frame is anything with ``columns`` and ``itertuples``, such as that of pandas.

    Raises:
        InputError: an element is neither a record nor an instance, or two columns have the same
            name.
    """
    if isinstance(data, Mapping | Instance):
        data = [data]
    elif is_frame(data):
        data = _frame_rows(data)
    for position, value in enumerate(data, start=1):
        if isinstance(value, Mapping):
            row = {str(name): plain(cell) for name, cell in value.items()}
            yield DataRow(_NAME, None, position, row, unit="row")
        elif isinstance(value, Instance):
            yield DataRow(_NAME, None, position, value, unit="row")
        else:
            found = type(value).__name__
            message = f"row {position}: found {found}, expected a record, a dict or an instance"
            raise InputError(message, file=_NAME)


def check_kind(data: object) -> None:
    """Check that data are of a known kind.

    Raises:
        TypeError: they are neither an instance nor a name of a file, nor can they be iterated over.
    """
    if not isinstance(data, str | Path | Instance | Iterable) and not is_frame(data):
        found = type(data).__name__
        raise TypeError(f"data: found {found}, expected instances, records, a data frame or a file")


def is_frame(data: object) -> bool:
    """Return whether data are a frame: they have ``columns`` and ``itertuples``."""
    return hasattr(data, "columns") and hasattr(data, "itertuples")


def plain_rows(frame: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a data frame with cells as JSON has them.

    Raises:
        InputError: two columns have the same name.
    """
    for row in _frame_rows(frame):
        yield {name: plain(cell) for name, cell in row.items()}


def _frame_rows(frame: Any) -> Iterator[dict[str, Any]]:
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"column '{name}' occurs twice", file=_NAME)
    for cells in frame.itertuples(index=False, name=None):
        yield dict(zip(names, cells, strict=True))
