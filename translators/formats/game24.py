"""The 24 game as CSV, as published by Tree of Thoughts (Yao et al. 2023) and AutoToS."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from pddl_pipeline.io.text_lines import csv_values, text_lines
from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.domains.countdown import PYTHON_RULES
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.row_fields import from_fields, whole_number

_COLUMNS: Final = ("Rank", "Puzzles")
_TARGET: Final = 24


def _claims_thoughts(head: Head) -> bool:
    return head.suffix == ".csv" and "Puzzles" in head.columns and "solvable" not in head.columns


def _claims_autotos(head: Head) -> bool:
    return head.suffix == ".csv" and {"Puzzles", "solvable"} <= set(head.columns)


def _rows(reading: Reading) -> Iterator[DataRow | InputError]:
    name = str(reading.path)
    header: list[str] | None = None
    for position, (number, line) in enumerate(text_lines(reading.path)):
        if isinstance(line, InputError):
            yield line
            continue
        try:
            values = csv_values(line, name, number)
        except RecordError as error:
            yield error
            continue
        if header is None:
            header = _checked(values, name, number)
        elif len(values) != len(header):
            message = f"found {len(values)} columns, expected {len(header)}"
            yield RecordError(message, file=name, line=number)
        else:
            yield DataRow(name, number, position, dict(zip(header, values, strict=True)), line)


def _checked(header: list[str], name: str, number: int) -> list[str]:
    for column in _COLUMNS:
        if header.count(column) != 1:
            what = "is missing" if column not in header else "occurs twice"
            message = f"column '{column}' {what}, found {', '.join(header)[:80]}"
            raise RecordError(message, file=name, line=number)
    return header


def _instance(source: str, rules: dict[str, Any], row: DataRow, reading: Reading) -> Instance[Any]:
    del reading
    rank = whole_number("Rank", row.value["Rank"])
    numbers = [whole_number("Puzzles", word) for word in row.value["Puzzles"].split()]
    if not numbers:
        raise FieldFault("Puzzles", "found no number")
    record = {
        "id": f"24game-{rank}",
        "domain": "countdown",
        "numbers": numbers,
        "target": _TARGET,
        "source": source,
        "rules": rules,
    }
    return from_fields(record, {"numbers": "Puzzles"})


FORMATS: Final = (
    Format(
        "24game",
        "24.csv of Tree of Thoughts: columns Rank, Puzzles",
        _claims_thoughts,
        _rows,
        partial(_instance, "24 game", PYTHON_RULES),
    ),
    Format(
        "autotos-24game",
        "CSV of AutoToS: Rank, Puzzles, solvable (decided with floats)",
        _claims_autotos,
        _rows,
        partial(
            _instance,
            "AutoToS 24 game",
            {**PYTHON_RULES, "tolerance": "0.001"},
        ),
    ),
)
