"""Items of reasoning-gym: its datasets ``countdown`` and ``puzzle24``, as JSON."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.domains.countdown_rules import NAMED_RULES
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.rows import (
    field_of,
    from_row,
    item_rows,
    own_id,
    row_id,
    structure,
)

_PUZZLE: Final = "puzzle24"
# Puzzle24 states its target in the question, not in the metadata.
PUZZLE_TARGET: Final = 24
_RULES: Final = NAMED_RULES["reasoning-gym"]
# Its checker compares with numpy.isclose.
TOLERANCE: Final[str] = _RULES["tolerance"]
_KNOWN: Final = frozenset({"question", "answer", "metadata"})


def _claims(head: Head) -> bool:
    metadata = structure(head.item["metadata"]) if head.has("question", "metadata") else None
    return isinstance(metadata, dict) and "source_dataset" in metadata


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    metadata = structure(field_of(row.value, "metadata", object))
    dataset = field_of(metadata, "source_dataset", str)
    if dataset not in ("countdown", _PUZZLE):
        raise FieldFault("source_dataset", f"found '{dataset[:40]}', expected countdown, {_PUZZLE}")
    index = field_of(metadata, "source_index", int)
    is_puzzle = dataset == _PUZZLE
    own, number = own_id(row.value), f"{_PUZZLE}-{index}" if is_puzzle else index
    record = {
        "id": row_id(reading.path, number) if own is None else own,
        "domain": "countdown",
        "numbers": field_of(metadata, "numbers", list),
        "target": PUZZLE_TARGET if is_puzzle else field_of(metadata, "target", int),
        "source": f"reasoning-gym {dataset}",
        "rules": _RULES,
    }
    return from_row(row.value, record, _KNOWN)


FORMATS: Final = (
    Format(
        "reasoning-gym",
        "items of reasoning-gym: countdown, puzzle24",
        _claims,
        item_rows,
        _instance,
    ),
)
