"""Ferry: shores with cars, and a ferry that carries one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.pages.pictures.names import Names, colour_of, objects_of, predicate_names, slots
from pddl_pipeline.pages.pictures.panels import Panels
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.style import fill
from pddl_pipeline.pages.pictures.svg import circle, path, rect, text, text_width
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_CAR: Final = 30
_VARIANTS: Final = (
    {"ferry": ("at-ferry", 1), "at": ("at", 2), "empty": ("empty-ferry", 0), "on": ("on", 1)},
)


class _Ferry:
    def __init__(self, task: Task, names: Names, states: Sequence[State]) -> None:
        self._names = names
        self._colour = colour_of(task)
        self._cars = objects_of(task, names["on"], 1, states) or []
        at = [fact for state in states for fact in state.facts if fact[0] == names["at"]]
        self._cars = [name for name in self._colour if name in {*self._cars, *(f[1] for f in at)}]
        found = {*objects_of(task, names["ferry"], 1, states), *(fact[2] for fact in at)}
        found |= {fact[1] for fact in task.facts.facts if fact[0] == "location"}
        places = [name for name in self._colour if name in found]
        longest = max((text_width(name) for name in self._cars), default=0)
        self._car = min(100.0, max(46.0, longest + 18))
        boat = self._car + 56
        inside = slots(((fact[1], fact[2]) for fact in at), list(self._colour))
        self._panels = Panels(places, inside, (self._car + 8, _CAR + 10), reserved=(boat, 84))
        self._boat = boat

    def draw(self, state: State) -> Drawing:
        panels = self._panels
        shapes = tuple(self._shapes(state))
        return Drawing(panels.width, panels.height, self._ground(), shapes, panels.spots())

    def _ground(self) -> str:
        parts = [self._panels.ground()]
        for place in self._panels.names:
            x, y = self._panels.place(place) or (0, 0)
            water = y + self._panels.lower + 52
            parts.append(rect(x - 6, water, self._panels.inner + 12, 24, "water", 4))
        return "".join(parts)

    def _shapes(self, state: State) -> Iterator[Shape]:
        docked: tuple[float, float] | None = None
        for fact in sorted(state.facts):
            if fact[0] == self._names["ferry"] and (place := self._panels.place(fact[1])):
                docked = place[0] + (self._panels.inner - self._boat) / 2, place[1]
                docked = docked[0], docked[1] + self._panels.lower + 46
                yield Shape("the ferry", *docked, self._boat, 26, self._hull())
        aboard = 0
        for car in self._cars:
            if (self._names["on"], car) in state.facts and docked is not None:
                x = docked[0] + 34 + aboard * 8
                aboard += 1
                yield self._car_shape(car, x, docked[1] - _CAR - 2, "the ferry")
        for fact in sorted(state.facts):
            if fact[0] == self._names["at"]:
                slot = self._panels.slot(fact[1], fact[2])
                if slot is not None:
                    yield self._car_shape(fact[1], *slot)

    def _hull(self) -> str:
        end = self._boat
        hull = path(f"M0 4H{end:.1f}L{end - 16:.1f} 26H16Z", "thing c7")
        cabin = rect(8, -16, 20, 20, "thing c7", 2)
        return hull + cabin + text(end / 2 + 4, 20, "ferry", size=12, style="on", bold=True)

    def _car_shape(self, name: str, x: float, y: float, within: str = "") -> Shape:
        wheels = circle(12, _CAR - 4, 5, "wall") + circle(self._car - 12, _CAR - 4, 5, "wall")
        body = rect(0, 2, self._car, _CAR - 7, fill(self._colour[name]), 7) + wheels
        body += text(self._car / 2, 18, name, width=self._car - 10, style="on", bold=True)
        return Shape(name, x, y, self._car, _CAR + 1, body, (name,), within=within)


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    names = predicate_names(task, _VARIANTS)
    return None if names is None else _Ferry(task, names, states).draw


PICTURES: Final = (
    Picture(
        "ferry",
        "Cars stand at places. The ferry sails between the places and carries one car.",
        _scene,
    ),
)
