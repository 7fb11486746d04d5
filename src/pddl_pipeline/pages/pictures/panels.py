"""Places as panels beside each other, with fixed slots for the things that come to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from pddl_pipeline.pages.pictures.picture import Spot
from pddl_pipeline.pages.pictures.svg import rect, text, text_width

_GAP: Final = 14
_MARGIN: Final = 10
_HEADER: Final = 26
_PADDING: Final = 10


class Panels:
    """A panel for each place. Every thing that is ever there has its own slot."""

    def __init__(  # noqa: PLR0913 -- the measures
        self,
        places: Sequence[str],
        slots: Mapping[str, Mapping[str, int]],
        size: tuple[float, float],
        *,
        reserved: tuple[float, float] = (0, 0),
        columns: int = 3,
        width: float = 900,
    ) -> None:
        """Lay out the panels.

        Args:
            places: names of the places, in order.
            slots: by place, the slot of each thing; see `names.slots`.
            size: width and height of a slot.
            reserved: width and height of the part of each panel below the slots.
            columns: largest number of slots beside each other.
            width: largest width of all panels together.
        """
        self.names = tuple(places)
        self._slots, self._size = slots, size
        most = max((len(slots.get(place, ())) for place in places), default=0)
        self._columns = max(1, min(columns, most))
        rows = ceil(most / self._columns)
        named = max((text_width(place) for place in places), default=0)
        self.inner = max(self._columns * size[0], reserved[0], min(named, 160))
        self.panel = (self.inner + 2 * _PADDING, _HEADER + rows * size[1] + reserved[1] + _PADDING)
        per_row = max(1, int((width - _MARGIN) // (self.panel[0] + _GAP)))
        self._places = {
            place: (
                _MARGIN + (index % per_row) * (self.panel[0] + _GAP),
                _MARGIN + (index // per_row) * (self.panel[1] + _GAP),
            )
            for index, place in enumerate(places)
        }
        self.lower = _HEADER + rows * size[1]
        """Height of the panel above its reserved part."""
        used = min(per_row, max(1, len(places)))
        lines = ceil(len(places) / per_row)
        self.width = 2 * _MARGIN + used * (self.panel[0] + _GAP) - _GAP
        self.height = 2 * _MARGIN + lines * (self.panel[1] + _GAP) - _GAP

    def ground(self, style: str = "panel edge") -> str:
        """Return the panels with their names."""
        width, height = self.panel
        return "".join(
            rect(x, y, width, height, style, 8)
            + text(x + width / 2, y + 18, place, width=width - 12, bold=True)
            for place, (x, y) in self._places.items()
        )

    def spots(self) -> dict[str, Spot]:
        """Return where each place is drawn."""
        return {name: (x, y, *self.panel) for name, (x, y) in self._places.items()}

    def place(self, name: str) -> tuple[float, float] | None:
        """Return the upper left corner of a panel's content; None for an unknown place."""
        corner = self._places.get(name)
        return corner and (corner[0] + _PADDING, corner[1])

    def slot(self, thing: str, place: str) -> tuple[float, float] | None:
        """Return the upper left corner of a thing's slot in a place."""
        corner = self.place(place)
        if corner is None or thing not in self._slots.get(place, {}):
            return None
        row, column = divmod(self._slots[place][thing], self._columns)
        return corner[0] + column * self._size[0], corner[1] + _HEADER + row * self._size[1]
