"""Convert results to lines of ``runs.jsonl`` and back."""

from __future__ import annotations

from dataclasses import MISSING, asdict, fields
from typing import Any, get_type_hints

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.number import number_fields, number_from_json
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status

_NAMES = [field.name for field in fields(RunResult)]
# Fields that the first stores lack.
_LATER = {
    field.name
    for field in fields(RunResult)
    if field.default is not MISSING or field.default_factory is not MISSING
}
# The types in JSON of fields that are never null.
_IN_JSON: dict[Any, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (int, float),
    dict[str, Any]: (dict,),
}
_TYPES = {
    name: _IN_JSON[kind] for name, kind in get_type_hints(RunResult).items() if kind in _IN_JSON
}


def result_to_json(result: RunResult) -> dict[str, Any]:
    """Return the JSON object of a result, its fields in the order of `RunResult`."""
    return {
        **asdict(result),
        "outcome": str(result.outcome),
        "status": None if result.status is None else str(result.status),
        "plan": None if result.plan is None else list(result.plan),
        **number_fields("cost", result.cost),
    }


def result_from_json(line: dict[str, Any]) -> RunResult:
    """Return the result of a JSON object; ignore fields of later versions.

    Raises:
        KeyError: a field is missing.
        TypeError, ValueError: a field has an invalid value.
    """
    values = {name: line[name] for name in _NAMES if name in line or name not in _LATER}
    for name, types in _TYPES.items():
        if name in values and not isinstance(values[name], types):
            raise TypeError(f"field '{name}' is {values[name]!r}")
    version = values.get("verdict_version")
    if version is not None and type(version) is not int:
        raise TypeError(f"field 'verdict_version' is {version!r}")
    values["outcome"] = Outcome(line["outcome"])
    values["status"] = None if line["status"] is None else Status(line["status"])
    values["plan"] = None if line["plan"] is None else tuple(line["plan"])
    values["cost"] = number_from_json(line["cost"])
    return RunResult(**values)
