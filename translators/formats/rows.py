"""Rows of tables and of JSON: their cells, fields and ids."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from pddl_pipeline.io import tables as table_files
from pddl_pipeline.io.text_lines import stem_of, suffix_of
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Reading
from pddl_pipeline.translators.formats.json_rows import (
    JSON_SUFFIXES,
    is_json,
    json_items,
    parse_json,
)
from pddl_pipeline.translators.formats.pddl import kind_of, own_domain
from pddl_pipeline.translators.records import from_record

_HOLDERS: Final = (
    "reward_model", "ground_truth", "gts", "doc", "extra_info", "metadata", "label", "info",
    "problem", "task", "example", "sample", "row",
)  # fmt: skip
_WHOLE: Final = re.compile(r"([-+]?\d+)(\.0*)?", re.ASCII)
_SHOWN: Final = 40
_OPENING: Final = {"[": "]", "(": ")", "{": "}"}
_NUMBER: Final = "expected a whole number"
_NUMBERS: Final = "expected whole numbers such as 3 4 5 6"


def whole_number_of(field: str, value: Any, expected: str = _NUMBER, where: str = "") -> int:
    """Return the whole number in a cell: a number, or a text such as ``24`` or ``24.0``.

    Args:
        field: name of the field, for messages.
        value: the cell.
        expected: what is expected, for messages.
        where: the list that contains the value, for messages.

    Raises:
        FieldFault: the cell is empty or contains something else.
    """
    number = as_whole(value)
    if number is not None:
        return number
    if is_empty(value) and not where:
        raise FieldFault(field, f"is empty, {expected}", verb=True)
    # Python refuses to convert it, and would say so in other words.
    if len(str(value)) > MAX_DIGITS and _WHOLE.fullmatch(str(value)):
        raise FieldFault(field, f"a number of more than {MAX_DIGITS} digits")
    raise FieldFault(field, f"found {_shown(value)}{where}, {expected}")


def whole_numbers_of(field: str, value: Any) -> list[int]:
    """Return the whole numbers in a cell: a list of numbers, of texts, or one text.

    A text may be ``3 4 5 6``, ``3,4,5,6`` or ``[3, 4, 5, 6]``.

    Raises:
        FieldFault: the cell is empty or contains something else, or the list is mixed.
    """
    if is_empty(value) or value == []:
        raise FieldFault(field, f"is empty, {_NUMBERS}", verb=True)
    parts: Any = _parts(value) if isinstance(value, str) else value
    if not isinstance(parts, list) or len({isinstance(part, str) for part in parts}) > 1:
        raise FieldFault(field, f"found {_shown(value)}, {_NUMBERS}")
    where = f" in {_shown(value)}"
    return [
        whole_number_of(field, part, _NUMBERS, "" if part == value else where) for part in parts
    ]


def _parts(text: str) -> list[str]:
    """Return the words of a list of numbers, without brackets and quotation marks."""
    inner = text.strip()
    if _OPENING.get(inner[:1]) == inner[-1:]:
        inner = inner[1:-1]
    return [part.strip("'\"") for part in re.split(r"\s*[,;\s]\s*", inner.strip())] or [text]


def as_whole(value: Any) -> int | None:
    """Return a number, or a text with one, as a whole number; None for anything else."""
    # Python counts true and false as 1 and 0.
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if not isinstance(value, str) or len(value) > MAX_DIGITS:
        return None
    match = _WHOLE.fullmatch(value.strip())
    return int(match[1]) if match else None


def is_empty(value: Any) -> bool:
    """Return whether a cell has no value: None, NaN in a table, or a blank text."""
    return value is None or (isinstance(value, str) and not value.strip())


def plain(value: Any) -> Any:
    """Return a value of a data frame or of Parquet as JSON has it.

    NaN becomes None, and infinity a text. In objects, fields without a value are left out: Parquet
    gives each object the fields of all.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        items = ((str(name), plain(each)) for name, each in value.items())
        return {name: each for name, each in items if each is not None}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        return plain(value.tolist())
    return None if type(value).__name__ in {"NAType", "NaTType"} else str(value)


def plain_row(row: object) -> Any:
    """Return a row as JSON has it; cells without a value are kept, also in a record."""
    if not isinstance(row, Mapping):
        return plain(row)
    return {
        str(name): plain_row(cell) if name == RECORD else plain(cell) for name, cell in row.items()
    }


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


Value = TypeVar("Value")


def field_of(row: Any, name: str, kind: type[Value]) -> Value:
    """Return a field of a row.

    Raises:
        FieldFault: the row is not an object, or the field is missing or of another type.
    """
    if not isinstance(row, dict):
        raise FieldFault(name, "found no object, expected one with this field")
    if name not in row:
        raise FieldFault(name, "is missing", verb=True)
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
        # The message of msgspec has the path in the record; the user knows the column.
        for ours, theirs in names.items():
            message = message.replace(f"at {ours}[", f"at {theirs}[")
        raise FieldFault(names.get(fault.field, fault.field), message, verb=fault.verb) from None


