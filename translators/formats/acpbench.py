"""ACPBench's generative items (Kokel et al. 2025): questions about PDDL that they include."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.formats.rows import field_of, from_row, item_rows, slug

_KNOWN: Final = frozenset({
    "id", "group", "context", "question", "answer", "PDDL_domain", "PDDL_problem",
})  # fmt: skip


def _instance(row: DataRow, _reading: Reading) -> Instance[Any]:
    if isinstance(row.value, dict) and "PDDL_problem" not in row.value:
        raise FieldFault("PDDL_problem", "is missing; only the 'gen' files carry PDDL", verb=True)
    name = f"{field_of(row.value, 'group', str)}-{field_of(row.value, 'id', object)}"
    texts = {kind: field_of(row.value, f"PDDL_{kind}", str) for kind in ("domain", "problem")}
    record = {"id": slug(name), "pddl": texts, "source": "ACPBench"}
    return from_row(row.value, record, _KNOWN, {"pddl": "PDDL_problem"})


FORMATS: Final = (
    Format(
        "acpbench",
        "ACPBench's generative items, with their PDDL",
        lambda head: head.has("group", "context", "question"),
        item_rows,
        _instance,
    ),
)
