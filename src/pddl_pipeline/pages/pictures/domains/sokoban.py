"""Sokoban: a map with walls and goals, a player and stones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.pages.pictures.grid import Cell, cells_by_name, cells_by_steps, side_of
from pddl_pipeline.pages.pictures.names import Names, objects_of, predicate_names
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.style import fill
from pddl_pipeline.pages.pictures.svg import circle, line, path, rect, text
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_SIZE: Final = 44
_MARGIN: Final = 6
_PLAYER: Final = 7
_VARIANTS: Final = (
    {"clear": ("clear", 1), "at": ("at", 2), "done": ("at-goal", 1), "goal": ("is-goal", 1),
     "dir": ("move-dir", 3)},
)  # fmt: skip


class _Sokoban:
    def __init__(
        self, task: Task, names: Names, cells: dict[str, Cell], states: Sequence[State]
    ) -> None:
        self._names, self._cells = names, cells
        facts = task.facts.facts
        self._floor = {fact[n] for fact in facts if fact[0] == names["dir"] for n in (1, 2)}
        self._floor |= {
            fact[-1] for state in states for fact in state.facts
            if fact[0] in (names["clear"], names["at"])
        }  # fmt: skip
        self._goals = {fact[1] for fact in facts if fact[0] == names["goal"]}
        stones = {*objects_of(task, names["done"], 1, states)}
        things = {fact[1] for state in states for fact in state.facts if fact[0] == names["at"]}
        self._stones = {
            name: index for index, name in enumerate(n for n in task.vocabulary.objects
                                                     if n in stones)
        }  # fmt: skip
        self._players = sorted(things - stones)
        self._width = (max(x for x, _ in cells.values()) + 1) * _SIZE + 2 * _MARGIN
        self._height = (max(y for _, y in cells.values()) + 1) * _SIZE + 2 * _MARGIN

    def _corner(self, location: str) -> tuple[float, float]:
        x, y = self._cells[location]
        return _MARGIN + x * _SIZE, _MARGIN + y * _SIZE

    def draw(self, state: State) -> Drawing:
        spots = {name: (*self._corner(name), _SIZE, _SIZE) for name in self._cells}
        shapes = tuple(self._shapes(state))
        return Drawing(self._width, self._height, self._ground(), shapes, spots)

    def _ground(self) -> str:
        parts = []
        for location in self._cells:
            x, y = self._corner(location)
            style = "floor edge" if location in self._floor else "wall"
            parts.append(rect(x, y, _SIZE, _SIZE, style))
            if location in self._goals:
                parts.append(circle(x + _SIZE / 2, y + _SIZE / 2, 7, "good"))
                parts.append(rect(x + 2, y + 2, _SIZE - 4, _SIZE - 4, "good", 3))
            if location in self._floor:
                parts.append(text(x + 3, y + 10, self._short(location), size=8.5, anchor="start",
                                  style="muted", width=_SIZE - 6))  # fmt: skip
        return "".join(parts)

    @staticmethod
    def _short(name: str) -> str:
        """Return what tells a name apart from others of its kind: its numbers, if it has some."""
        found = re.search(r"\d+(?:-\d+)*$", name)
        return found[0] if found else name

    def _shapes(self, state: State) -> Iterator[Shape]:
        for fact in sorted(state.facts):
            if fact[0] != self._names["at"] or fact[2] not in self._cells:
                continue
            x, y = self._corner(fact[2])
            if fact[1] in self._stones:
                is_done = (self._names["done"], fact[1]) in state.facts
                yield self._stone(fact[1], x, y, is_done=is_done)
            else:
                yield self._player(fact[1], x, y)

    def _stone(self, name: str, x: float, y: float, *, is_done: bool) -> Shape:
        side = _SIZE - 8
        number = self._stones[name]
        body = rect(0, 0, side, side, fill(number, with_grey=False), 4)
        body += line(0, 0, side, 8, "thing") + line(side, 0, 0, 8, "thing")
        body += text(side / 2, 27, self._short(name), width=side - 4, size=13, style="on",
                     bold=True)  # fmt: skip
        if is_done:
            body += text(side / 2, 15, "✓", size=13, style="on", bold=True)
        return Shape(name, x + 4, y + 4, side, side, body, (name,))

    def _player(self, name: str, x: float, y: float) -> Shape:
        side = _SIZE - 12
        body = circle(side / 2, 8, 7, f"thing c{_PLAYER}")
        body += path(f"M4 {side}Q{side / 2} 6 {side - 4} {side}Z", f"thing c{_PLAYER}")
        return Shape(name, x + 6, y + 6, side, side, body, (name,))


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    names = predicate_names(task, _VARIANTS)
    if names is None:
        return None
    locations = objects_of(task, names["clear"], 1, states)
    steps = [
        (fact[1], fact[2], side) for fact in sorted(task.facts.facts)
        if fact[0] == names["dir"] and (side := side_of(fact[3])) is not None
    ]  # fmt: skip
    by_name = cells_by_name(locations)
    by_steps = cells_by_steps(steps)
    cells = by_name if by_name is not None and _agree(by_name, steps) else by_steps
    return None if cells is None else _Sokoban(task, names, cells, states).draw


def _agree(cells: dict[str, Cell], steps: Sequence[tuple[str, str, Cell]]) -> bool:
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
        _scene,
        limit=2500,
    ),
)
