"""Rows as columns of plain values, which data frames of any library are made of."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pddl_pipeline.model.extras import check_package

if TYPE_CHECKING:
    import pandas as pd

_ROUNDED: Final = ("_float", "_s")
"""The ends of the names of columns of floats, also where all values are missing."""
_COUNTED: Final = ("step", "steps")
"""Likewise, of whole numbers."""


class Rows:
    """What has rows for a data frame. The exact numbers of a column have floats beside them.

    ``polars.DataFrame(rows.columns())`` needs no other package.
    """

    __slots__ = ()

    @abstractmethod
    def _objects(self) -> Iterable[Mapping[str, Any]]:
        """Return the rows as objects of JSON."""

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns by name; missing values are None, objects are left out.

        ``NAME_float`` has the floats of ``NAME``, whose exact values are whole numbers, or texts
        such as ``7/3`` if one of them is not whole.
        """
        return columns_of(self._objects())

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a data frame of pandas, with ``NA`` for missing values.

        Raises:
            EngineError: pandas is not installed.
        """
        return frame_of(self.columns())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as a stream of Arrow; this requires pyarrow."""
        check_package("a table of Arrow", "pyarrow", "parquet")
        table = import_module("pyarrow").table(self.columns())
        return table.__arrow_c_stream__(requested_schema)


def columns_of(
    rows: Iterable[Mapping[str, Any]], names: Iterable[str] = ()
) -> dict[str, list[Any]]:
    """Return the columns of objects, see `Rows.columns`; with no names, all that are no objects."""
    kept = list(rows)
    plain = (
        name
        for row in kept
        for name, value in row.items()
        if not isinstance(value[0] if isinstance(value, list) and value else value, Mapping)
    )
    found = {name: [row.get(name) for row in kept] for name in dict.fromkeys(names or plain)}
    for name, column in found.items():
        if f"{name}_float" in found and any(isinstance(each, str) for each in column):
            # A column of Arrow or Polars has one type: with 7/3 in it, 2 is a text, too.
            found[name] = [None if each is None else str(each) for each in column]
    return found


def frame_of(columns: Mapping[str, list[Any]]) -> pd.DataFrame:
    """Return columns as a data frame of pandas; see `Rows.to_frame`."""
    check_package("a data frame of pandas", "pandas", "pandas")
    frame = import_module("pandas").DataFrame(columns).convert_dtypes()
    types = {
        name: "Int64" if name.endswith(_COUNTED) or f"{name}_float" in frame else "string"
        for name in frame
        if frame[name].isna().all()
    }
    types.update((name, "Float64") for name in frame if name.endswith(_ROUNDED))
    typed: pd.DataFrame = frame.astype(types)
    return typed
