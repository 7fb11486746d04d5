"""Marks on a picture: for the facts that a step changes, and for the conditions that fail."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import chain
from math import atan2, degrees, hypot
from typing import NamedTuple

from pddl_pipeline.pages.html_page import part
from pddl_pipeline.pages.pictures.picture import Drawing, Shape, Spot
from pddl_pipeline.pages.pictures.svg import line, number, rect
from pddl_pipeline.validation.language import Ground

_HALO = 3
"""Distance between a shape and the mark around it, in pixels."""
_SHORTEST_WAY = 12
_TIP = 9
Parts = tuple[str, ...]


class MarkedPart(NamedTuple):
    """A fact that changes, or a condition that does not hold."""

    said: str
    """It in words."""
    facts: tuple[Ground, ...]
    """The facts and values that it is about; one that changes is the first."""


def marked_parts(
    drawing: Drawing,
    before: Drawing | None = None,
    changed: Sequence[MarkedPart] = (),
    failing: Sequence[MarkedPart] = (),
) -> tuple[Parts, list[str]]:
    """Return the parts of a picture from the bottom to the top, and what has no mark in it.

    Args:
        drawing: the picture.
        before: the picture before the step, if there is one.
        changed: the facts and values that the step changes.
        failing: the conditions that do not hold.
    """
    old = {shape.key: shape for shape in before.shapes} if before is not None else {}
    new = {shape.key: shape for shape in drawing.shapes}
    facts = {subject.facts[0] for subject in changed}
    shown = {fact for shape in drawing.shapes for fact in shape.facts}
    taken = {
        (shape.within, shape.y)
        for shape in drawing.shapes
        if not shape.objects and shape.within in chain(*shape.facts)
    }
    marks: list[str] = []
    touched: set[object] = set()
    for key in old | new:
        was, now = old.get(key), new.get(key)
        own = {*(now.facts if now else ()), *({*was.facts} - shown if was else ())}
        # A gripper that is no longer free looks as before: what it holds now has the mark.
        if facts.isdisjoint(own) or (was and now and was[:-1] == now[:-1]):
            continue
        # A badge moves with its object, whose arrow is enough.
        way = _way(was, now) if was and now and now.objects else ""
        # Another badge of the object may be where one was.
        if was and (way or (not now and (was.within, was.y) not in taken)):
            marks.append(rect(*was[1:5], "old", 4))
        if now:
            marks += [_halo(now[1:5], "new"), way]
        touched.update(*((*each.facts, *each.objects, each.within) for each in (was, now) if each))
    rest = [
        each for each in changed if touched.isdisjoint((*each.facts, *drawing.about(each.facts)))
    ]
    unmarked: list[str] = []
    for subject, style in [
        *((each, "new") for each in rest),
        *((each, "fault") for each in failing),
    ]:
        about = drawing.about(subject.facts).union(subject.facts)
        boxes = [
            *(each[1:5] for each in drawing.shapes if about & {*each.facts, *each.objects}),
            *(spot for name, spot in sorted(drawing.spots.items()) if name in about),
        ]
        marks += [_halo(box, style) for box in boxes]
        unmarked += [] if boxes else [subject.said]
    parts = [*map(placed, drawing.shapes), *dict.fromkeys(marks)]
    return tuple(filter(None, parts)), unmarked


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


def _halo(box: Spot, style: str) -> str:
    x, y, width, height = box
    return rect(x - _HALO, y - _HALO, width + 2 * _HALO, height + 2 * _HALO, style, 6)


def _way(old: Shape, new: Shape) -> str:
    """Return an arrow from the old place to the new one; none for a short way."""
    x1, y1 = old.x + old.width / 2, old.y + old.height / 2
    x2, y2 = new.x + new.width / 2, new.y + new.height / 2
    length = hypot(x2 - x1, y2 - y1)
    # A short arrow would hide what it shows.
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
