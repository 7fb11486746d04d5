"""Tables of a user's own: countdown with any names of columns, or records without a domain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from shlex import quote
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.tables import CSV_SUFFIXES, PARQUET
from pddl_pipeline.io.text_lines import json_fault, suffix_of
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import did_you_mean, hint
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.json_rows import (
    JSON_SUFFIXES,
    is_json,
    json_items,
    parse_json,
)
from pddl_pipeline.translators.formats.rows import (
    as_whole,
    csv_rows,
    from_row,
    id_of,
    is_empty,
    parquet_rows,
    whole_number_of,
    whole_numbers_of,
)
from pddl_pipeline.translators.records import OPTIONAL, domain_of_fields, fields_of

COUNTDOWN: Final = "countdown"
_NAMES: Final = {
    "numbers": ("numbers", "nums", "number", "num", "input", "inputs", "operands", "cards",
                "puzzle", "puzzles"),
    "target": ("target", "goal"),
    "id": ("id",),
}  # fmt: skip
"""The names by which the fields of countdown are recognised, in order of preference."""
_ANSWER: Final = "answer"
"""Taken for the target if it is a number and there is no other column for it."""


class Columns(NamedTuple):
    """The columns of a table."""

    domain: str | None
    """The domain of the rows; None if each row names its own."""
    fields: Mapping[str, str]
    """The names of columns by the fields of the record that they contain, where these differ."""
    guessed: Mapping[str, str]
    """Those of `fields` that the user did not name."""
    names: frozenset[str]
    """All columns, if they are the same in every row; else empty."""


def looks_like_countdown(names: Iterable[str]) -> bool:
    """Return whether a table has a column that may contain the numbers or the target."""
    lower = {name.lower() for name in names}
    return any(lower.intersection(_NAMES[field]) for field in ("numbers", "target"))


def choose_columns(
    row: Mapping[str, Any], reading: Reading, *, in_all_rows: bool = False
) -> Columns:
    """Return the columns of a table.

    Args:
        row: the first row.
        reading: names the columns and the domain that the user gave.
        in_all_rows: whether the table has a header, so that every row has these columns.

    Raises:
        FieldFault: a column that the user named is missing, or no column is recognised as the
            numbers or the target.
        InputError: the domain is unknown, or does not have a field that the user named.
    """
    for column in reading.columns.values():
        if column not in row:
            raise FieldFault(column, f"is missing, found {_shown(row)}{did_you_mean(column, row)}")
    fields = dict(reading.columns)
    domain = None if "domain" in row else reading.domain_name or COUNTDOWN
    known = ["id", *fields_of(domain), *OPTIONAL] if domain else list(fields)
    for field in fields:
        if field not in known:
            raise InputError(f"--column: {domain} has no field '{field}'{hint(field, known)}")
    if domain == COUNTDOWN:
        for field in _NAMES:
            found = fields.get(field) or _column_for(field, row)
            if found is not None:
                fields[field] = found
            elif field != "id":
                raise _missing(field, row)
    fields = {field: column for field, column in fields.items() if field != column}
    guessed = {f: column for f, column in fields.items() if f not in reading.columns}
    return Columns(domain, fields, guessed, frozenset(row if in_all_rows else ()))


def _column_for(field: str, row: Mapping[str, Any]) -> str | None:
    by_name: dict[str, str] = {}
    for column in row:
        by_name.setdefault(column.strip().lower(), column)
    for name in _NAMES[field]:
        if name in row or name in by_name:
            return name if name in row else by_name[name]
    answer = by_name.get(_ANSWER)
    if field == "target" and answer is not None and as_whole(row[answer]) is not None:
        return answer
    return None


def _missing(field: str, row: Mapping[str, Any]) -> FieldFault:
    domain = domain_of_fields(row)
    if domain not in (None, COUNTDOWN):
        return FieldFault("domain", f"is missing; --domain-name {domain} names it")
    advice = _similar(field, row) or f"; name it with --column {field}=NAME"
    return FieldFault(field, f"is missing, found {_shown(row)}{advice}")


def _similar(field: str, row: Mapping[str, Any]) -> str:
    """Return a question whether a column is the field's, by its name and value, or ""."""
    for name, value in row.items():
        if did_you_mean(name, _NAMES[field]) and not any(map(str.isalpha, str(value))):
            return f"; did you mean --column {quote(f'{field}={name}')}?"
    return ""


def _shown(row: Mapping[str, Any]) -> str:
    return ", ".join(row)[:80] or "no column"


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
