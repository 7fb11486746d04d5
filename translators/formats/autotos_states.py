"""States of AutoToS's unit tests as JSON: blocksworld with a goal, Sokoban with its grid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import Format, Head, Reading, Row
from pddl_pipeline.translators.formats.json_rows import json_items
from pddl_pipeline.translators.formats.row_fields import field_of, row_id
from pddl_pipeline.translators.records import from_record

_WALL, _GOAL = 1, 2


def _claims(head: Head) -> bool:
    state = head.item.get("state") if head.has("state") else None
    return isinstance(state, dict) and bool({"arm-empty", "at-player"} & set(state))


def _rows(reading: Reading) -> Iterator[Row | InputError]:
    return json_items(reading.path)


def _instance(row: Row, reading: Reading) -> Instance[Any]:
    state = field_of(row.value, "state", dict)
    record = _sokoban(row.value, state) if "at-player" in state else _blocksworld(row.value, state)
    name = row_id(reading.path, row.position - 1)
    return from_record({"id": name, "source": "AutoToS unit test", **record})


def _blocksworld(row: Any, state: Any) -> dict[str, Any]:
    """Return the record of a state of blocks, and of the state that is its goal."""
    goal = field_of(row, "goal", dict)
    atoms = [["on", *pair] for pair in goal.get("on", [])]
    atoms += [["ontable", block] for block in goal.get("on-table", [])]
    atoms += [["clear", block] for block in goal.get("clear", [])]
    on = field_of(state, "on", list)
    above = {below: block for block, below in on}
    stacks = []
    for bottom in field_of(state, "on-table", list):
        stack = [bottom]
        # A circle of blocks would never end.
        while stack[-1] in above and len(stack) <= len(on):
            stack.append(above[stack[-1]])
        stacks.append(stack)
    if sum(map(len, stacks)) != len(stacks) + len(on):
        raise FieldFault("on", "some blocks do not stand on the table")
    holding = state.get("holding")
    return {"domain": "blocksworld", "init": stacks, "holding": holding, "goal": atoms}


def _sokoban(row: Any, state: Any) -> dict[str, Any]:
    """Return the record of a state of stones on a grid; positions are row and column."""
    grid = field_of(row, "grid", list)
    player = tuple(field_of(state, "at-player", list))
    stones = {tuple(stone) for stone in field_of(state, "at-stone", list)}
    rows = [
        "".join(
            _sign(cell, is_player=(y, x) == player, is_stone=(y, x) in stones)
            for x, cell in enumerate(cells)
        )
        for y, cells in enumerate(grid)
    ]
    return {"domain": "sokoban", "map": rows}


def _sign(cell: int, *, is_player: bool, is_stone: bool) -> str:
    if cell == _WALL:
        return "#"
    free, goal = ("@", "+") if is_player else ("$", "*") if is_stone else (" ", ".")
    return goal if cell == _GOAL else free


FORMATS: Final = (
    Format(
        "autotos-states", "states of AutoToS's unit tests: blocksworld, Sokoban",
        _claims, _rows, _instance,
    ),
)  # fmt: skip
