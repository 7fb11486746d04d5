"""The project's own format: records in JSON, one per line or in a list."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.errors import RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.formats.json_rows import json_items
from pddl_pipeline.translators.formats.rows import id_of, is_nested
from pddl_pipeline.translators.records import from_record


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    record = row.value
    if not isinstance(record, dict):
        kind = "a list" if isinstance(record, list) else "no object"
        reason = f"found {kind}, expected one JSON object per line"
        raise RecordError(reason, file=row.file, line=row.line, column=1)
    given = reading.domain_name
    if given is not None and record.get("domain", given) != given:
        raise FieldFault("domain", f"found {record['domain']!r}, --domain is '{given}'")
    if "domain" not in record and given is None:
        raise FieldFault("domain", "is missing; --domain NAME is for data without it", verb=True)
    return from_record({"domain": given, **record, "id": id_of(record, row, reading)})


FORMATS: Final = (
    Format(
        "records",
        "this project's records, one JSON object per line or a JSON list",
        lambda head: head.has("domain") and not head.columns and not is_nested(head.item),
        lambda reading: json_items(reading.path),
        _instance,
        options=frozenset({"domain_name"}),
    ),
)