def id_of(fields: Any, row: DataRow, reading: Reading) -> Any:
    """Return the id in the fields of a row; without one, file name and position from 0.

    A note to the user says that rows have no ids.

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
        raise FieldFault("id", "is empty", verb=True)
    return name


def row_id(path: Path, number: int | str) -> str:
    """Return an id for a row of a dataset without ids: the file's name and a number."""
    return f"{slug(stem_of(path))}-{number}"


def slug(text: str) -> str:
    """Return a text as part of an id, with invalid characters replaced."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "data"


RECORD: Final = "record"
"""The field of a row that may hold a whole record."""


def structure(value: Any) -> Any:
    """Return the list or object in a text of JSON or Python, as tables hold it.

    A blank text is None. Any other value is returned unchanged.
    """
    if not isinstance(value, str) or value.strip()[:1] not in ("", *_OPENING):
        return value
    # pandas writes lists into CSV as Python does, with single quotation marks.
    for parse in (parse_json, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return parse(value.strip() or "null")
    return value


def _pddl_cells(row: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the names of the cells with PDDL, by ``domain`` and ``problem``."""
    found: dict[str, list[str]] = {}
    for name, cell in row.items():
        # PDDL starts with a parenthesis or a comment; only such cells are searched.
        if isinstance(cell, str) and cell.lstrip()[:1] in ("(", ";"):
            found.setdefault(kind_of(cell)[0], []).append(name)
    return found


def is_nested(row: Mapping[str, Any]) -> bool:
    """Return whether cells of a row hold a record, or the PDDL of a problem; see `flat`."""
    return _holder(row) is not None or "problem" in _pddl_cells(row)


def _holder(row: Mapping[str, Any]) -> str | None:
    """Return the column that holds a record, or None.

    In rows without a problem, it may be nested as in data of verl and samples of lm-eval:
    ``{"reward_model": {"ground_truth": {"numbers": [44, 19, 35], "target": 98}}}``.
    """
    own = not {"domain", "numbers", "nums"}.isdisjoint(row) or "problem" in _pddl_cells(row)
    names = (RECORD,) if own else (RECORD, *_HOLDERS)
    return next((name for name in names if isinstance(structure(row.get(name)), dict)), None)


def flat(row: Any) -> dict[str, Any]:
    """Return a row with the fields of the record that is in its cells.

    The cell ``record`` holds a record, or two cells hold the PDDL texts of a domain and a problem;
    the domain may be one of this project's. Any other row is returned unchanged.

    Raises:
        FieldFault: the row is no object, several cells hold a domain or a problem, or the domain is
            missing.
    """
    if not isinstance(row, dict):
        kind = "a list" if isinstance(row, list) else "no object"
        raise FieldFault("", f"found {kind}, expected an object with the fields of a row")
    holder = _holder(row)
    # Again, since ground_truth may hold a text of JSON that holds the record.
    if holder is not None:
        return flat({name: row[name] for name in row if name != holder} | structure(row[holder]))
    found = _pddl_cells(row)
    if "problem" not in found:
        return row
    names = {kind: _only(kind, found.get(kind, [])) for kind in ("domain", "problem")}
    texts = {kind: row[name] for kind, name in names.items() if name}
    own = None if "domain" in texts else own_domain(texts["problem"])
    if own is None and "domain" not in texts:
        raise FieldFault(
            names["problem"], "is a PDDL problem without a field with its domain", verb=True
        )
    others = {name: row[name] for name in row if name not in ("domain", *names.values())}
    return {**others, "pddl": {"domain": own and own[1], **texts}}


def _only(kind: str, names: list[str]) -> str:
    """Return the only field with PDDL of a kind, or the only one that is named so; "" for none."""
    found = [name for name in names if kind in name.lower()] or names
    if len(found) > 1:
        raise FieldFault(found[1], f"is a PDDL {kind}, as '{found[0]}' is; expected one", verb=True)
    return found[0] if found else ""


def item_rows(reading: Reading) -> Iterator[DataRow | InputError]:
    """Yield the rows of data in memory, or of a file of JSON, CSV or Parquet."""
    if reading.given is not None:
        return reading.given
    suffix, path = suffix_of(reading.path), reading.path
    if suffix == table_files.PARQUET:
        return parquet_rows(path)
    is_csv = suffix in table_files.CSV_SUFFIXES or not (suffix in JSON_SUFFIXES or is_json(path))
    return csv_rows(path) if is_csv else json_items(path)


def csv_rows(path: Path) -> Iterator[DataRow | InputError]:
    """Yield the rows of a CSV file; see `table_files.csv_rows`."""
    for position, (line, row) in enumerate(table_files.csv_rows(path), start=1):
        yield (
            row
            if isinstance(row, InputError)
            else DataRow(str(path), line, position, row, unit="row")
        )


def parquet_rows(path: Path) -> Iterator[DataRow]:
    """Yield the rows of a Parquet file; see `table_files.parquet_rows`."""
    for position, row in enumerate(table_files.parquet_rows(path), start=1):
        yield DataRow(str(path), None, position, plain_row(row), unit="row")
