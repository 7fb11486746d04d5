"""Tables of a user's own: countdown with any names of columns, or records without a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.tables import CSV_SUFFIXES, PARQUET
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import check_name, did_you_mean
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.rows import (
    as_whole,
    flat,
    from_row,
    id_of,
    is_empty,
    is_nested,
    item_rows,
    structure,
    whole_number_of,
    whole_numbers_of,
)
from pddl_pipeline.translators.records import OPTIONAL, fields_of, not_pddl, whole_fields

COUNTDOWN: Final = "countdown"
_NAMES: Final = {
    "numbers": ("numbers", "nums", "number", "num", "input", "inputs", "operands", "cards",
                "puzzle", "puzzles"),
    "target": ("target", "goal"),
    "id": ("id",),
}  # fmt: skip
"""The names by which the fields of countdown are recognised, in order of preference."""
_USUAL: Final = 10**9
_ANSWER: Final = "answer"
"""Taken for the target if it is a number and there is no other column for it."""


class Columns(NamedTuple):
    """The columns of a table."""

    domain: str | None
    """The domain of the rows; None if each row names its own."""
    fields: Mapping[str, str]
    """The names of columns by the fields of the record that they contain, where these differ."""


def has_problem(row: Mapping[str, Any]) -> bool:
    """Return whether a row has a problem: a record, PDDL, or numbers and a target."""
    found = (_column_for(field, row) for field in ("numbers", "target"))
    return "domain" in row or is_nested(row) or all(found)


def usual_instance(row: Mapping[str, Any]) -> Instance[Countdown] | None:
    """Return the instance of a row with nothing but numbers, a target, and perhaps an answer.

    It is the instance that `load_records` returns. None for all other rows, which are read there.
    """
    numbers = row["nums"] if "nums" in row else row.get("numbers")
    answer = row.get(_ANSWER, "")
    is_usual = (
        len(row) == 2 + (_ANSWER in row)
        and type(numbers) is list
        and all(type(each) is int and 0 <= each < _USUAL for each in (*numbers, row.get("target")))
        and type(answer) is str
        and "define" not in answer.lower()  # PDDL
    )
    if not is_usual or not numbers:
        return None
    return Instance("data-0", COUNTDOWN, len(numbers), Countdown((*numbers,), row["target"]))


def choose_columns(row: Mapping[str, Any], reading: Reading) -> Columns:
    """Return the columns of a table.

    Args:
        row: the first row.
        reading: names the columns and the domain that the user gave.

    Raises:
        FieldFault: a column that the user named is missing, or no column is recognised as the
            numbers or the target.
        InputError: the domain is unknown, or does not have a field that the user named.
    """
    for column in reading.columns.values():
        if column not in row:
            raise FieldFault(
                column, f"is missing, found {_shown(row)}{did_you_mean(column, row)}", verb=True
            )
    fields = dict(reading.columns)
    own = row.get("domain", "pddl" in row)
    domain = None if own else reading.domain_name or COUNTDOWN
    known = ["id", *fields_of(domain), *OPTIONAL] if domain else list(fields)
    for field in fields:
        check_name(field, known, f"--column: {domain} has no field")
    if COUNTDOWN in (domain, own):
        for field in _NAMES:
            found = fields.get(field) or _column_for(field, row)
            if found is not None:
                fields[field] = found
            elif field != "id" and domain:
                advice = (
                    f"name it with --column {field}=NAME, or the domain with --domain"
                    if reading.given is None
                    else "a record of another domain has the field 'domain'"
                )
                missing = f"is missing, found {_shown(row)}; {advice}"
                raise not_pddl(row) or FieldFault(field, missing, verb=True)
    return Columns(domain, {field: column for field, column in fields.items() if field != column})


def _column_for(field: str, row: Mapping[str, Any]) -> str | None:
    by_name = _by_name(*row)
    found = next((by_name[name] for name in _NAMES[field] if name in by_name), None)
    answer = by_name.get(_ANSWER)
    if found is None and field == "target" and answer and as_whole(row[answer]) is not None:
        return answer
    return found


@lru_cache(maxsize=100)
def _by_name(*columns: str) -> dict[str, str]:
    """Return columns by their names, and by their names in lower case."""
    # Reversed, so that of `Target` and `target ` the first column counts.
    found = {column.strip().lower(): column for column in reversed(columns)}
    return found | {column: column for column in columns}


def _shown(row: Mapping[str, Any]) -> str:
    return ", ".join(row)[:80] or "no column"


TABLE: Final = "table"


def _claims(head: Head) -> bool:
    if head.suffix in (*CSV_SUFFIXES, PARQUET):
        return True
    item = head.item if isinstance(head.item, dict) else dict.fromkeys(head.columns)
    known = {*_NAMES["numbers"], *_NAMES["target"]}
    return any(name.lower() in known for name in item) or is_nested(item)


def table_rows(reading: Reading) -> Iterator[DataRow | InputError]:
    """Yield the rows of data with the columns of their table, which the first row decides.

    In a table of several domains, the first row of countdown decides those of countdown.

    Raises:
        RecordError: a table with a header lacks a column.
    """
    found: dict[bool, Columns] = {}
    for row in item_rows(reading):
        if isinstance(row, InputError) or isinstance(row.value, Instance):
            yield row
            continue
        try:
            cells = _own_cells(flat(row.value))
            key = cells.get("domain", COUNTDOWN) == COUNTDOWN
            if key not in found:
                found[key] = choose_columns(cells, reading)
                _report(found[key], row.value, cells, reading)
        except FieldFault as fault:
            message = str(fault) if fault.field else fault.message
            if reading.given is None and row.unit == "row":  # the header has the names
                raise RecordError(message, file=row.file, line=1 if row.line else None) from None
            where = "" if row.line else f"{row.unit} {row.position}: "
            yield RecordError(f"{where}{message}", file=row.file, line=row.line)
        else:
            yield row._replace(value=(cells, found[key]))


def _own_cells(cells: dict[str, Any]) -> dict[str, Any]:
    """Return the cells of a row, without an empty domain if they have a problem of countdown.

    A data frame of several domains has an empty cell for each field that a row does not have.
    """
    names = [_column_for(field, cells) for field in ("numbers", "target")]
    is_own = all(name and not is_empty(cells[name]) for name in names)
    if is_own and is_empty(cells.get("domain")):
        return {name: cell for name, cell in cells.items() if name != "domain"}
    return cells


def _report(
    columns: Columns, row: Mapping[str, Any], cells: Mapping[str, Any], reading: Reading
) -> None:
    said = [
        f"column '{column}' is read as {field}"
        for field, column in columns.fields.items()
        if field not in reading.columns
    ]
    used = set(columns.fields.values())
    taken = [*columns.fields, *(["domain"] if "pddl" in cells else [])]
    said += [f"column '{name}' is left out" for name in taken if name in {*row} - used]
    if said:
        reading.note(", ".join(said))


def _usual(row: DataRow, reading: Reading) -> Instance[Any] | None:
    """Return what `table_instance` does, faster, for rows of `usual_instance`; None for others."""
    cells, (domain, names) = row.value
    is_named = reading.columns or reading.domain_name or "target" in names
    is_same = domain == COUNTDOWN and names.get("numbers", "numbers") in cells
    found = usual_instance(cells) if is_same and not is_named else None
    extra = {name: cells[name] for name in cells if name == _ANSWER}
    return found and replace(found, id=id_of(cells, row, reading), extra=extra)


def _whole(field: str, cell: Any) -> Any:
    # An optimal cost may be 7/3.
    return cell if cell is None or "/" in str(cell) else whole_number_of(field, cell)


def table_instance(row: DataRow, reading: Reading, source: Mapping[str, Any]) -> Instance[Any]:
    """Return the instance of a row; ``source`` contains further fields of its record.

    Raises:
        FieldFault: a cell is empty, missing or invalid.
    """
    cells, columns = row.value
    names: Mapping[str, str] = columns.fields
    field_of = {column: field for field, column in names.items()}
    # A column whose name is taken by another column is left out.
    record = {
        field_of.get(name, name): cell
        for name, cell in cells.items()
        if name in field_of or name not in names
    }
    record.update(source)
    domain = record.get("domain", columns.domain)
    if domain is None and "pddl" not in record:
        raise FieldFault("domain", "is missing", verb=True)
    record |= {"domain": domain} if domain is not None else {}
    if reading.domain_name is not None and reading.domain_name != domain:
        raise FieldFault("domain", f"found {domain!r}, --domain is '{reading.domain_name}'")
    if record.get("id") is not None and is_empty(record["id"]):
        raise FieldFault(names.get("id", "id"), "is empty", verb=True)
    record["id"] = id_of(record, row, reading)
    if domain == COUNTDOWN:
        for field, read in (("numbers", whole_numbers_of), ("target", whole_number_of)):
            if field in record:
                record[field] = read(names.get(field, field), record[field])
    own = fields_of(domain) if domain in domain_names() else ()
    record |= {
        field: structure(record[field]) for field in ("pddl", *OPTIONAL, *own) if field in record
    }
    for field in OPTIONAL:
        if is_empty(record.get(field)):
            record.pop(field, None)
    for field in whole_fields(domain if own else None) & record.keys():
        record[field] = _whole(names.get(field, field), record[field])
    return from_row(record, {}, names=names)


FORMATS: Final = (
    Format(
        TABLE,
        "table of countdown, or of the domain of --domain: CSV, TSV, JSON, Parquet",
        _claims,
        table_rows,
        lambda row, reading: _usual(row, reading) or table_instance(row, reading, {}),
        options=frozenset({"columns", "domain_name"}),
    ),
)
