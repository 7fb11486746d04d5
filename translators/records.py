"""Records, the project's own format of instances. Parsing is strict; errors name the field."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from typing import Any, Final, Literal

import msgspec

from pddl_pipeline.model.errors import InputError, PddlError
from pddl_pipeline.model.format_version import RECORD
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.text import shortened
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.given_pddl import GivenPddl, given_instance
from pddl_pipeline.translators.ids import check_id
from pddl_pipeline.translators.translator import translator


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
    """The source's rules, if they differ from the domain's."""
    witness: list[str] | None = None
    """Steps of a plan that is known to be valid."""
    optimal_cost: int | str | None = None
    """Cost of the cheapest plan."""
    size: int | None = None
    """The size by which reports group, if it should not be computed from the task."""

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 0:
            raise FieldFault("size", f"found {self.size}, expected 0 or more")
        cost = str(self.optimal_cost or 0)
        if not re.fullmatch(r"\d{1,4000}(/[1-9]\d{0,4000})?", cost):
            raise FieldFault(
                "optimal_cost", f"found {cost!r}, expected a number such as 7 or '7/3'"
            )


OPTIONAL: Final = tuple(field.name for field in fields(Extras))
"""The names of the fields that every record may carry."""


@cache
def fields_of(domain: str) -> tuple[str, ...]:
    """Return the names of a domain's own fields in a record.

    Raises:
        InputError: the domain is unknown.
    """
    return tuple(field.name for field in fields(translator(domain).record_type))


@cache
def whole_fields(domain: str | None) -> frozenset[str]:
    """Return the fields with a whole number: those of every record, and a domain's own."""
    own = fields(translator(domain).record_type) if domain else ()
    every = (*fields(Extras), *own)
    # The types are text: `int`, or `int | None`.
    return frozenset(each.name for each in every if str(each.type).startswith("int"))


@cache
def _optional(domain: str) -> frozenset[str]:
    """Return those of a domain's own fields that have a default."""
    own = fields(translator(domain).record_type)
    return frozenset(field.name for field in own if field.default is not MISSING)


def from_record(record: Mapping[str, Any]) -> Instance[Any]:
    """Return the instance of a parsed record.

    Raises:
        FieldFault: a field is missing or invalid.
    """
    if fault := RECORD.fault(record):
        raise FieldFault(RECORD.field, fault)
    if "pddl" in record:
        return _given(record)
    if "domain" not in record:
        raise FieldFault("domain", "is missing", verb=True)
    domain = record["domain"]
    try:
        plug = translator(domain if isinstance(domain, str) else json.dumps(domain))
    except InputError as error:
        raise FieldFault("domain", error.message) from None
    own = fields_of(domain)
    extra = _further_fields(record, own, _optional(domain))
    name = check_id(record["id"])
    task = _convert(record, own, plug.record_type)
    extras = _extras(record)
    _check_rules(domain, extras.get("rules"), plug.rules)
    size = extras.get("size", plug.size(task))
    return Instance(name, domain, size, task, plug.budget(task), extras, extra)


def _check_rules(domain: str, rules: Any, form: type[Any] | None) -> None:
    if rules is not None and form is None:
        raise FieldFault("rules", f"{domain} instances cannot have rules")
    if rules is not None:
        _convert({"rules": rules}, ["rules"], dict[Literal["rules"], form])  # type: ignore[valid-type]


def _extras(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the optional fields that a record has."""
    given = [name for name in OPTIONAL if name in record]  # usually none
    extras = _convert(record, given, Extras) if given else None
    return {name: getattr(extras, name) for name in given if getattr(extras, name) is not None}


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of an instance that was given as PDDL."""

    domain: str
    problem: str


def _given(record: Mapping[str, Any]) -> Instance[Any]:
    """Return the instance of a record with PDDL texts, which may leave out the domain's name."""
    # The PDDL has the name of the domain, so the field may be missing.
    extra = _further_fields({"domain": None, **record}, ["pddl"])
    texts = _convert(record, ["pddl"], dict[Literal["pddl"], _Texts])["pddl"]
    try:
        name, extras = check_id(record["id"]), _extras(record)
        instance = given_instance(name, texts.domain, texts.problem, extras)
    except PddlError as error:
        raise FieldFault("pddl", str(error)) from None
    if record.get("domain", instance.domain) != instance.domain:
        found = json.dumps(record["domain"])[:60]
        raise FieldFault("domain", f"found {found}, the PDDL is of '{instance.domain}'")
    return replace(instance, extra=extra)


def to_record(instance: Instance[Any]) -> dict[str, Any]:
    """Return the record of an instance, the inverse of `from_record`."""
    if isinstance(instance.record, GivenPddl):
        own = {"pddl": {"domain": instance.record.domain, "problem": instance.record.problem}}
    else:
        own = msgspec.to_builtins(instance.record)
    return {
        "id": instance.id,
        "domain": instance.domain,
        **own,
        **instance.extras,
        **instance.extra,
    }


def _further_fields(
    record: Mapping[str, Any], own: Sequence[str], optional: Collection[str] = ()
) -> dict[str, Any]:
    """Return the fields that have no meaning for this project.

    Raises:
        FieldFault: a field is missing that is not optional. If another field has a similar name,
            the fault is that field's.
    """
    expected = ["id", "domain", *own]
    missing = [name for name in expected if name not in record]
    known = (*expected, *OPTIONAL, RECORD.field)
    further = {name: record[name] for name in record if name not in known}
    for name in further if missing else ():
        if near := did_you_mean(name, missing):
            raise FieldFault(name, f"is unknown{near}", verb=True)
    for name in missing:
        if name not in optional:
            raise not_pddl(record) or FieldFault(name, "is missing", verb=True)
    return further


def not_pddl(row: Mapping[str, Any]) -> FieldFault | None:
    """Return the fault of a field that is named after PDDL, in a row without a problem; or None."""
    names = [str(name) for name in row if "pddl" in str(name).lower()]
    if not names:
        return None
    # `problem_pddl` rather than `domain_pddl`.
    name = max(names, key=lambda name: "problem" in name.lower())
    found = shortened(repr(row[name]), 40)
    return FieldFault(name, f"found {found}, expected PDDL that starts (define (problem")


def _whole(value: Any) -> Any:
    """Return 52.0 as 52, since pandas makes floats of a column with missing cells."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _convert(record: Mapping[str, Any], names: Sequence[str], form: type[Any]) -> Any:
    values = {name: _whole(record[name]) for name in names if name in record}
    try:
        return msgspec.convert(values, form)
    except msgspec.ValidationError as error:
        # msgspec wraps the error of a record's own check, in its `__post_init__`.
        if isinstance(error.__cause__, FieldFault):
            raise error.__cause__ from None
        message, _, path = str(error).partition(" - at `$.")
        field = re.match(r"\w+", path)
        place = path.removesuffix("`")
        raise FieldFault(field[0] if field else names[0], f"{message} at {place}") from None
