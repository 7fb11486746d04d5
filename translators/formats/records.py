"""The project's own format: JSON lines, one record per line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.formats.json_rows import is_json_list, json_lines
from pddl_pipeline.translators.records import from_record


def _rows(reading: Reading) -> Iterator[DataRow | InputError]:
    if is_json_list(reading.path):
        raise RecordError(
            "found a list, expected one JSON object per line, or a list of a known format (see"
            " `pddl-pipeline domains`)",
            file=str(reading.path), line=1, column=1,
        )  # fmt: skip
    return json_lines(reading.path)


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    del reading
    if not isinstance(row.value, dict):
        kind = "a list" if isinstance(row.value, list) else "no object"
        reason = f"found {kind}, expected one JSON object per line"
        raise RecordError(reason, file=row.file, line=row.line, column=1)
    return from_record(row.value)


FORMATS: Final = (
    Format(
        "records",
        "this project's records, one JSON object per line",
        lambda head: head.has("id", "domain"),
        _rows,
        _instance,
    ),
)
