"""Sokoban: a player pushes stones onto goals, with the names of the IPC 2008."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.problems import facts_named, objects_of, problem_text
from pddl_pipeline.translators.referee import Board, Fact, Move
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task

_WALL: Final = "#"
_PLAYERS, _STONES, _GOALS = "@+", "$*", ".+*"
_SIGNS: Final = frozenset(" #@+$*.")
# Columns grow to the right, rows downwards.
_DIRECTIONS: Final = {
    "dir-down": (0, 1),
    "dir-left": (-1, 0),
    "dir-right": (1, 0),
    "dir-up": (0, -1),
}
_PLAYER: Final = "player-01"

Cell = tuple[int, int]
"""Column and row, from 1."""


@dataclass(frozen=True, slots=True)
class Sokoban:
    """The map, in the usual characters of Sokoban levels."""

    map: tuple[str, ...]
    """Rows: ``#`` wall, ``@`` player, ``$`` stone, ``.`` goal, ``+`` player and ``*`` stone on a
    goal. Shorter rows are padded with floor."""

    def __post_init__(self) -> None:
        width = max((len(row) for row in self.map), default=0)
        if not width:
            raise FieldFault("map", "found no row")
        for row in self.map:
            wrong = set(row) - _SIGNS
            if wrong:
                raise FieldFault("map", f"found '{min(wrong)}', expected one of '#@+$*. '")
        object.__setattr__(self, "map", tuple(row.ljust(width) for row in self.map))
        players = len(self.cells(_PLAYERS))
        if players != 1:
            raise FieldFault("map", f"found {players} players, expected one '@' or '+'")
        if not self.cells(_STONES):
            raise FieldFault("map", "found no stone '$' or '*'")

    def cells(self, signs: str) -> list[Cell]:
        """Return the cells with one of these characters, row by row."""
        return [cell for cell, sign in self.squares() if sign in signs]

    def squares(self) -> Iterator[tuple[Cell, str]]:
        """Yield each cell and its character, row by row."""
        for row, line in enumerate(self.map, start=1):
            for column, sign in enumerate(line, start=1):
                yield (column, row), sign

    def place(self, cell: Cell) -> str:
        """Return the name of a cell. Coordinates are padded to the width of the largest one."""
        digits = len(str(max(len(self.map[0]), len(self.map))))
        return f"pos-{cell[0]:0{digits}}-{cell[1]:0{digits}}"


def _stones(task: Sokoban) -> dict[str, Cell]:
    """Return the stones by their names, row by row."""
    return {f"stone-{number:02}": cell for number, cell in enumerate(task.cells(_STONES), start=1)}


def _problem(instance: Instance[Sokoban]) -> str:
    task = instance.record
    stones = _stones(task)
    everywhere = task.cells("".join(_SIGNS))
    # As in the IPC's files, walls are locations too, but no move leads to them.
    objects: dict[str, str | None] = dict.fromkeys(map(task.place, everywhere), "location")
    objects |= dict.fromkeys(_DIRECTIONS, "direction") | dict.fromkeys(stones, "stone")
    objects[_PLAYER] = "player"
    goals = set(task.cells(_GOALS))
    facts: list[Fact] = [("at", _PLAYER, task.place(task.cells(_PLAYERS)[0]))]
    facts += [("at", name, task.place(cell)) for name, cell in stones.items()]
    facts += [("at-goal", name) for name, cell in stones.items() if cell in goals]
    facts += [("clear", task.place(cell)) for cell in task.cells(" .")]
    facts += [
        ("is-goal" if cell in goals else "is-nongoal", task.place(cell)) for cell in everywhere
    ]
    facts += _ways(task)
    goal = [("at-goal", name) for name in stones]
    return problem_text(instance.id, "sokoban-sequential", objects, facts, goal)


def _ways(task: Sokoban) -> list[Fact]:
    floor = set(task.cells(" @+$*."))
    return [
        ("move-dir", task.place((x, y)), task.place((x + right, y + down)), name)
        for x, y in sorted(floor)
        for name, (right, down) in _DIRECTIONS.items()
        if (x + right, y + down) in floor
    ]


def _recover(task: Task, _: str) -> Sokoban:
    places = {name: _cell(name) for name in objects_of(task, "location")}
    width = max(column for column, _ in places.values())
    height = max(row for _, row in places.values())
    signs = dict.fromkeys(places.values(), _WALL)
    # A place that is neither clear nor occupied is a wall.
    signs |= {places[place]: " " for _, place in facts_named(task, "clear")}
    for _, thing, place in facts_named(task, "at"):
        signs[places[place]] = "@" if thing == _PLAYER else "$"
    on_goal = {" ": ".", "@": "+", "$": "*"}
    for _, place in facts_named(task, "is-goal"):
        signs[places[place]] = on_goal[signs[places[place]]]
    return Sokoban(
        tuple(
            "".join(signs[column, row] for column in range(1, width + 1))
            for row in range(1, height + 1)
        )
    )


def _cell(place: str) -> Cell:
    _, column, row = place.split("-")
    return int(column), int(row)


_PUSH: Final = Move(
    ("player", "stone", "from", "next", "to", "direction"),
    {"player": "from", "stone": "next"},
    {"player": "next", "stone": "to"},
    clear=("to",),
)
_MOVES: Final = {
    "move": Move(
        ("player", "from", "to", "direction"), {"player": "from"}, {"player": "to"}, clear=("to",)
    ),
    "push-to-goal": _PUSH,
    "push-to-nongoal": _PUSH,
}


class _Level(Board):
    """The player and the stones on the map."""

    def __init__(self, task: Sokoban) -> None:
        self.signs = {task.place(cell): sign for cell, sign in task.squares()}
        where = {name: task.place(cell) for name, cell in _stones(task).items()}
        super().__init__(_MOVES, {**where, _PLAYER: task.place(task.cells(_PLAYERS)[0])})

    def further_fault(self, action: str, names: Mapping[str, str]) -> str | None:
        way = [_cell(names[name]) for name in ("from", "next", "to") if name in names]
        right, down = _DIRECTIONS[names["direction"]]
        if any((x + right, y + down) != cell for (x, y), cell in pairwise(way)):
            return f"{names['direction']} leads elsewhere"
        sign = self.signs[names["to"]]
        if sign == _WALL:
            return f"{names['to']} is a wall"
        if action != "move" and (action == "push-to-goal") != (sign in _GOALS):
            return f"{names['to']} is {'a' if sign in _GOALS else 'not a'} goal"
        return None

    def satisfies(self, atom: Fact) -> bool:
        return self.signs[self.where[atom[1]]] in _GOALS


TRANSLATOR = Translator(
    record_type=Sokoban,
    size=lambda task: len(task.cells(_STONES)),
    unit="stones",
    problem=_problem,
    recover=_recover,
    referee=lambda instance, plan: _Level(instance.record).fault(
        plan, [("at-goal", name) for name in _stones(instance.record)]
    ),
)
