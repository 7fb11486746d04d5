"""Tests of the axes of pictures: few ticks, at sizes and at powers of ten."""

from __future__ import annotations

from typing import Any

import pytest

from pddl_pipeline.papers.study import Chart, Point, Series

pytest.importorskip("matplotlib")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pddl_pipeline.papers.chart_plot import draw_panel


def drawn(*points: tuple[float, float], **chart: Any) -> Axes:
    axes = Figure().subplots()
    series = Series("", tuple(Point(x, y) for x, y in points))
    draw_panel(axes, Chart("", "", "", (series,), **chart))
    return axes


def ticks(axis: Any) -> list[float]:
    """Return the ticks inside the limits of an axis."""
    low, high = axis.get_view_interval()
    return [float(tick) for tick in axis.get_majorticklocs() if low <= tick <= high]


def test_a_logarithmic_axis_shows_powers_of_ten() -> None:
    axes = drawn((2, 7), (50, 5e150), logarithmic=True)
    axes.figure.draw_without_rendering()
    assert axes.get_yscale() == "log"
    texts = [axes.yaxis.get_major_formatter()(value) for value in ticks(axes.yaxis)]
    assert 2 < len(texts) < 12
    assert all(text.startswith("1e+") for text in texts[1:])


def test_shifted_points_have_the_ticks_of_their_sizes() -> None:
    shifted = (4.4, 5.6, 7.4, 8.6, 19.4, 20.6, 29.4, 30.6, 14.4, 13.6)
    axes = drawn(*((x, 1) for x in shifted), sizes=(5, 8, 14, 20, 30))
    assert ticks(axes.xaxis) == [5, 8, 14, 20, 30]
