"""Depots: places with hoists, pallets with stacks of crates, and trucks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.pages.pictures.names import Names, colour_of, kind_of, predicate_names
from pddl_pipeline.pages.pictures.picture import Drawing, Picture, Scene, Shape
from pddl_pipeline.pages.pictures.style import fill
from pddl_pipeline.pages.pictures.svg import circle, line, path, rect, text, text_width
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_CRATE: Final = 28
_GAP: Final = 12
_HEADER: Final = 30
_HOIST: Final = 40
_TRUCK: Final = 26
_MARGIN: Final = 10
_VARIANTS: Final = (
    {"at": ("at", 2), "on": ("on", 2), "in": ("in", 2), "lift": ("lifting", 2),
     "free": ("available", 1), "clear": ("clear", 1)},
)  # fmt: skip
Place = tuple[float, float]


class _Depots:
    def __init__(self, task: Task, names: Names, states: Sequence[State]) -> None:
        self._names = names
        self._colour = colour_of(task)
        self._crates = set(kind_of(task, "crate"))
        trucks, hoists, pallets = (
            set(kind_of(task, name)) for name in ("truck", "hoist", "pallet")
        )
        self._places = kind_of(task, "place")
        at = {(f[1], f[2]) for state in states for f in state.facts if f[0] == names["at"]}
        self._inside = {
            kind: {
                place: [name for name in self._colour if name in things and (name, place) in at]
                for place in self._places
            }
            for kind, things in (("truck", trucks), ("hoist", hoists), ("pallet", pallets))
        }
        self._crate = self._width_of(self._crates | pallets, 52)
        self._hoist = self._width_of(hoists, self._crate)
        self._load = max(
            (sum(f[0] == names["in"] and f[2] == truck for f in state.facts)
             for state in states for truck in trucks), default=0,
        )  # fmt: skip
        self._truck = max(self._width_of(trucks, 60) + 34, self._load * (self._crate + 4) + 40)
        self._tallest = max((self._height_of(state) for state in states), default=1)
        self._measure()

    def _measure(self) -> None:
        inside = self._inside
        widest = max((len(each) for each in inside["pallet"].values()), default=1)
        hoists = max((len(each) for each in inside["hoist"].values()), default=1)
        self._wide = max(
            widest * (self._crate + _GAP), hoists * (self._hoist + _GAP), self._truck + _GAP, 110
        )
        self._floor = _HEADER + _HOIST + _CRATE + 16 + self._tallest * _CRATE
        lanes = max((len(each) for each in inside["truck"].values()), default=0)
        self._lane = _CRATE + _TRUCK + 20
        height = self._floor + 36 + lanes * self._lane + 4
        columns = max(1, min(len(self._places), int(900 // (self._wide + 3 * _GAP))))
        self._corners: dict[str, Place] = {
            place: (
                _MARGIN + (index % columns) * (self._wide + 2 * _GAP + _GAP),
                _MARGIN + (index // columns) * (height + _GAP),
            )
            for index, place in enumerate(self._places)
        }
        self._panel = (self._wide + 2 * _GAP - 4, height)
        rows = -(-max(1, len(self._places)) // columns)
        self._size = (
            2 * _MARGIN + columns * (self._wide + 3 * _GAP) - _GAP,
            2 * _MARGIN + rows * (height + _GAP) - _GAP,
        )

    @staticmethod
    def _width_of(names: set[str], least: float) -> float:
        return min(120.0, max(least, *(text_width(name, 12) + 12 for name in names), 0))

    def _on(self, state: State) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for fact in sorted(state.facts):
            if fact[0] == self._names["on"]:
                found.setdefault(fact[2], []).append(fact[1])
        return found

    def _height_of(self, state: State) -> int:
        """Return the number of crates in the highest stack."""
        on = self._on(state)
        level = [name for inside in self._inside["pallet"].values() for each in inside
                 for name in on.get(each, ())]  # fmt: skip
        height = 0
        while level and height <= len(self._crates):
            height += 1
            level = [upper for name in level for upper in on.get(name, ())]
        return max(1, height)

    def draw(self, state: State) -> Drawing:
        spots = {name: (*corner, *self._panel) for name, corner in self._corners.items()}
        ground = "".join(
            rect(*corner, *self._panel, "panel edge", 8)
            + text(corner[0] + 12, corner[1] + 20, place, anchor="start", bold=True,
                   width=self._wide)
            + line(corner[0] + 4, corner[1] + self._floor + 22,
                   corner[0] + self._panel[0] - 4, corner[1] + self._floor + 22)
            for place, corner in self._corners.items()
        )  # fmt: skip
        return Drawing(*self._size, ground, tuple(self._shapes(state)), spots)

    def _shapes(self, state: State) -> Iterator[Shape]:
        on = self._on(state)
        trucks = self._truck_places(state)
        for place, (x, y) in self._corners.items():
            for index, pallet in enumerate(self._inside["pallet"][place]):
                left = x + _GAP + index * (self._crate + _GAP)
                yield self._pallet(pallet, left, y + self._floor)
                yield from self._stack(pallet, on, left, y + self._floor, set())
            for index, hoist in enumerate(self._inside["hoist"][place]):
                left = x + _GAP + index * (self._hoist + _GAP)
                yield from self._hoists(hoist, left, y + _HEADER, state)
        for truck, (x, y) in trucks.items():
            yield self._truck_shape(truck, x, y)
        loaded: dict[str, int] = {}
        for fact in sorted(state.facts):
            if fact[0] == self._names["in"] and fact[2] in trucks:
                x, y = trucks[fact[2]]
                slot = loaded[fact[2]] = loaded.get(fact[2], -1) + 1
                left = x + 32 + slot * (self._crate + 4)
                yield self._crate_shape(fact[1], left, y + 2, fact[2])

    def _truck_places(self, state: State) -> dict[str, Place]:
        found: dict[str, Place] = {}
        for fact in sorted(state.facts):
            lanes = self._inside["truck"].get(fact[2], []) if fact[0] == self._names["at"] else []
            if fact[0] == self._names["at"] and fact[1] in lanes:
                x, y = self._corners[fact[2]]
                lane = lanes.index(fact[1])
                found[fact[1]] = x + _GAP, y + self._floor + 30 + lane * self._lane
        return found

    def _stack(
        self, surface: str, on: dict[str, list[str]], x: float, y: float, seen: set[str]
    ) -> Iterator[Shape]:
        for crate in on.get(surface, ()):
            if crate not in seen:
                seen.add(crate)
                yield self._crate_shape(crate, x, y - _CRATE)
                yield from self._stack(crate, on, x, y - _CRATE, seen)

    def _hoists(self, name: str, x: float, y: float, state: State) -> Iterator[Shape]:
        """Yield a hoist, which hangs from the ceiling, and the crates that it lifts."""
        middle = self._hoist / 2
        body = rect(0, 0, self._hoist, 18, "thing c7", 3)
        body += text(middle, 13, name, size=12, width=self._hoist - 6, style="on", bold=True)
        body += line(middle, 18, middle, 32, "thick")
        body += path(f"M{middle - 9:.1f} 40V32H{middle + 9:.1f}V40", "thick")
        yield Shape(name, x, y, self._hoist, _HOIST, body, (name,))
        for fact in sorted(state.facts):
            if fact[:2] == (self._names["lift"], name):
                yield self._crate_shape(
                    fact[2], x + (self._hoist - self._crate) / 2, y + _HOIST - 4
                )

    def _crate_shape(self, name: str, x: float, y: float, within: str = "") -> Shape:
        style = fill(self._colour[name], with_grey=False)
        body = rect(0, 0, self._crate, _CRATE, style, 2)
        body += text(self._crate / 2, 18, name, size=12, width=self._crate - 6, style="on",
                     bold=True)  # fmt: skip
        return Shape(name, x, y, self._crate, _CRATE, body, (name,), within=within)

    def _pallet(self, name: str, x: float, y: float) -> Shape:
        body = rect(0, 0, self._crate, 5, "wall", 1)
        body += text(self._crate / 2, 16, name, size=10, width=self._crate, style="muted")
        return Shape(name, x, y, self._crate, 19, body, (name,))

    def _truck_shape(self, name: str, x: float, y: float) -> Shape:
        low = _CRATE + 2
        body = path(f"M0 {low}V{low - 16}H8L14 {low - 26}H28V{low}Z", "thing c7")
        body += rect(0, low, self._truck, 20, "thing c7", 3)
        body += circle(16, low + 21, 6, "wall") + circle(self._truck - 16, low + 21, 6, "wall")
        body += text(self._truck / 2, low + 14.5, name, size=12, width=self._truck - 50, style="on",
                     bold=True)  # fmt: skip
        return Shape(name, x, y, self._truck, _CRATE + _TRUCK + 3, body, (name,))


def _scene(task: Task, states: Sequence[State]) -> Scene | None:
    names = predicate_names(task, _VARIANTS)
    if names is None or not all(kind_of(task, kind) for kind in ("place", "hoist", "crate")):
        return None
    return _Depots(task, names, states).draw


PICTURES: Final = (
    Picture(
        "depots",
        "At each place, hoists (above) lift crates from stacks on pallets and into trucks (below). "
        "Trucks drive between the places.",
        _scene,
    ),
)
