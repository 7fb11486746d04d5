"""The values of numeric fluents over the steps of a plan, as small lines."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from pddl_pipeline.model.number import Number
from pddl_pipeline.pages.escaping import html
from pddl_pipeline.pages.page_data import PageData

_HEIGHT: Final = 40


def fluent_charts(data: PageData) -> str:
    """Return a line for each fluent that changes; the script writes the value of the step."""
    charts = []
    steps = len(data.walk.frames) - 1
    for index, name in enumerate(data.fluents):
        values = [frame.state.values.get(name) for frame in data.walk.frames]
        label = data.words.number(name)
        charts.append(
            f"<div data-fluent='{index}'><p>{html(label)}: <strong class='value'></strong></p>"
            f"<svg class='spark' viewBox='0 -3 {max(1, steps)} {_HEIGHT + 6}' "
            f"preserveAspectRatio='none' role='img' aria-label='{html(label)} over the steps'>"
            f"{_line(values)}<line x1='0' x2='0' y1='-3' y2='{_HEIGHT + 3}'/></svg></div>"
        )
    return "".join(charts)


def _line(values: list[Number | None]) -> str:
    """Return the values as steps of a line: a value holds until the next one."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0), max(known, default=1)
    span = high - low or 1
    path, is_open = "", False
    for step, value in enumerate(values):
        if value is None:
            is_open = False
            continue
        # Exact until here: large numbers would overflow as floats.
        y = _HEIGHT - float(Fraction(value - low) / span) * _HEIGHT
        path += f"H{step}V{y:.2f}" if is_open else f"M{step} {y:.2f}"
        is_open = True
    return f"<path d='{path}'/>"
