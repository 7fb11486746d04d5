"""Charts as one PNG of 300 dots per inch; the same charts produce the same bytes.

Requires matplotlib, which is an extra: no other module may import this one at its top.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.ticker import LogFormatter, MaxNLocator

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
"""In inches, as the size above."""
_BARS: Final = 0.8
"""The share of a category's width that its bars take."""
_COLUMNS: Final = 2
_BELOW: Final = -0.2
"""The top of the legend, in panel heights."""
_PAPER: Final = "#444444"
_FAINT: Final = "#dddddd"
_MOST_TICKS: Final = 8
"""Up to this many sizes, each has a tick; otherwise the axis has about as many round numbers."""


def draw(charts: Sequence[Chart]) -> bytes:
    """Return a PNG with one panel per chart."""
    with own_settings():
        lines = [-(-len(chart.series) // _COLUMNS) for chart in charts]
        figure, panels = stacked_panels(len(charts), _WIDTH, _LEGEND_LINE * sum(lines))
        for axes, chart in zip(panels, charts, strict=True):
            draw_panel(axes, chart)
        return picture(figure, "png", PRINT_DPI)


def draw_panel(axes: Axes, chart: Chart) -> None:
    """Draw a chart, with its legend below."""
    axes.set_title(chart.title, fontsize=10)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    places = [point.x for series in chart.series for point in series.points]
    if any(isinstance(place, str) for place in places):
        _draw_bars(axes, chart, list(dict.fromkeys(map(str, places))))
    else:
        for index, series in enumerate(chart.series):
            _draw_line(axes, series, index)
        if len(chart.sizes) in range(1, _MOST_TICKS + 1):
            axes.set_xticks(chart.sizes)
        else:
            axes.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10]))
    if chart.logarithmic:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(LogFormatter())
        axes.minorticks_off()
    axes.set_ylim(bottom=chart.bottom, top=chart.top)
    if len(chart.series) > 1 or chart.series[0].name:
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, _BELOW), ncols=_COLUMNS, fontsize=8)


def _draw_line(axes: Axes, series: Series, index: int) -> None:
    style = look(index)._asdict()
    if series.from_paper:
        style |= {"color": _PAPER, "linestyle": ":"}
    points = series.points
    x, y = [float(point.x) for point in points], [point.y for point in points]
    draw_intervals(axes, x, y, _reach(points), label=series.name, **style)


def _draw_bars(axes: Axes, chart: Chart, names: Sequence[str]) -> None:
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
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True))  # bars count
    axes.set_xticks(range(len(names)), names, fontsize=8)


def _reach(points: Sequence[Point]) -> list[list[float]] | None:
    """Return how far the intervals extend below and above the points; None without intervals."""
    if all(point.low is None for point in points):
        return None
    below, above = [], []
    for point in points:
        # A point without an interval has no whiskers, not those of length 0.
        bare = point.low is None or point.high is None or point.low == point.high
        below.append(math.nan if bare else max(0.0, point.y - (point.low or 0.0)))
        above.append(math.nan if bare else max(0.0, (point.high or 0.0) - point.y))
    return [below, above]
