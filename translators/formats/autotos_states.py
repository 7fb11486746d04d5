"""States of AutoToS's unit tests as JSON: blocksworld with a goal, Sokoban with its grid."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.domains.blocksworld import stacks_of
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.format import DataRow, Format, Head, Reading
from pddl_pipeline.translators.formats.rows import field_of, from_row, id_of, item_rows

_WALL, _GOAL = 1, 2
_KNOWN: Final = frozenset({"state", "goal", "grid"})


class _Blocks(msgspec.Struct, frozen=True, rename="kebab"):
    """A state of blocksworld, or a part of one."""

    on: list[tuple[str, str]] = []
    on_table: list[str] = []
    clear: list[str] = []
    holding: str | None = None
    arm_empty: bool | None = None


class _BlocksRow(msgspec.Struct, frozen=True):
    state: _Blocks
    goal: _Blocks


class _Stones(msgspec.Struct, frozen=True, rename="kebab"):
    """A state of Sokoban; positions are row and column, from 0."""

    at_player: tuple[int, int]
    at_stone: list[tuple[int, int]]


class _StonesRow(msgspec.Struct, frozen=True):
    state: _Stones
    grid: list[list[int]]


def _claims(head: Head) -> bool:
    state = head.item.get("state") if head.has("state") else None
    return isinstance(state, dict) and bool({"arm-empty", "at-player"} & set(state))


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    is_sokoban = "at-player" in field_of(row.value, "state", dict)
    try:
        if is_sokoban:
            record = _sokoban(msgspec.convert(row.value, _StonesRow))
        else:
            record = _blocksworld(msgspec.convert(row.value, _BlocksRow))
    except msgspec.ValidationError as error:
        raise FieldFault("state", str(error)) from None
    name = id_of(row.value, row, reading)
    return from_row(row.value, {"id": name, "source": "AutoToS unit test", **record}, _KNOWN)


def _blocksworld(row: _BlocksRow) -> dict[str, Any]:
    """Return the record of a state of blocks and its goal."""
    goal, state = row.goal, row.state
    atoms = [["on", *pair] for pair in goal.on]
    atoms += [["ontable", block] for block in goal.on_table]
    atoms += [["clear", block] for block in goal.clear]
    atoms += [["holding", goal.holding]] if goal.holding else []
    atoms += [["handempty"]] if goal.arm_empty else []
    stacks = stacks_of(state.on, state.on_table)
    if sum(map(len, stacks)) != len(stacks) + len(state.on):
        raise FieldFault("on", "some blocks are not in a stack on the table")
    if {stack[-1] for stack in stacks} != set(state.clear) - {state.holding}:
        raise FieldFault("clear", "does not list the blocks on top", verb=True)
    # A state that contradicts itself would be translated into another one.
    if state.arm_empty is not (state.holding is None):
        raise FieldFault("arm-empty", "does not match 'holding'", verb=True)
    return {"domain": "blocksworld", "init": stacks, "holding": state.holding, "goal": atoms}


def _sokoban(row: _StonesRow) -> dict[str, Any]:
    """Return the record of a state of stones on a grid."""
    cells = {(y, x): cell for y, line in enumerate(row.grid) for x, cell in enumerate(line)}
    if set(cells.values()) - {0, _WALL, _GOAL}:
        raise FieldFault("grid", "expected cells 0 (free), 1 (wall), 2 (goal)")
    player, stones = row.state.at_player, row.state.at_stone
    for thing in (player, *stones):
        if cells.get(thing, _WALL) == _WALL:
            raise FieldFault("state", f"{list(thing)} is not a free cell of the grid")
    if len({player, *stones}) <= len(stones):
        raise FieldFault("state", "two objects are on the same cell")
    # The signs of a thing on a free cell and on a goal.
    signs = {**dict.fromkeys(stones, "$*"), player: "@+"}
    rows = [
        "".join(
            "#" if cell == _WALL else signs.get((y, x), " .")[cell == _GOAL]
            for x, cell in enumerate(line)
        )
        for y, line in enumerate(row.grid)
    ]
    return {"domain": "sokoban", "map": rows}


FORMATS: Final = (
    Format(
        "autotos-states",
        "states of AutoToS's unit tests: blocksworld, Sokoban",
        _claims,
        item_rows,
        _instance,
    ),
)
