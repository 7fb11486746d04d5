"""Charts as one PNG of 300 dots per inch; the same charts produce the same bytes.

Requires matplotlib, which is an extra: no other module may import this one at its top.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from pddl_pipeline.papers.study import Chart, Point, Series
from pddl_pipeline.tables.plot_style import (
    PRINT_DPI,
    draw_intervals,
    look,
    own_settings,
    picture,
    stacked_panels,
)

_WIDTH: Final = 7.0
_LEGEND_LINE: Final = 0.22
"""In inches, as the sizes above."""
_ROOM_AT_ENDS: Final = 0.04
"""The empty part of the x axis at each end, as a share of the range of the data."""
_BARS: Final = 0.8
"""The share of a category's width that its bars take."""
_COLUMNS: Final = 2
_BELOW: Final = -0.2
"""The top of the legend, in panel heights; lower if the names of the categories are slanted."""
_BELOW_LEANING: Final = -0.36
_PAPER: Final = "#444444"
_FAINT: Final = "#dddddd"
_MOST_TICKS: Final = 8
"""Up to this many sizes, each has a tick; otherwise the axis has about as many round numbers."""
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100)
"""The differences of the exponents of neighbouring ticks."""
_MOST_MARKERS: Final = 20
"""A line of more points has no markers."""
_WRITTEN_OUT: Final = 6
"""Up to this exponent, a power of ten is written with all digits."""
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_CHARACTER: Final = 0.06
"""The width of a character of a category's name, in inches."""
_ROOM: Final = 6.1
"""The width of all categories, in inches."""


def draw(charts: Sequence[Chart]) -> bytes:
    """Return a PNG with one panel per chart."""
    with own_settings():
        lines = [-(-len(chart.series) // _COLUMNS) for chart in charts]
        figure, panels = stacked_panels(len(charts), _WIDTH, _LEGEND_LINE * sum(lines))
        for axes, chart in zip(panels, charts, strict=True):
            draw_panel(axes, chart)
        return picture(figure, "png", PRINT_DPI)


def draw_panel(axes: Axes, chart: Chart) -> None:
    """Draw a chart. Its axes begin where the data do, unless the chart sets their limits."""
    axes.set_title(chart.title, fontsize=10)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    if _is_bars(chart):
        _draw_bars(axes, chart)
    else:
        for index, series in enumerate(chart.series):
            _draw_line(axes, series, index)
        _set_x_ticks(axes, chart)
    axes.set_ylim(bottom=chart.bottom, top=chart.top)
    if chart.logarithmic:
        _use_powers(axes, chart)
    if len(chart.series) > 1 or chart.series[0].name:
        below = _BELOW_LEANING if _is_bars(chart) and _leans(_categories(chart)) else _BELOW
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, below), ncols=_COLUMNS, fontsize=8)


def _is_bars(chart: Chart) -> bool:
    return any(isinstance(point.x, str) for series in chart.series for point in series.points)


def _categories(chart: Chart) -> list[str]:
    return list(dict.fromkeys(str(p.x) for series in chart.series for p in series.points))


def _set_x_ticks(axes: Axes, chart: Chart) -> None:
    """Set ticks at the sizes, which series may be shifted from, or at a few round numbers."""
    values = [float(point.x) for series in chart.series for point in series.points]
    if not values:
        return
    least, most = min(values), max(values)
    sizes = chart.sizes or tuple(sorted({round(value) for value in values}))
    if most - least <= 1:  # a share
        axes.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10]))
    elif len(sizes) <= _MOST_TICKS:
        axes.set_xticks(sizes)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS, integer=True, steps=[1, 2, 5, 10]))
    room = max(most - least, 1) * _ROOM_AT_ENDS
    axes.set_xlim(least - room, most + room)


def _use_powers(axes: Axes, chart: Chart) -> None:
    """Make the y axis logarithmic, from the power of ten below the data to the one above."""
    values = [
        value for series in chart.series for point in series.points
        for value in (point.y, point.low, point.high) if value is not None and value > 0
    ]  # fmt: skip
    if not values:
        return
    axes.set_yscale("log")
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    axes.set_ylim(10.0**low, 10.0 ** max(high, low + 1))
    step = next(each for each in _STEPS if (high - low) / each < _MOST_TICKS)
    axes.set_yticks([10.0**exponent for exponent in range(low, high + 1, step)])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _power_text(value)))


def _power_text(value: float) -> str:
    """Return a power of ten, such as ``1,000`` or ``10⁵⁰``."""
    exponent = round(math.log10(value))
    if 0 <= exponent <= _WRITTEN_OUT:
        return f"{value:,.0f}"
    return f"10{str(exponent).translate(_SUPERSCRIPTS)}"


def _draw_line(axes: Axes, series: Series, index: int) -> None:
    style = look(index)._asdict()
    if series.from_paper:
        style |= {"color": _PAPER, "linestyle": ":"}
    if len(series.points) > _MOST_MARKERS:
        style["marker"] = ""
    points = series.points
    x, y = [float(point.x) for point in points], [point.y for point in points]
    draw_intervals(axes, x, y, _reach(points), label=series.name, **style)


def _draw_bars(axes: Axes, chart: Chart) -> None:
    names = _categories(chart)
    width = _BARS / (1 if chart.stacked else len(chart.series))
    feet = dict.fromkeys(names, 0.0)
    for index, series in enumerate(chart.series):
        fill = "white" if series.from_paper else _FAINT if series.faint else look(index).color
        shift = 0.0 if chart.stacked else width * (index - (len(chart.series) - 1) / 2)
        axes.bar(
            [names.index(str(point.x)) + shift for point in series.points],
            [point.y for point in series.points],
            width, bottom=[feet[str(point.x)] for point in series.points],
            yerr=_reach(series.points), label=series.name, capsize=2,
            color=fill, edgecolor=_PAPER if series.from_paper else fill,
            hatch="///" if series.from_paper else None, error_kw={"elinewidth": 0.9},
        )  # fmt: skip
        if chart.stacked:
            feet |= {str(point.x): feet[str(point.x)] + point.y for point in series.points}
    if all(float(point.y).is_integer() for series in chart.series for point in series.points):
        axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    leans = _leans(names)
    axes.set_xticks(
        range(len(names)), names, fontsize=8,
        rotation=30 if leans else 0, ha="right" if leans else "center",
    )  # fmt: skip


def _leans(names: Sequence[str]) -> bool:
    """Return whether the names of categories are too wide to stand side by side."""
    return max(map(len, names)) * _CHARACTER > _ROOM / len(names)


def _reach(points: Sequence[Point]) -> tuple[list[float], list[float]] | None:
    """Return how far the intervals extend below and above the points; None without intervals."""
    if all(point.low is None for point in points):
        return None
    # A point without an interval has no whiskers, not those of length 0.
    bare = [p.low is None or p.high is None or p.low == p.high for p in points]
    below = [
        math.nan if none else max(0.0, p.y - (p.low or 0.0))
        for none, p in zip(bare, points, strict=True)
    ]
    above = [
        math.nan if none else max(0.0, (p.high or 0.0) - p.y)
        for none, p in zip(bare, points, strict=True)
    ]
    return below, above
