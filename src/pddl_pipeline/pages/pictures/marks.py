"""Marks for what a step changes: drawn on a picture by comparing it with the one before."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape
from math import atan2, degrees, hypot

from pddl_pipeline.pages.html_page import part
from pddl_pipeline.pages.pictures.picture import Drawing, Shape
from pddl_pipeline.pages.pictures.svg import line, number, rect

_HALO = 3
"""Distance between a shape and the mark around it, in pixels."""
_SHORTEST_WAY = 12
_TIP = 9
Parts = tuple[str, ...]


def marked_parts(
    drawing: Drawing, before: Drawing | None = None, at_fault: Collection[str] = ()
) -> Parts:
    """Return the parts of a picture from the bottom to the top, with marks.

    Args:
        drawing: the picture.
        before: the picture before the step, if there is one.
        at_fault: the objects of conditions that do not hold.
    """
    below, above = _changes(drawing, before) if before is not None else ([], [])
    faulty = set(at_fault)
    faults = [_halo(each, "fault") for each in drawing.shapes if faulty.intersection(each.objects)]
    faults += [
        rect(*spot, "fault", 4) for name, spot in sorted(drawing.spots.items()) if name in faulty
    ]
    parts = [*below, *map(placed, drawing.shapes), *above, *faults]
    return tuple(filter(None, parts))


def _changes(drawing: Drawing, before: Drawing) -> tuple[list[str], list[str]]:
    """Return the marks below the shapes, for what was before, and those above, for what is new."""
    old = {shape.key: shape for shape in before.shapes}
    new = {shape.key: shape for shape in drawing.shapes}
    below = [_old(each) for key, each in old.items() if key not in new]
    above = []
    for key, shape in new.items():
        origin = old.get(key)
        if shape == origin or _is_carried(origin, shape, old, new):
            continue
        above.append(_halo(shape, "new"))
        if origin is not None and (origin.x, origin.y) != (shape.x, shape.y):
            below.append(_old(origin))
            above.append(_way(origin, shape))
    return below, above


def _is_carried(
    origin: Shape | None, shape: Shape, old: Mapping[str, Shape], new: Mapping[str, Shape]
) -> bool:
    """Return whether a shape only moves along with the shape that carries it."""
    carrier, carrier_before = new.get(shape.within), old.get(shape.within)
    if origin is None or carrier is None or carrier_before is None:
        return False
    return (
        origin._replace(
            x=origin.x + carrier.x - carrier_before.x, y=origin.y + carrier.y - carrier_before.y
        )
        == shape
    )


def placed(shape: Shape) -> str:
    """Return a shape at its place; the key lets a page move it from picture to picture."""
    return (
        f"<g class='shape' data-key='{escape(shape.key)}' "
        f"transform='translate({number(shape.x)} {number(shape.y)})'>{shape.body}</g>"
    )


def svg_file(drawing: Drawing, parts: Parts, title: str) -> str:
    """Return a stand-alone SVG file, in light mode."""
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{svg_element(drawing, parts, title)}\n"


def svg_element(drawing: Drawing, parts: Parts, title: str) -> str:
    """Return an SVG element with its own style, in light mode on its own ground."""
    return part("picture.svg.j2", "element", drawing, parts, title).strip()


def _old(shape: Shape) -> str:
    return rect(shape.x, shape.y, shape.width, shape.height, "old", 4)


def _halo(shape: Shape, style: str) -> str:
    return rect(
        shape.x - _HALO, shape.y - _HALO, shape.width + 2 * _HALO, shape.height + 2 * _HALO, style,
        6,
    )  # fmt: skip


def _way(old: Shape, new: Shape) -> str:
    """Return an arrow from the old place to the new one; none for a short way."""
    x1, y1 = old.x + old.width / 2, old.y + old.height / 2
    x2, y2 = new.x + new.width / 2, new.y + new.height / 2
    length = hypot(x2 - x1, y2 - y1)
    if length < max(_SHORTEST_WAY, min(new.width, new.height) * 0.8):
        return ""
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    # The arrow ends at the edge of the shape, so that it does not hide the name.
    reach = min(
        (new.width / 2 + _HALO) / abs(dx) if dx else length,
        (new.height / 2 + _HALO) / abs(dy) if dy else length,
        length - _TIP,
    )
    x2, y2 = x2 - dx * reach, y2 - dy * reach
    turned = f"translate({number(x2)} {number(y2)}) rotate({degrees(atan2(dy, dx)):.0f})"
    tip = f"<path d='M0 0L-{_TIP} {_TIP / 2}V-{_TIP / 2}Z' transform='{turned}' class='tip'/>"
    return line(x1, y1, x2 - dx * _TIP, y2 - dy * _TIP, "way") + tip
