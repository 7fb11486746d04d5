"""Depots: places with hoists, pallets with stacks of crates, and trucks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from pddl_pipeline.pages.pictures.names import DomainScene, NotDrawn, fitting, kind_of, slots
from pddl_pipeline.pages.pictures.panels import Panels
from pddl_pipeline.pages.pictures.picture import Picture, Shape
from pddl_pipeline.pages.pictures.svg import circle, fill, line, path, rect, text
from pddl_pipeline.validation.state import State

_CRATE: Final = 28
_GAP: Final = 12
_HEADER: Final = 30
_HOIST: Final = 40
_TRUCK: Final = 26
_LANE: Final = _CRATE + _TRUCK + 20
"""The height of a truck with its load and the space around it."""


class _Depots(DomainScene):
    def arrange(self) -> None:
        crates, trucks, hoists, pallets, places = (
            kind_of(self.task, kind) for kind in ("crate", "truck", "hoist", "pallet", "place")
        )
        if not (crates and hoists and places):
            raise NotDrawn
        at = {(fact[1], fact[2]) for fact in self.ever("at")}
        self._trucks, self._hoists, self._pallets = (
            slots((pair for pair in at if pair[0] in things), list(self.colour))
            for things in (trucks, hoists, pallets)
        )
        self._crate = fitting((*crates, *pallets), 52, 120, 12, 12)
        self._hoist = fitting(hoists, self._crate, 120, 12, 12)
        loads = (Counter(fact[2] for fact in self.facts("in", each)) for each in self.states)
        most = max((load for each in loads for load in each.values()), default=0)
        self._truck = max(fitting(trucks, 60, 120, 12, 12) + 34, most * (self._crate + 4) + 40)
        wide = max(
            _most(self._pallets) * (self._crate + _GAP), _most(self._hoists) * (self._hoist + _GAP),
            self._truck + _GAP, 110,
        )  # fmt: skip
        tallest = max(level for each in self.states for *_, level in self._stacked(each))
        self._floor = _HEADER + _HOIST + _CRATE + 16 + max(1, tallest) * _CRATE
        height = self._floor + _most(self._trucks) * _LANE + 4
        self._panels = panels = Panels(places, {}, (0, 0), reserved=(wide, height))
        self.size, self.spots = (panels.width, panels.height), panels.spots()
        self.ground = panels.ground() + "".join(
            line(x + 4, y + self._floor + 22, x + width - 4, y + self._floor + 22)
            for x, y, width, _ in self.spots.values()
        )

    def _stacked(self, state: State) -> list[tuple[str, str, int]]:
        """Return each pallet, then each crate on one, with its pallet and the level."""
        on = defaultdict[str, list[str]](list)
        for _, crate, surface in self.facts("on", state):
            on[surface].append(crate)
        found = [(name, name, 0) for inside in self._pallets.values() for name in inside]
        seen = set[str]()
        for surface, pallet, level in found:
            above = [crate for crate in on[surface] if crate not in seen]
            seen.update(above)
            found += [(crate, pallet, level + 1) for crate in above]
        return found

    def shapes(self, state: State) -> Iterator[Shape]:
        corners: dict[str, tuple[float, float]] = {}
        for place, (left, y, *_) in self.spots.items():
            x = left + _GAP
            for hoist, index in self._hoists.get(place, {}).items():
                yield from self._lifting(hoist, x + index * (self._hoist + _GAP), y, state)
            for pallet, index in self._pallets.get(place, {}).items():
                corners[pallet] = x + index * (self._crate + _GAP), y + self._floor
            for truck, lane in self._trucks.get(place, {}).items():
                if (self.names["at"], truck, place) in state.facts:
                    corners[truck] = x, y + self._floor + 30 + lane * _LANE
                    yield self._truck_shape(truck, *corners[truck])
        for name, pallet, level in self._stacked(state):
            x, y = corners[pallet]
            draw = self._crate_shape if level else self._pallet_shape
            yield draw(name, x, y - level * _CRATE)
        loaded = Counter[str]()
        for _, crate, truck in self.facts("in", state):
            if truck in corners:
                x, y = corners[truck]
                yield self._crate_shape(
                    crate, x + 32 + loaded[truck] * (self._crate + 4), y + 2, truck
                )
                loaded[truck] += 1

    def _lifting(self, name: str, x: float, y: float, state: State) -> Iterator[Shape]:
        """Yield a hoist, which hangs from the ceiling, and the crates that it lifts."""
        middle = self._hoist / 2
        body = rect(0, 0, self._hoist, 18, "thing c7", 3)
        body += text(middle, 13, name, size=12, width=self._hoist - 6, style="on", bold=True)
        body += line(middle, 18, middle, 32, "thick")
        body += path(f"M{middle - 9:.1f} 40V32H{middle + 9:.1f}V40", "thick")
        yield Shape(name, x, y + _HEADER, self._hoist, _HOIST, body, (name,))
        for _, hoist, crate in self.facts("lift", state):
            if hoist == name:
                left = x + (self._hoist - self._crate) / 2
                yield self._crate_shape(crate, left, y + _HEADER + _HOIST - 4)

    def _crate_shape(self, name: str, x: float, y: float, within: str = "") -> Shape:
        style = fill(self.colour[name], with_grey=False)
        body = rect(0, 0, self._crate, _CRATE, style, 2)
        body += text(self._crate / 2, 18, name, size=12, width=self._crate - 6, style="on",
                     bold=True)  # fmt: skip
        return Shape(name, x, y, self._crate, _CRATE, body, (name,), within=within)

    def _pallet_shape(self, name: str, x: float, y: float) -> Shape:
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


def _most(slots_of: Mapping[str, Mapping[str, int]]) -> int:
    """Return the largest number of things at one place."""
    return max(map(len, slots_of.values()), default=0)


PICTURES: Final = (
    Picture(
        "depots",
        "At each place, hoists (above) lift crates from stacks on pallets and into trucks (below). "
        "Trucks drive between the places.",
        _Depots.of(
            {
                "at": ("at", 2),
                "on": ("on", 2),
                "in": ("in", 2),
                "lift": ("lifting", 2),
                "free": ("available", 1),
                "clear": ("clear", 1),
            }
        ),
    ),
)
