"""Sokoban: a player pushes stones onto goals, with the names of the IPC 2008."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.pddl_printing import Fact, problem_text
from pddl_pipeline.translators.recovery import facts_named, objects_of
from pddl_pipeline.translators.referee import play_all
from pddl_pipeline.translators.translator import Translator
from pddl_pipeline.validation.task import Task

_WALL: Final = "#"
_PLAYERS, _STONES, _GOALS = "@+", "$*", ".+*"
_SIGNS: Final = frozenset(" #@+$*.")
# Columns grow to the right, rows downwards.
_DIRECTIONS: Final = {
    "dir-down": (0, 1), "dir-left": (-1, 0), "dir-right": (1, 0), "dir-up": (0, -1)
}  # fmt: skip
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
        return [
            (column, row)
            for row, line in enumerate(self.map, start=1)
            for column, sign in enumerate(line, start=1)
            if sign in signs
        ]

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


class _Board:
    """The player and the stones on the map, simulated without PDDL."""

    def __init__(self, task: Sokoban) -> None:
        self.task = task
        self.walls = set(task.cells(_WALL))
        self.goals = set(task.cells(_GOALS))
        self.size = len(task.map[0]), len(task.map)
        self.player = task.cells(_PLAYERS)[0]
        self.stones = _stones(task)

    def play(self, step: Step) -> str | None:
        *things, direction = step.arguments
        right, down = _DIRECTIONS[direction]
        named = [_cell(name) for name in things if name.startswith("pos-")]
        x, y = self.player
        way = [(x + times * right, y + times * down) for times in range(len(named))]
        if named != way:
            return f"the player is at {self.task.place(self.player)}, {direction} leads elsewhere"
        if not self._is_free(way[-1]):
            return f"{self.task.place(way[-1])} is not free"
        if step.action != "move":
            fault = self._push(step.action, things[1], way)
            if fault:
                return fault
        self.player = way[1]
        return None

    def _is_free(self, cell: Cell) -> bool:
        inside = 1 <= cell[0] <= self.size[0] and 1 <= cell[1] <= self.size[1]
        return inside and cell not in self.walls and cell not in self.stones.values()

    def _push(self, action: str, stone: str, way: list[Cell]) -> str | None:
        if self.stones[stone] != way[1]:
            return f"{stone} is at {self.task.place(self.stones[stone])}"
        is_goal = way[2] in self.goals
        if (action == "push-to-goal") != is_goal:
            return f"{self.task.place(way[2])} is {'a' if is_goal else 'not a'} goal"
        self.stones[stone] = way[2]
        return None


def _referee(instance: Instance[Sokoban], plan: Plan) -> str | None:
    board = _Board(instance.record)
    goal = [("at-goal", stone) for stone in board.stones]
    return play_all(plan, board.play, goal, lambda atom: board.stones[atom[1]] in board.goals)


TRANSLATOR = Translator(
    record_type=Sokoban,
    size=lambda task: len(task.cells(_STONES)),
    unit="stones",
    problem=_problem,
    recover=_recover,
    referee=_referee,
)
