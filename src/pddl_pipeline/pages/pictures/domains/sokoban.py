"""Sokoban: a map with walls and goals, a player and stones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pddl_pipeline.pages.pictures.grid import Cell, MapScene, cells_by_name, cells_by_steps, side_of
from pddl_pipeline.pages.pictures.names import NotDrawn, objects_of
from pddl_pipeline.pages.pictures.picture import Picture, Shape
from pddl_pipeline.pages.pictures.svg import circle, fill, line, path, rect, text
from pddl_pipeline.validation.state import State

_SIZE: Final = 44
_MARGIN: Final = 6
_PLAYER: Final = 7


class _Sokoban(MapScene):
    def arrange(self) -> None:
        steps = [
            (fact[1], fact[2], side) for fact in sorted(self.ever("dir"))
            if (side := side_of(fact[3])) is not None
        ]  # fmt: skip
        locations = objects_of(self.task, self.names["clear"], 1, self.states)
        cells = cells_by_name(locations)
        if cells is None or not _agree(cells, steps):
            cells = cells_by_steps(steps)
        if cells is None:
            raise NotDrawn
        self.lay_out(cells, _SIZE, _MARGIN)
        stones = set(objects_of(self.task, self.names["done"], 1, self.states))
        self._stones = {
            name: index for index, name in enumerate(name for name in self.colour if name in stones)
        }
        floor = {name for fact in self.ever("dir") for name in fact[1:3]}
        floor |= {fact[-1] for fact in self.ever("clear") | self.ever("at")}
        goals = {fact[1] for fact in self.ever("goal")}
        parts = []
        for location, (x, y, _, _) in self.spots.items():
            parts.append(rect(x, y, _SIZE, _SIZE, "floor edge" if location in floor else "wall"))
            if location in goals:
                parts.append(circle(x + _SIZE / 2, y + _SIZE / 2, 7, "good"))
                parts.append(rect(x + 2, y + 2, _SIZE - 4, _SIZE - 4, "good", 3))
            if location in floor:
                parts.append(text(x + 3, y + 10, _short(location), size=8.5, anchor="start",
                                  style="muted", width=_SIZE - 6))  # fmt: skip
        self.ground = "".join(parts)

    def shapes(self, state: State) -> Iterator[Shape]:
        for _, name, place in self.facts("at", state):
            if place in self.spots:
                x, y, *_ = self.spots[place]
                if name in self._stones:
                    is_done = (self.names["done"], name) in state.facts
                    yield self._stone(name, x, y, is_done=is_done)
                else:
                    yield self._player(name, x, y)

    def _stone(self, name: str, x: float, y: float, *, is_done: bool) -> Shape:
        side = _SIZE - 8
        number = self._stones[name]
        body = rect(0, 0, side, side, fill(number, with_grey=False), 4)
        body += line(0, 0, side, 8, "thing") + line(side, 0, 0, 8, "thing")
        body += text(side / 2, 27, _short(name), width=side - 4, size=13, style="on",
                     bold=True)  # fmt: skip
        if is_done:
            body += text(side / 2, 15, "✓", size=13, style="on", bold=True)
        return Shape(name, x + 4, y + 4, side, side, body, (name,))

    def _player(self, name: str, x: float, y: float) -> Shape:
        side = _SIZE - 12
        body = circle(side / 2, 8, 7, f"thing c{_PLAYER}")
        body += path(f"M4 {side}Q{side / 2} 6 {side - 4} {side}Z", f"thing c{_PLAYER}")
        return Shape(name, x + 6, y + 6, side, side, body, (name,))


def _short(name: str) -> str:
    """Return what tells a name apart from others of its kind: its numbers, if it has some."""
    found = re.search(r"\d+(?:-\d+)*$", name)
    return found[0] if found else name


def _agree(cells: Mapping[str, Cell], steps: Sequence[tuple[str, str, Cell]]) -> bool:
    """Return whether the cells that names say are those of the moves."""
    return all(
        (cells[other][0] - cells[one][0], cells[other][1] - cells[one][1]) == side
        for one, other, side in steps
    )


PICTURES: Final = (
    Picture(
        "sokoban",
        "The player walks on the map and pushes stones, one at a time. Cells with a green frame "
        "are goals; dark cells are walls.",
        _Sokoban.of(
            {
                "clear": ("clear", 1),
                "at": ("at", 2),
                "done": ("at-goal", 1),
                "goal": ("is-goal", 1),
                "dir": ("move-dir", 3),
            },
        ),
        limit=2500,
    ),
)
