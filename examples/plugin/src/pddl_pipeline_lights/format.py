"""The names of the lamps to switch on, one puzzle per line, in files named ``*.lights``."""

from __future__ import annotations

from collections.abc import Iterator

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.records import from_record


def _rows(reading: Reading) -> Iterator[DataRow | InputError]:
    for number, line in enumerate(reading.path.read_text().splitlines(), start=1):
        yield DataRow(str(reading.path), number, number, line.split(), line)


def _instance(row: DataRow, reading: Reading) -> Instance[object]:
    del reading
    record = {"id": f"lights-{row.position}", "domain": "lights", "lamps": row.value}
    return from_record(record | {"goal": row.value})


FORMATS = (
    Format(
        name="lights-lines",
        about="names of lamps",
        claims=lambda head: head.suffix == ".lights",
        rows=_rows,
        instance=_instance,
    ),
)
