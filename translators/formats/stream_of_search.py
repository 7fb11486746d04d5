"""Stream of Search (Gandhi et al. 2024): a JSON list with nums, target and solution."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.operations import ACTIONS, CHECK
from pddl_pipeline.translators.domains.countdown_rules import NAMED_RULES
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.rows import (
    field_of,
    from_row,
    id_of,
    item_rows,
    whole_number_of,
)
from pddl_pipeline.translators.judging import witness_fault

_NAME: Final = "stream-of-search"
# The fields that are used, and the long trace of the search.
_KNOWN: Final = frozenset({"nums", "target", "solution", "search_path"})
_STEP: Final = re.compile(r"(\d+)([-+*/])(\d+)=(\d+)")


def _claims(head: Head) -> bool:
    return head.has("nums", "target", "solution") and isinstance(head.item["solution"], list)


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    record = {
        "id": id_of(row.value, row, reading),
        "domain": "countdown",
        "numbers": field_of(row.value, "nums", list),
        "target": field_of(row.value, "target", int),
        "source": _NAME,
        # Names of fields do not decide the rules: the user does, by naming the format.
        "rules": NAMED_RULES[_NAME] if reading.named else None,
    }
    instance = from_row(row.value, record, _KNOWN, {"numbers": "nums"})
    witness = _witness(instance.record.board, field_of(row.value, "solution", list))
    instance = replace(instance, extras={**instance.extras, "witness": witness})
    fault = witness_fault(instance)
    if fault:
        raise FieldFault("solution", f"is not a valid plan: {fault}", verb=True)
    return instance


def _witness(board: dict[str, int], solution: list[Any]) -> list[str]:
    """Return the PDDL steps of a solution with equations such as ``90+95=185``."""
    steps = []
    for text in solution:
        match = _STEP.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise FieldFault("solution", f"found {str(text)[:40]!r}, expected one such as '9-5=4'")
        # The data write values, and the plan needs the names of the numbers that have them.
        first, second = _take(match[1], board), _take(match[3], board)
        steps.append(f"({ACTIONS[match[2]]} {first} {second})")
        board[first] = whole_number_of("solution", match[4])
    return [*steps, f"({CHECK} {next(iter(board))})"]


def _take(word: str, board: dict[str, int]) -> str:
    """Remove a number from the board; return its name."""
    value = whole_number_of("solution", word)
    for name, number in board.items():
        if number == value:
            del board[name]
            return name
    raise FieldFault("solution", f"there is no number {word[:20]} left")


FORMATS: Final = (
    Format(
        _NAME,
        "JSON list of Stream of Search: nums, target, solution",
        _claims,
        item_rows,
        _instance,
    ),
)
