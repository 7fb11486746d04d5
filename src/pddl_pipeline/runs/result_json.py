"""Convert results to lines of ``runs.jsonl`` and back."""

from __future__ import annotations

from dataclasses import MISSING, asdict, fields
from fractions import Fraction
from typing import Any

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.number import Number, normal, number_json
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status

_NAMES = [field.name for field in fields(RunResult)]
# Fields that the first stores lack.
_LATER = {field.name for field in fields(RunResult) if field.default is not MISSING}
_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("key", "id", "domain", "planner", "planner_version", "started", "log"), (str,)
    ),
    **dict.fromkeys(("wall_s", "cpu_s", "memory_mb"), (int, float)),
    "size": (int,),
    "limits": (dict,),
    "opinions": (dict,),
}


def result_to_json(result: RunResult) -> dict[str, Any]:
    """Return the JSON object of a result, its fields in the order of `RunResult`."""
    return {
        **asdict(result),
        "outcome": str(result.outcome),
        "status": None if result.status is None else str(result.status),
        "plan": None if result.plan is None else list(result.plan),
        "cost": number_json(result.cost),
    }


def result_from_json(line: dict[str, Any]) -> RunResult:
    """Return the result of a JSON object; ignore fields of later versions.

    Raises:
        KeyError: a field is missing.
        TypeError, ValueError: a field has an invalid value.
    """
    values = {name: line[name] for name in _NAMES if name in line or name not in _LATER}
    for name, types in _TYPES.items():
        if not isinstance(values[name], types):
            raise TypeError(f"field '{name}' is {values[name]!r}")
    values["outcome"] = Outcome(line["outcome"])
    values["status"] = None if line["status"] is None else Status(line["status"])
    values["plan"] = None if line["plan"] is None else tuple(line["plan"])
    values["cost"] = _number(line["cost"])
    return RunResult(**values)


def _number(value: int | str | None) -> Number | None:
    return normal(Fraction(value)) if isinstance(value, str) else value
