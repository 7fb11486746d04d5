"""Settings that follow a planner's name and a colon, such as ``cats:omega=0.5,reward=goal-count``.

A planner's settings are the fields of a frozen dataclass. Each field has a default and the metadata
``help``; a field whose value is the path of a file also has the metadata ``file``. The metadata
``idle`` has the values of other fields with which a field has no effect. `ADDED_LATER` marks fields
that were added when results were already stored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint

Settings = TypeVar("Settings")
ADDED_LATER: Final = {"added_later": True}
"""The metadata of a field that is not part of the key if it has its default."""


def read_settings(planner: str, kind: type[Settings], text: str) -> Settings:
    """Return the settings from a text such as ``omega=0.5,nodes=500``, with defaults for the rest.

    Raises:
        InputError: a setting is unknown, repeated or has no effect, a value has the wrong type, or
            a file does not exist.
    """
    known = {field.name.replace("_", "-"): field for field in fields(kind)}  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            near = hint(name, known) or f"; expected NAME=VALUE with NAME one of {', '.join(known)}"
            raise InputError(f"{planner}:{text}: found '{part}', which is not a setting{near}")
        if known[name].name in given:
            raise InputError(f"{planner}:{text}: {name} is given twice")
        is_file = known[name].metadata.get("file", False)
        given[known[name].name] = _file(value) if is_file else value
    try:
        settings = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(f"{planner}:{text}: {error}") from error
    for name, field in known.items():
        for other, values in field.metadata.get("idle", {}).items():
            value = getattr(settings, other)
            if field.name in given and value in values:
                raise InputError(f"{planner}:{text}: {name} has no effect with {other}={value}")
    return settings


def _file(path: str) -> str:
    if not Path(path).is_file():
        raise InputError("no such file", file=path)
    return str(Path(path).resolve())


def setting_key(settings: Any) -> str:
    """Return a key that identifies settings: the values, and the content hashes of files.

    Defaults of fields with the metadata `ADDED_LATER` are left out, so that stored results keep
    their keys.
    """
    values: dict[str, Any] = asdict(settings)
    for field in fields(settings):
        if field.metadata.get("added_later") and values[field.name] == field.default:
            del values[field.name]
            continue
        if field.metadata.get("file") and values[field.name]:
            content = Path(values[field.name]).read_bytes()
            values[field.name] = hashlib.sha256(content).hexdigest()
    return settings_json(values)


def settings_json(values: Mapping[str, Any]) -> str:
    """Return settings as one line of JSON."""
    return json.dumps(values, sort_keys=True)
