"""Ferry: shores with cars, and a ferry that carries one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pddl_pipeline.pages.pictures.names import DomainScene, fitting, objects_of, slots
from pddl_pipeline.pages.pictures.panels import Panels
from pddl_pipeline.pages.pictures.picture import Picture, Shape
from pddl_pipeline.pages.pictures.svg import circle, fill, path, rect, text
from pddl_pipeline.validation.state import State

_CAR: Final = 30
_FERRY: Final = "the ferry"


class _Ferry(DomainScene):
    def arrange(self) -> None:
        at, ferry, on = self.ever("at"), self.names["ferry"], self.names["on"]
        cars = {*objects_of(self.task, on, 1, self.states), *(fact[1] for fact in at)}
        self._cars = [name for name in self.colour if name in cars]
        found = {*objects_of(self.task, ferry, 1, self.states), *(fact[2] for fact in at)}
        found |= {fact[1] for fact in self.task.facts.facts if fact[0] == "location"}
        places = [name for name in self.colour if name in found]
        self._car = fitting(self._cars, 46, 100, 18, 13)
        self._boat = self._car + 56
        inside = slots(((fact[1], fact[2]) for fact in at), list(self.colour))
        panels = Panels(places, inside, (self._car + 8, _CAR + 10), reserved=(self._boat, 84))
        self._panels, self.size, self.spots = panels, (panels.width, panels.height), panels.spots()
        water = (
            rect(x + 4, y + panels.lower + 52, panels.inner + 12, 24, "water", 4)
            for x, y, _, _ in self.spots.values()
        )
        self.ground = panels.ground() + "".join(water)

    def shapes(self, state: State) -> Iterator[Shape]:
        panels = self._panels
        for _, port in self.facts("ferry", state):
            if (corner := panels.place(port)) is not None:
                x = corner[0] + (panels.inner - self._boat) / 2
                y = corner[1] + panels.lower + 46
                yield Shape(_FERRY, x, y, self._boat, 26, self._hull())
                aboard = [car for car in self._cars if (self.names["on"], car) in state.facts]
                for index, car in enumerate(aboard):
                    yield self._car_shape(car, x + 34 + index * 8, y - _CAR - 2, _FERRY)
        for _, car, place in self.facts("at", state):
            if (slot := panels.slot(car, place)) is not None:
                yield self._car_shape(car, *slot)

    def _hull(self) -> str:
        end = self._boat
        hull = path(f"M0 4H{end:.1f}L{end - 16:.1f} 26H16Z", "thing c7")
        cabin = rect(8, -16, 20, 20, "thing c7", 2)
        return hull + cabin + text(end / 2 + 4, 20, "ferry", size=12, style="on", bold=True)

    def _car_shape(self, name: str, x: float, y: float, within: str = "") -> Shape:
        wheels = circle(12, _CAR - 4, 5, "wall") + circle(self._car - 12, _CAR - 4, 5, "wall")
        body = rect(0, 2, self._car, _CAR - 7, fill(self.colour[name]), 7) + wheels
        body += text(self._car / 2, 18, name, width=self._car - 10, style="on", bold=True)
        return Shape(name, x, y, self._car, _CAR + 1, body, (name,), within=within)


PICTURES: Final = (
    Picture(
        "ferry",
        "Cars stand at places. The ferry sails between the places and carries one car.",
        _Ferry.of(
            {
                "ferry": ("at-ferry", 1),
                "at": ("at", 2),
                "empty": ("empty-ferry", 0),
                "on": ("on", 1),
            }
        ),
    ),
)
