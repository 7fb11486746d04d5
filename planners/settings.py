"""Settings that follow a planner's name and a colon, such as ``cats:omega=0.5,reward=goal-count``.

Each field of a planner's settings, a frozen dataclass, is one of them; fields have defaults, and
as metadata ``help``, and ``file`` where the value is the path of a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint

Settings = TypeVar("Settings")


def read_settings(planner: str, kind: type[Settings], text: str) -> Settings:
    """Read settings such as ``omega=0.5,nodes=500``; what is not named has its default.

    Raises:
        InputError: no such setting, one named twice, a value of another kind, a file that is not
            there.
    """
    known = {field.name.replace("_", "-"): field for field in fields(kind)}  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            near = hint(name, known) or f"; expected some of {', '.join(known)}"
            raise InputError(f"{planner}:{text}: found '{part}', which is no setting{near}")
        if known[name].name in given:
            raise InputError(f"{planner}:{text}: {name} stands there twice")
        is_file = known[name].metadata.get("file", False)
        given[known[name].name] = _file(value) if is_file else value
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(f"{planner}:{text}: {error}") from error


def _file(path: str) -> str:
    if not Path(path).is_file():
        raise InputError("no such file", file=path)
    return str(Path(path).resolve())


def setting_key(settings: Any) -> str:
    """Return what tells settings from others: the values, and of files what they hold."""
    values: dict[str, Any] = asdict(settings)
    for field in fields(settings):
        if field.metadata.get("file") and values[field.name]:
            content = Path(values[field.name]).read_bytes()
            values[field.name] = hashlib.sha256(content).hexdigest()
    return settings_json(values)


def settings_json(values: Mapping[str, Any]) -> str:
    """Return settings as one line of JSON."""
    return json.dumps(values, sort_keys=True)
