"""Tables of a user's own: countdown with any names of columns, or records without a domain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pddl_pipeline.io.csv_file import CSV_SUFFIXES
from pddl_pipeline.io.json_fault import json_fault
from pddl_pipeline.io.parquet_file import PARQUET
from pddl_pipeline.io.text_lines import suffix_of
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.cells import is_empty, whole_number_of, whole_numbers_of
from pddl_pipeline.translators.formats.columns import (
    COUNTDOWN,
    Columns,
    choose_columns,
    looks_like_countdown,
)
from pddl_pipeline.translators.formats.file_rows import csv_rows, parquet_rows
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.json_rows import JSON_SUFFIXES, is_json, json_items
from pddl_pipeline.translators.formats.json_stream import parse_json
from pddl_pipeline.translators.formats.row_fields import from_row, id_of
from pddl_pipeline.translators.records import OPTIONAL, fields_of

TABLE: Final = "table"
_WHOLE: Final = ("seed", "size")
_JSON: Final = ("rules", "witness")


def _claims(head: Head) -> bool:
    if head.suffix in (*CSV_SUFFIXES, PARQUET):
        return True
    return looks_like_countdown(head.item if isinstance(head.item, dict) else head.columns)


def table_rows(reading: Reading) -> Iterator[DataRow | InputError]:
    """Yield the rows of a file, each with the columns of the table."""
    suffix = suffix_of(reading.path)
    if suffix == PARQUET:
        return with_columns(parquet_rows(reading.path), reading, has_header=True)
    if suffix in JSON_SUFFIXES or (suffix not in CSV_SUFFIXES and is_json(reading.path)):
        return with_columns(json_items(reading.path), reading)
    return with_columns(csv_rows(reading.path), reading, has_header=True, texts=True)


def with_columns(
    rows: Iterable[DataRow | InputError],
    reading: Reading,
    *,
    has_header: bool = False,
    texts: bool = False,
) -> Iterator[DataRow | InputError]:
    """Yield rows with the columns of their table, which the first row decides.

    Args:
        rows: the rows; the value of each is an object.
        reading: the dataset.
        has_header: whether every row has the same columns.
        texts: whether all cells are texts, so that numbers and lists are texts, too.

    Raises:
        RecordError: a table with a header lacks a column.
    """
    columns: Columns | None = None
    for row in rows:
        if isinstance(row, InputError) or isinstance(row.value, Instance):
            yield row
            continue
        try:
            _check_is_object(row.value)
            if columns is None:
                columns = choose_columns(row.value, reading, in_all_rows=has_header)
                _report(columns, row.value, reading)
        except FieldFault as fault:
            message = str(fault) if fault.field else fault.message
            if has_header:
                raise RecordError(message, file=row.file, line=1 if row.line else None) from None
            where = "" if row.line else f"{row.unit} {row.position}: "
            yield RecordError(f"{where}{message}", file=row.file, line=row.line)
        else:
            yield row._replace(value=(row.value, columns, texts))


def _check_is_object(value: Any) -> None:
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else "no object"
        raise FieldFault("", f"found {kind}, expected an object with the fields of a row")


def _report(columns: Columns, row: Mapping[str, Any], reading: Reading) -> None:
    said = [f"column '{column}' is read as {field}" for field, column in columns.guessed.items()]
    used = set(columns.fields.values())
    said += [f"column '{name}' is left out" for name in columns.fields if name in {*row} - used]
    if said:
        reading.note(", ".join(said))


def table_instance(row: DataRow, reading: Reading, source: Mapping[str, Any]) -> Instance[Any]:
    """Return the instance of a row; ``source`` contains further fields of its record.

    Raises:
        FieldFault: a cell is empty, missing or invalid.
    """
    cells, columns, texts = row.value
    if columns.fields:
        field_of = {column: field for field, column in columns.fields.items()}
        # A column whose name is taken by another column is left out.
        record = {
            field_of.get(name, name): cell
            for name, cell in cells.items()
            if name in field_of or name not in columns.fields
        }
    else:
        record = dict(cells)
    record.update(source)
    domain = record.setdefault("domain", columns.domain)
    if domain is None:
        raise FieldFault("domain", "is missing")
    if reading.domain_name is not None and reading.domain_name != domain:
        raise FieldFault("domain", f"found {domain!r}, --domain-name is '{reading.domain_name}'")
    column = columns.fields.get("id", "id")
    is_given = column in columns.names or record.get("id") is not None
    if is_given and is_empty(record.get("id")):
        raise FieldFault(column, "is empty")
    record["id"] = id_of(record, row, reading)
    if domain == COUNTDOWN:
        for field, read in (("numbers", whole_numbers_of), ("target", whole_number_of)):
            if field in record:
                record[field] = read(columns.fields.get(field, field), record[field])
    elif texts and isinstance(domain, str):
        _read_own_texts(record, domain, columns.fields)
    _read_optional(record, columns.fields, texts=texts)
    return from_row(record, {}, names=columns.fields)


def _read_own_texts(record: dict[str, Any], domain: str, columns: Mapping[str, str]) -> None:
    """Replace the texts of a domain's fields by the JSON that they contain; empty is null."""
    for field in fields_of(domain):
        if field not in record:  # reported as in JSON
            continue
        text = record[field].strip()
        try:
            record[field] = _json_of(columns.get(field, field), text) if text else None
        except FieldFault:
            if text.startswith(("[", "{")):
                raise
            # A name, such as that of a block.
            record[field] = text


def _json_of(column: str, text: str) -> Any:
    """Return the JSON value in a cell.

    Raises:
        FieldFault: the text is not JSON, or `parse_json` rejects it.
    """
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise FieldFault(column, json_fault(error, "the end of the cell")) from None
    except ValueError as error:
        raise FieldFault(column, str(error)) from None


def _read_optional(record: dict[str, Any], columns: Mapping[str, str], *, texts: bool) -> None:
    """Read the optional fields of a record from their cells; leave out those that are empty."""
    for field in OPTIONAL:
        if field not in record:
            continue
        if is_empty(record[field]):
            del record[field]
        elif texts and field in _WHOLE:
            record[field] = whole_number_of(columns.get(field, field), record[field])
        elif texts and field in _JSON:
            record[field] = _json_of(columns.get(field, field), record[field])


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    return table_instance(row, reading, {})


FORMATS: Final = (
    Format(
        TABLE,
        "table of countdown, or of the domain of --domain-name: CSV, TSV, JSON, Parquet",
        _claims,
        table_rows,
        _instance,
        options=frozenset({"columns", "domain_name"}),
    ),
)
