"""Fields of rows, and ids for their instances."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pddl_pipeline.io.text_lines import stem_of
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.cells import is_empty
from pddl_pipeline.translators.formats.format import DataRow, Reading
from pddl_pipeline.translators.records import from_record

Value = TypeVar("Value")


def field_of(row: Any, name: str, kind: type[Value]) -> Value:
    """Return a field of a row.

    Raises:
        FieldFault: the row is not an object, or the field is missing or of another type.
    """
    if not isinstance(row, dict):
        raise FieldFault(name, "found no object, expected one with this field")
    if name not in row:
        raise FieldFault(name, "is missing")
    value = row[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise FieldFault(name, f"found {type(value).__name__}, expected {kind.__name__}")
    return value


def from_row(
    row: Mapping[str, Any],
    record: Mapping[str, Any],
    known: Collection[str] = (),
    names: Mapping[str, str] = MappingProxyType({}),
) -> Instance[Any]:
    """Return the instance of a row.

    Args:
        row: its fields.
        record: fields of the record, in this project's format, that replace those of the row.
        known: the row's fields that are used; all others are kept.
        names: the row's names of fields of the record, used in faults.

    Raises:
        FieldFault: the record is invalid.
    """
    others = {name: value for name, value in row.items() if name not in known}
    try:
        return from_record({**others, **record})
    except FieldFault as fault:
        message = fault.message
        for ours, theirs in names.items():
            message = message.replace(f"at {ours}[", f"at {theirs}[")
        raise FieldFault(names.get(fault.field, fault.field), message) from None


def id_of(fields: Any, row: DataRow, reading: Reading) -> Any:
    """Return the id in the fields of a row; without one, file name and position from 0.

    The user is told that rows have no ids.

    Raises:
        FieldFault: the id is blank.
    """
    own = own_id(fields)
    if own is not None:
        return own
    name = row_id(reading.path, row.position - 1)
    reading.unnamed(name)
    return name


def own_id(fields: Any) -> Any:
    """Return the id in the fields of a row, or None if it is missing or null.

    Raises:
        FieldFault: the id is blank.
    """
    name = fields.get("id") if isinstance(fields, dict) else None
    if name is not None and is_empty(name):
        raise FieldFault("id", "is empty")
    return name


def row_id(path: Path, number: int | str) -> str:
    """Return an id for a row of a dataset without ids: the file's name and a number."""
    return f"{slug(stem_of(path))}-{number}"


def slug(text: str) -> str:
    """Return a text as part of an id, with invalid characters replaced."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "data"
