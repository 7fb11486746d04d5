"""The layout of boxes in boxes: in rows, from the upper left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_GAP: Final = 10
_PADDING: Final = 8
_ROW: Final = 330


class Box(NamedTuple):
    """A box with the boxes inside it."""

    width: float
    height: float
    children: dict[str, tuple[float, float, Box]]
    """By name, the place relative to the box, and the box."""

    @classmethod
    def around(cls, inner: Mapping[str, Box], width: float, header: float) -> Box:
        """Return the box around others, below a header of this height."""
        if not inner:
            return cls(width, header, {})
        sizes = [(box.width, box.height) for box in inner.values()]
        places, reach, bottom = flow(sizes, max(_ROW, width), _PADDING, header)
        children = {
            name: (x, y, box) for (name, box), (x, y) in zip(inner.items(), places, strict=True)
        }
        return cls(max(width, reach + _PADDING), bottom + _PADDING, children)


def flow(
    sizes: Sequence[tuple[float, float]], width: float, margin: float, top: float | None = None
) -> tuple[list[tuple[float, float]], float, float]:
    """Return the places of boxes in rows of at most this width, and the size of them all."""
    places = []
    x, y = margin, margin if top is None else top
    row_height = reach = 0.0
    for box_width, box_height in sizes:
        if x > margin and x + box_width > width:
            x, y, row_height = margin, y + row_height + _GAP, 0.0
        places.append((x, y))
        reach = max(reach, x + box_width)
        x += box_width + _GAP
        row_height = max(row_height, box_height)
    return places, reach, y + row_height
