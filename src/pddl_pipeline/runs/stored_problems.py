"""The problems of a run store: a file for each, so that its plans can be judged again."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.records import from_record, to_record

PROBLEMS: Final = "problems"
"""Name of the folder in a run store."""
# The fastest level; higher levels gain little.
_LEVEL: Final = 1
# What reading a file raises if it is not a compressed record.
_DAMAGE: Final = (OSError, EOFError, zlib.error, ValueError, TypeError, KeyError, FieldFault)


def keep_problem(folder: Path, key: str, instance: Instance[Any]) -> None:
    """Store the record of an instance, unless it is there.

    Args:
        folder: the run store.
        key: the instance's `problem_hash`.
        instance: the instance.

    Raises:
        StoreError: the file cannot be written; nothing is left behind.
    """
    file = _file(folder, key)
    if file.exists():
        return
    draft = file.with_name(f".{file.name}")
    try:
        file.parent.mkdir(exist_ok=True)
        draft.write_bytes(gzip.compress(json.dumps(to_record(instance)).encode(), _LEVEL, mtime=0))
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StoreError(f"{file}: cannot be written: {error.strerror}") from error


def stored_problem(folder: Path, key: str) -> Instance[Any] | None:
    """Return the instance with this `problem_hash`; None if it is not stored, or damaged."""
    try:
        return from_record(json.loads(gzip.decompress(_file(folder, key).read_bytes())))
    except _DAMAGE:
        return None


def _file(folder: Path, key: str) -> Path:
    return folder / PROBLEMS / f"{key}.json.gz"
