"""Reads datasets: JSON lines, one record a line, every fault with file, line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.registry import translator

# An id is also the name of a file.
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")


@dataclass(frozen=True, slots=True)
class Extras:
    """The fields that every record may carry."""

    source: str | None = None
    """Where the instance comes from."""
    seed: int | None = None
    """The generator's seed."""
    split: str | None = None
    """``train``, ``dev``, ``test`` or the like."""
    rules: Any = None
    """The rules that the source plays by where they differ from the domain's."""
    witness: list[str] | None = None
    """Steps of a plan that is known to be valid."""
    optimal_cost: int | str | None = None
    """Cost of the cheapest plan."""
    size: int | None = None
    """What reports group by, where it is not to be counted from the task."""

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 0:
            raise FieldFault("size", f"found {self.size}, expected 0 or more")
        cost = str(self.optimal_cost or 0)
        if not re.fullmatch(r"\d{1,4000}(/[1-9]\d{0,4000})?", cost):
            raise FieldFault(
                "optimal_cost", f"found {cost!r}, expected a number such as 7 or '7/3'"
            )


def load_records(*paths: str | Path) -> Iterator[Instance[Any]]:
    """Yield the instances of datasets, one a line, in their order.

    Raises:
        RecordError: a line is no record of a known domain, an id occurs twice, or there is no
            record at all; with file, line and, where it can be told, column.
        InputError: a file cannot be read.
    """
    seen: dict[str, str] = {}
    for path in map(Path, paths):
        found = False
        for number, line in _lines(path):
            found = True
            instance = decode(line, str(path), number)
            place = f"{path}:{number}"
            if instance.id in seen:
                raise RecordError(
                    f"id '{instance.id}' was used before, at {seen[instance.id]}",
                    file=str(path), line=number, column=_column(line, "id"),
                )  # fmt: skip
            seen[instance.id] = place
            yield instance
        if not found:
            raise RecordError("the file holds no record", file=str(path))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their 1-based numbers."""
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                try:
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    raise RecordError(
                        "found a byte that is not UTF-8 text",
                        file=str(path), line=number, column=error.start + 1,
                    ) from error  # fmt: skip
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from error


def decode(line: str, file: str, number: int) -> Instance[Any]:
    """Decode one record.

    Args:
        line: the JSON object.
        file: name for messages.
        number: line number for messages.

    Raises:
        RecordError: it is not exactly a record of a known domain.
    """
    try:
        return from_record(_parse(line, file, number))
    except FieldFault as fault:
        column = _column(line, fault.field)
        raise RecordError(str(fault), file=file, line=number, column=column) from None


def from_record(record: Mapping[str, Any]) -> Instance[Any]:
    """Decode a record that was parsed.

    Raises:
        FieldFault: a field is unknown, missing, or has a value that makes no sense.
    """
    if "domain" not in record:
        raise FieldFault("domain", "is missing")
    domain = record["domain"]
    try:
        plug = translator(domain if isinstance(domain, str) else json.dumps(domain))
    except InputError as error:
        raise FieldFault("domain", error.message) from None
    own = [field.name for field in fields(plug.form)]
    _check_fields(record, own)
    if not isinstance(record["id"], str) or not _ID.fullmatch(record["id"]):
        raise FieldFault(
            "id", f"found {json.dumps(record['id'])[:60]}, expected letters, digits, '.', '-', '_'"
        )
    task = _convert(record, own, plug.form)
    extras = _convert(record, [field.name for field in fields(Extras)], Extras)
    return Instance(
        record["id"],
        domain,
        plug.size(task) if extras.size is None else extras.size,
        task,
        plug.budget(task),
        {
            field.name: getattr(extras, field.name)
            for field in fields(Extras)
            if getattr(extras, field.name) is not None
        },
    )


def to_record(instance: Instance[Any]) -> dict[str, Any]:
    """Return the record of an instance, the inverse of `from_record`."""
    own = msgspec.to_builtins(instance.task)
    return {"id": instance.id, "domain": instance.domain, **own, **instance.extras}


def _check_fields(record: Mapping[str, Any], own: list[str]) -> None:
    required = ["id", "domain", *own]
    known = [*required, *(field.name for field in fields(Extras))]
    for name in record:
        if name not in known:
            near = did_you_mean(name, known)
            raise FieldFault(name, f"is unknown{near or '; expected ' + ', '.join(required)}")
    for name in required:
        if name not in record:
            raise FieldFault(name, "is missing")


def _convert(record: Mapping[str, Any], names: list[str], form: type[Any]) -> Any:
    values = {name: record[name] for name in names if name in record}
    try:
        return msgspec.convert(values, form)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, FieldFault):
            raise error.__cause__ from None
        message, _, path = str(error).partition(" - at `$.")
        field = re.match(r"\w+", path)
        place = path.removesuffix("`")
        raise FieldFault(field[0] if field else names[0], f"{message} at {place}") from None


def _parse(line: str, file: str, number: int) -> dict[str, Any]:
    try:
        record = json.loads(
            line, object_pairs_hook=_without_duplicates, parse_constant=_no_constant
        )
    except json.JSONDecodeError as error:
        raise RecordError(
            f"not JSON: {error.msg}", file=file, line=number, column=error.colno
        ) from None
    except FieldFault:
        raise
    except RecursionError:
        raise RecordError("nested too deeply", file=file, line=number) from None
    except ValueError as error:
        # Python says how to lift its limit on digits, which is nothing to a user.
        message = f"a number of more than {MAX_DIGITS} digits" if "digits" in str(error) else error
        raise RecordError(str(message), file=file, line=number) from None
    if not isinstance(record, dict):
        kind = "a list" if isinstance(record, list) else "no object"
        raise RecordError(
            f"found {kind}, expected one JSON object a line", file=file, line=number, column=1
        )
    return record


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name, value in pairs:
        if name in record:
            raise FieldFault(name, "is given twice")
        record[name] = value
    return record


def _no_constant(name: str) -> Any:
    raise ValueError(f"found {name}, which is not JSON")


def _column(line: str, field: str) -> int:
    """Return the 1-based column at which a field's name stands in its line, 1 if nowhere."""
    return max(line.find(json.dumps(field)), 0) + 1
