"""Minigrid: rooms on a map, locked doors, keys of different shapes, and a robot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pddl_pipeline.pages.pictures.grid import Cell, MapScene, cells_by_name, cells_by_rows
from pddl_pipeline.pages.pictures.names import NotDrawn, objects_of
from pddl_pipeline.pages.pictures.picture import Picture, Shape
from pddl_pipeline.pages.pictures.svg import FILLS, circle, fill, line, path, rect, text, text_width
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.validation.state import State

_SIZE: Final = 56
_MARGIN: Final = 8
_BAG: Final = 46
_ROBOT: Final = "the robot"
_HOLDS: Final = "the robot holds:"


class _Minigrid(MapScene):
    def arrange(self) -> None:
        shapes = {"key": self.ever("key"), "lock": self.ever("lock")}
        self._shape, self._lock = (
            {fact[1]: fact[2] for fact in sorted(facts)} for facts in shapes.values()
        )
        known = sorted({*self._shape.values(), *self._lock.values()}, key=natural)
        self._tints = {shape: index for index, shape in enumerate(known)}
        keys = {fact[1] for fact in self.ever("at") | self.ever("hold")}
        self._keys = sorted(keys, key=natural)
        self.lay_out(self._cells(), _SIZE, _MARGIN)
        width, self._below = self.size
        self.size = max(width, 260), self._below + _BAG
        parts = [rect(*corner, _SIZE, _SIZE, "wall") for corner in self.walls]
        for place, (x, y, _, _) in self.spots.items():
            parts.append(rect(x, y, _SIZE, _SIZE, "floor edge"))
            parts.append(text(x + 4, y + 12, place, size=10, anchor="start", style="muted",
                              width=_SIZE - 8))  # fmt: skip
        parts.append(text(_MARGIN, self._below + 24, _HOLDS, anchor="start", size=12))
        self.ground = "".join(parts)

    def _cells(self) -> dict[str, Cell]:
        pairs = [(fact[1], fact[2]) for fact in sorted(self.ever("conn"))]
        places = {name for pair in pairs for name in pair}
        if pairs:
            found = objects_of(self.task, self.names["robot"], 1, self.states)
            places |= set(found if len(found) > 1 else ())
        names = sorted(places, key=natural)
        cells = cells_by_name(names) if names else None
        if cells is None or not _are_near(cells, pairs):
            cells = cells_by_rows(names, pairs)
        if cells is None:
            raise NotDrawn
        return cells

    def shapes(self, state: State) -> Iterator[Shape]:
        for place in self._lock:
            if place in self.spots:
                x, y, *_ = self.spots[place]
                is_locked = (self.names["locked"], place) in state.facts
                yield self._door(place, x + 3, y + 15, is_locked=is_locked)
        for _, place in self.facts("robot", state):
            if place in self.spots:
                x, y, *_ = self.spots[place]
                yield Shape(_ROBOT, x + 13, y + 14, 30, 36, _robot())
        for key in self._keys:
            if (self.names["hold"], key) in state.facts:
                yield self._key(key, _MARGIN + text_width(_HOLDS, 12) + 8, self._below + 5)
        inside = Counter[str]()
        for _, key, place in self.facts("at", state):
            if place in self.spots:
                x, y, *_ = self.spots[place]
                beside = inside[place]
                inside[place] += 1
                yield self._key(key, x + 4 + 3 * beside, y + _SIZE - 31 - 8 * beside)

    def _fill(self, shape: str) -> str:
        return fill(self._tints.get(shape, len(FILLS) - 1))

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


def _are_near(cells: Mapping[str, Cell], pairs: Sequence[tuple[str, str]]) -> bool:
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
        _Minigrid.of(
            {
                "conn": ("conn", 2),
                "open": ("open", 1),
                "locked": ("locked", 1),
                "key": ("key-shape", 2),
                "lock": ("lock-shape", 2),
                "at": ("at", 2),
                "robot": ("at-robot", 1),
                "hold": ("holding", 1),
                "empty": ("arm-empty", 0),
            },
        ),
        limit=2500,
    ),
)
