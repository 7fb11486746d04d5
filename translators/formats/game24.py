"""The 24 game as CSV, as published by Tree of Thoughts (Yao et al. 2023) and AutoToS."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.domains.countdown_rules import NAMED_RULES
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.rows import (
    field_of,
    from_row,
    item_rows,
    own_id,
    whole_number_of,
)

_COLUMNS: Final = ("Rank", "Puzzles")
_TARGET: Final = 24


def _claims(head: Head, *, autotos: bool) -> bool:
    """Return whether rows have the published columns, and no target: that is always 24."""
    names = {*head.columns, *(head.item if isinstance(head.item, dict) else ())}
    published = names.issuperset(_COLUMNS) and "target" not in names
    return published and ("solvable" in names) is autotos


def _instance(source: str, rules: str, row: DataRow, reading: Reading) -> Instance[Any]:
    own, rank = own_id(row.value), whole_number_of("Rank", row.value.get("Rank"))
    words = field_of(row.value, "Puzzles", str).split()
    record = {
        "id": f"24game-{rank}" if own is None else own,
        "domain": "countdown",
        "numbers": [whole_number_of("Puzzles", word) for word in words],
        "target": _TARGET,
        "source": source,
        # Names of columns do not decide the rules: the user does, by naming the format.
        "rules": NAMED_RULES[rules] if reading.named else None,
    }
    return from_row(row.value, record, _COLUMNS, {"numbers": "Puzzles"})


FORMATS: Final = (
    Format(
        "24game",
        "24.csv of Tree of Thoughts: columns Rank, Puzzles",
        partial(_claims, autotos=False),
        item_rows,
        partial(_instance, "24 game", "24game"),
    ),
    Format(
        "autotos-24game",
        "CSV of AutoToS: Rank, Puzzles, solvable (decided with floats)",
        partial(_claims, autotos=True),
        item_rows,
        partial(_instance, "AutoToS 24 game", "autotos-24game"),
    ),
)
