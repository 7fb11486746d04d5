"""``target, nums``: the countdown data of TinyZero on Hugging Face, JSON or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.domains.countdown import PYTHON_RULES
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.json_rows import json_items
from pddl_pipeline.translators.formats.row_fields import field_of, from_fields, row_id

_COLUMNS: Final = ("target", "nums")
_RULES: Final = {**PYTHON_RULES, "tolerance": "0.00001"}


def _claims(head: Head) -> bool:
    return head.suffix == ".parquet" or (head.has(*_COLUMNS))


def _rows(reading: Reading) -> Iterator[DataRow | InputError]:
    if reading.path.suffix.lower() == ".parquet":
        return _parquet_rows(reading)
    return json_items(reading.path)


def _parquet_rows(reading: Reading) -> Iterator[DataRow | InputError]:
    """Yield the rows, reading them in batches."""
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 -- an extra
    except ImportError as error:
        command = install_command("parquet")
        raise EngineError(f"reading Parquet requires pyarrow: {command}") from error
    name = str(reading.path)
    try:
        with parquet.ParquetFile(name) as file:
            for column in _COLUMNS:
                names = file.schema_arrow.names
                if names.count(column) != 1:
                    what = "is missing" if column not in names else "occurs twice"
                    found = ", ".join(names)[:80]
                    raise InputError(f"column '{column}' {what}, found {found}", file=name)
            position = 0
            for batch in file.iter_batches(batch_size=4096, columns=list(_COLUMNS)):
                for value in batch.to_pylist():
                    position += 1
                    yield DataRow(name, None, position, value)
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        # Values that are not int64, such as dates, raise different errors.
        reason = (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"not readable as Parquet: {reason}", file=name) from error


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    record = {
        "id": row_id(reading.path, row.position - 1),
        "domain": "countdown",
        "numbers": field_of(row.value, "nums", list),
        "target": field_of(row.value, "target", int),
        "source": "target-nums",
        "rules": _RULES,
    }
    return from_fields(record, {"numbers": "nums"})


FORMATS: Final = (
    Format("target-nums", "TinyZero's target and nums: JSON or Parquet", _claims, _rows, _instance),
)
