"""Tests of the axes of pictures: few ticks, at sizes and at powers of ten."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pddl_pipeline.papers.study import Chart, Point, Series

pytest.importorskip("matplotlib")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pddl_pipeline.papers.chart_plot import draw, draw_panel


def drawn(*points: tuple[float, float], **chart: Any) -> Axes:
    axes = Figure().subplots()
    series = Series("", tuple(Point(x, y) for x, y in points))
    draw_panel(axes, Chart("", "", "", (series,), **chart), [""])
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
    assert all(text.startswith("10") for text in texts)
    assert texts[:2] == ["10⁰", "10²⁰"]


def test_shifted_points_have_the_ticks_of_their_sizes() -> None:
    shifted = (4.4, 5.6, 7.4, 8.6, 19.4, 20.6, 29.4, 30.6, 14.4, 13.6)
    axes = drawn(*((x, 1) for x in shifted), sizes=(5, 8, 14, 20, 30))
    assert ticks(axes.xaxis) == [5, 8, 14, 20, 30]


def test_ticks_of_whole_numbers_are_whole() -> None:
    assert all(tick.is_integer() for tick in ticks(drawn((2, 1), (5, 3)).xaxis))
    assert not all(tick.is_integer() for tick in ticks(drawn((0, 1), (0.3, 1), (1, 1)).xaxis))


def test_markers_at_the_limits_are_not_clipped() -> None:
    assert not any(line.get_clip_on() for line in drawn((2, 0), (5, 1), bottom=0, top=1).lines)


def test_a_picture_has_small_multiples_with_one_legend() -> None:
    charts = [Chart(name, "", "", (Series("one", (Point(1, 1),)), Series("two", (Point(1, 2),))))
              for name in "abc"]  # fmt: skip
    svg = draw(charts, "svg").decode()
    size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    assert size
    assert float(size[1]) > 0.8 * float(size[2])
    assert svg.count("<!-- one -->") == svg.count("<!-- two -->") == 1
    assert draw(charts, "pdf") == draw(charts, "pdf")
