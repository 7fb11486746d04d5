"""Which columns of a table are the fields of a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from shlex import quote
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import did_you_mean, hint
from pddl_pipeline.translators.domain_guess import domain_of_fields
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.cells import as_whole
from pddl_pipeline.translators.formats.format import Reading
from pddl_pipeline.translators.records import OPTIONAL, fields_of

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
