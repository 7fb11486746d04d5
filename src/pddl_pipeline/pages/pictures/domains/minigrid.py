"""Minigrid: rooms on a map, locked doors, keys of different shapes, and a robot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.pages.pictures.grid import Cell, cells_by_name, cells_by_rows
from pddl_pipeline.pages.pictures.names import Names, objects_of, predicate_names
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.style import FILLS, fill
from pddl_pipeline.pages.pictures.svg import circle, line, path, rect, text, text_width
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_SIZE: Final = 56
_MARGIN: Final = 8
_BAG: Final = 46
_ROBOT: Final = "the robot"
_VARIANTS: Final = (
    {"conn": ("conn", 2), "open": ("open", 1), "locked": ("locked", 1), "key": ("key-shape", 2),
     "lock": ("lock-shape", 2), "at": ("at", 2), "robot": ("at-robot", 1), "hold": ("holding", 1),
     "empty": ("arm-empty", 0)},
)  # fmt: skip


class _Minigrid:
    def __init__(
        self, task: Task, names: Names, cells: dict[str, Cell], states: Sequence[State]
    ) -> None:
        self._names, self._cells = names, cells
        facts = sorted(task.facts.facts)
        self._shape = {fact[1]: fact[2] for fact in facts if fact[0] == names["key"]}
        self._lock = {fact[1]: fact[2] for fact in facts if fact[0] == names["lock"]}
        shapes = sorted({*self._shape.values(), *self._lock.values()}, key=natural)
        self._colour = {shape: index for index, shape in enumerate(shapes)}
        keys = {
            fact[1] for state in states for fact in state.facts
            if fact[0] in (names["at"], names["hold"])
        }  # fmt: skip
        self._keys = sorted(keys, key=natural)
        columns = max(x for x, _ in cells.values()) + 1
        rows = max(y for _, y in cells.values()) + 1
        self._width = max(columns * _SIZE + 2 * _MARGIN, 260.0)
        self._map_height = rows * _SIZE + 2 * _MARGIN
        self._height = self._map_height + _BAG
        self._all = {(x, y) for x in range(columns) for y in range(rows)}

    def _corner(self, cell: Cell) -> tuple[float, float]:
        return _MARGIN + cell[0] * _SIZE, _MARGIN + cell[1] * _SIZE

    def draw(self, state: State) -> Drawing:
        spots = {name: (*self._corner(cell), _SIZE, _SIZE) for name, cell in self._cells.items()}
        shapes = tuple(self._shapes(state))
        return Drawing(self._width, self._height, self._ground(), shapes, spots)

    def _ground(self) -> str:
        walls = self._all - set(self._cells.values())
        parts = [rect(*self._corner(cell), _SIZE, _SIZE, "wall") for cell in sorted(walls)]
        for place, cell in self._cells.items():
            x, y = self._corner(cell)
            parts.append(rect(x, y, _SIZE, _SIZE, "floor edge"))
            parts.append(text(x + 4, y + 12, place, size=10, anchor="start", style="muted",
                              width=_SIZE - 8))  # fmt: skip
        parts.append(
            text(_MARGIN, self._map_height + 24, "the robot holds:", anchor="start", size=12)
        )
        return "".join(parts)

    def _shapes(self, state: State) -> Iterator[Shape]:
        names = self._names
        for place in self._lock:
            if place in self._cells:
                x, y = self._corner(self._cells[place])
                is_locked = (names["locked"], place) in state.facts
                yield self._door(place, x + 3, y + 15, is_locked=is_locked)
        for fact in sorted(state.facts):
            if fact[0] == names["robot"] and fact[1] in self._cells:
                x, y = self._corner(self._cells[fact[1]])
                yield Shape(_ROBOT, x + 13, y + 14, 30, 36, _robot())
        for key in self._keys:
            if (names["hold"], key) in state.facts:
                x = _MARGIN + text_width("the robot holds:", 12) + 8
                yield self._key(key, x, self._map_height + 5)
        at = [fact for fact in sorted(state.facts) if fact[0] == names["at"]]
        for _, key, place in at:
            if place in self._cells:
                x, y = self._corner(self._cells[place])
                beside = [other for _, other, there in at if there == place].index(key)
                yield self._key(key, x + 4 + 3 * beside, y + _SIZE - 31 - 8 * beside)

    def _fill(self, shape: str) -> str:
        return fill(self._colour.get(shape, len(FILLS) - 1))

    def _door(self, place: str, x: float, y: float, *, is_locked: bool) -> Shape:
        shape = self._lock[place]
        width, height = _SIZE - 6, _SIZE - 18
        if is_locked:
            body = rect(0, 0, width, height, self._fill(shape), 3)
            body += path(f"M{width / 2 - 6} 14V9a6 6 0 0 1 12 0V14", "thick")
            body += text(width / 2, 25, "locked", size=10, style="on", bold=True)
            body += text(width / 2, 35, shape, size=10, style="on", width=width - 6)
        else:
            body = rect(0, 0, 7, height, self._fill(shape), 2)
            body += text(11, height - 3, "unlocked", size=8.5, anchor="start", style="muted")
        return Shape(f"door {place}", x, y, width, height, body)

    def _key(self, name: str, x: float, y: float) -> Shape:
        shape = self._shape.get(name, "")
        style = self._fill(shape)
        body = circle(8, 8, 7, style) + circle(8, 8, 2.5, "paper")
        body += rect(14, 6, 20, 5, style) + rect(27, 10, 4, 5, style)
        body += text(1, 26, name, size=10, anchor="start", bold=True, width=46)
        return Shape(name, x, y, 48, 29, body, (name,))


def _robot() -> str:
    return (
        line(15, 0, 15, 6)
        + rect(3, 5, 24, 15, "thing c7", 4)
        + circle(10, 12, 2.5, "wall")
        + circle(20, 12, 2.5, "wall")
        + rect(6, 21, 18, 15, "thing c7", 3)
    )


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    names = predicate_names(task, _VARIANTS)
    if names is None:
        return None
    places = sorted(objects_of(task, names["robot"], 1, states), key=natural)
    pairs = [(f[1], f[2]) for f in sorted(task.facts.facts) if f[0] == names["conn"]]
    if len(places) < 2 or not pairs:
        named = {name for pair in pairs for name in pair}
        places = sorted(named, key=natural)
    known = {name for pair in pairs for name in pair}
    places = sorted({*places, *known}, key=natural)
    cells = cells_by_name(places)
    if cells is None or not _are_near(cells, pairs):
        cells = cells_by_rows(places, pairs)
    return None if cells is None else _Minigrid(task, names, cells, states).draw


def _are_near(cells: dict[str, Cell], pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether connected places are beside or above each other."""
    return all(
        abs(cells[one][0] - cells[other][0]) + abs(cells[one][1] - cells[other][1]) == 1
        for one, other in pairs
    )


PICTURES: Final = (
    Picture(
        "minigrid",
        "The robot moves between places that are open. A locked place opens with a key of its "
        "shape, from a neighbouring place; keys and doors of one shape have one colour.",
        _scene,
        limit=2500,
    ),
)
