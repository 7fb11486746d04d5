"""ACPBench's generative items (Kokel et al. 2025): questions about PDDL that they include."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.errors import PddlError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.json_rows import item_rows
from pddl_pipeline.translators.formats.rows import field_of, slug
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.ids import check_id

_KNOWN: Final = frozenset({
    "id", "group", "context", "question", "answer", "PDDL_domain", "PDDL_problem",
})  # fmt: skip


def _claims(head: Head) -> bool:
    return head.has("group", "context", "question")


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    del reading
    if isinstance(row.value, dict) and "PDDL_problem" not in row.value:
        raise FieldFault("PDDL_problem", "is missing; only the 'gen' files carry PDDL")
    others = {name: value for name, value in row.value.items() if name not in _KNOWN}
    name = f"{field_of(row.value, 'group', str)}-{field_of(row.value, 'id', object)}"
    texts = field_of(row.value, "PDDL_domain", str), field_of(row.value, "PDDL_problem", str)
    try:
        given = given_instance(check_id(slug(name)), *texts, {"source": "ACPBench"})
    except PddlError as error:
        raise FieldFault("PDDL_problem", str(error)) from None
    return replace(given, extra=others)


FORMATS: Final = (
    Format(
        "acpbench", "ACPBench's generative items, with their PDDL", _claims, item_rows, _instance
    ),
)
