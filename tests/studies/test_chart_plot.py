"""Tests of the axes of pictures: they begin where the data do, with few ticks."""

from __future__ import annotations

import pytest

from pddl_pipeline.papers.study import Chart, Point, Series

pytest.importorskip("matplotlib")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pddl_pipeline.papers.chart_plot import draw_panel


def drawn(points: list[Point], *, logarithmic: bool = False) -> Axes:
    axes = Figure().subplots()
    draw_panel(axes, Chart("", "", "", (Series("", tuple(points)),), logarithmic=logarithmic))
    return axes


def ticks(axes: Axes, name: str) -> list[float]:
    """Return the ticks inside the limits of an axis."""
    axis = {"x": axes.xaxis, "y": axes.yaxis}[name]
    low, high = axis.get_view_interval()
    return [float(tick) for tick in axis.get_majorticklocs() if low <= tick <= high]


def test_a_logarithmic_axis_begins_at_the_power_below_the_data() -> None:
    axes = drawn([Point(2, 7), Point(50, 5e150)], logarithmic=True)
    assert axes.get_ylim() == (1, 1e151)
    found = ticks(axes, "y")
    assert found[:2] == [1, pytest.approx(1e20)]
    assert len(found) <= 9
    texts = [axes.yaxis.get_major_formatter()(value) for value in found[:2]]
    assert texts == ["1", "10²⁰"]


def test_powers_up_to_a_million_are_written_out() -> None:
    axes = drawn([Point(4, 3), Point(5, 20_000)], logarithmic=True)
    found = ticks(axes, "y")
    texts = [axes.yaxis.get_major_formatter()(value) for value in found]
    assert texts == ["1", "10", "100", "1,000", "10,000", "100,000"]


def test_few_sizes_are_the_ticks() -> None:
    """Series of one size are shifted to stand beside each other."""
    axes = drawn([Point(4.8, 1), Point(5.2, 1), Point(14.1, 2), Point(29.9, 3)])
    assert ticks(axes, "x") == [5, 14, 30]
    low, high = axes.get_xlim()
    assert 3 < low < 4.8
    assert 29.9 < high < 32


def test_shifted_points_have_the_ticks_of_their_sizes() -> None:
    axes = Figure().subplots()
    points = tuple(Point(x, 1) for x in (4.4, 5.6, 7.4, 8.6, 19.4, 20.6, 29.4, 30.6, 14.4, 13.6))
    draw_panel(axes, Chart("", "", "", (Series("", points),), sizes=(5, 8, 14, 20, 30)))
    assert ticks(axes, "x") == [5, 8, 14, 20, 30]


def test_many_sizes_have_round_ticks() -> None:
    found = ticks(drawn([Point(size, 1) for size in range(4, 51)]), "x")
    assert found == [10, 20, 30, 40, 50]


def test_shares_keep_their_fractions() -> None:
    found = ticks(drawn([Point(tenth / 10, 1) for tenth in range(11)]), "x")
    assert 3 <= len(found) <= 11
    assert (found[0], found[-1]) == pytest.approx((0, 1))
