"""Charts as one picture with a panel for each; the same charts produce the same bytes.

Requires matplotlib, which is an extra: no other module may import this one at its top.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import fill
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from pddl_pipeline.papers.study import Chart, Point, Series
from pddl_pipeline.tables.plot_style import (
    PRINT_DPI,
    draw_intervals,
    look,
    own_settings,
    panels,
    picture,
    reaches,
)

_WIDTH: Final = 7.0
_PANEL: Final = 2.7
"""The height of a panel; it and the other lengths are in inches."""
_LEGEND_LINE: Final = 0.2
_BARS: Final = 0.8
"""The share of a category's width that its bars take."""
_COLUMNS: Final = 2
_PAPER: Final = "#444444"
_LINE: Final = 88
"""The number of characters in a line of a title or a label over the whole width."""
_PLACE: Final = 16
"""The number of characters in a line of a category."""
_MOST_PLACES: Final = 6
"""With more categories, a panel has the whole width."""
_DECADES: Final = (1, 2, 5, 10, 20, 50)
"""The numbers of powers of ten between two ticks."""
_MOST_TICKS: Final = 8
"""Up to this many sizes, each has a tick; otherwise the axis has about as many round numbers."""
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def draw(charts: Sequence[Chart], form: str = "png") -> bytes:
    """Return a picture with one panel per chart, small multiples in two columns.

    Args:
        charts: the charts.
        form: the file format, such as ``svg``.
    """
    names = list(dict.fromkeys(series.name for chart in charts for series in chart.series))
    with own_settings():
        is_wide = any(len(each.places) > _MOST_PLACES for each in charts)
        columns = 1 if is_wide else min(_COLUMNS, len(charts))
        rows = -(-len(charts) // columns)
        height = _PANEL * rows + _LEGEND_LINE * -(-len(names) // _COLUMNS)
        figure, drawn = panels(len(charts), columns, _WIDTH, height)
        for axes, chart in zip(drawn, charts, strict=True):
            draw_panel(axes, chart, names, _LINE // columns)
        # A panel may lack some series, so the legend collects those of all panels.
        labels = dict[str, Any]()
        for axes in drawn:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                labels.setdefault(label, handle)
        if len(names) > 1 or any(names):
            figure.legend(
                labels.values(), labels.keys(), loc="outside lower center", ncols=_COLUMNS,
                fontsize=8,
            )  # fmt: skip
        return picture(figure, form, PRINT_DPI)


def draw_panel(axes: Axes, chart: Chart, names: Sequence[str], line: int = _LINE) -> None:
    """Draw a chart.

    Args:
        axes: the panel.
        chart: the chart.
        names: the names of the series of all panels; the position of a name decides its look.
        line: the number of characters in a line of a title or a label.
    """
    axes.set_title(fill(chart.title, line), fontsize=9)
    axes.set_xlabel(fill(chart.x_label, line), fontsize=8)
    axes.set_ylabel(chart.y_label, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.spines[:].set_zorder(1)  # behind the points at the limits
    if chart.places:
        _draw_bars(axes, chart, names)
    else:
        places = [point.x for series in chart.series for point in series.points]
        for series in chart.series:
            _draw_line(axes, series, names.index(series.name))
        if len(chart.sizes) in range(1, _MOST_TICKS + 1):
            axes.set_xticks(chart.sizes)
        else:
            is_whole = bool(chart.sizes) or all(float(place).is_integer() for place in places)
            ticks = MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10], integer=is_whole)
            axes.xaxis.set_major_locator(ticks)
    if chart.logarithmic:
        axes.set_yscale("log")
        axes.minorticks_off()
        low, high = (math.log10(end) for end in axes.dataLim.intervaly)
        step = next((decade for decade in _DECADES if (high - low) / decade < _MOST_TICKS), 100)
        axes.yaxis.set_major_locator(LogLocator(10.0**step))
        axes.yaxis.set_major_formatter(FuncFormatter(_power))
        axes.set_ylim(bottom=10 ** math.floor(low))
    axes.set_ylim(bottom=chart.bottom, top=chart.top)


def _power(value: float, _: int | None) -> str:
    """Return a power of ten, and nothing for another value."""
    exponent = round(math.log10(value))
    is_power = math.isclose(value, 10.0**exponent)
    return f"10{str(exponent).translate(_RAISED)}" if is_power else ""


def _draw_line(axes: Axes, series: Series, index: int) -> None:
    style = look(index)._asdict()
    if series.from_paper:
        style |= {"color": _PAPER, "linestyle": ":"}
    points = series.points
    x, y = [float(point.x) for point in points], [point.y for point in points]
    draw_intervals(axes, x, y, _reach(points), label=series.name, **style)


def _draw_bars(axes: Axes, chart: Chart, names: Sequence[str]) -> None:
    places = chart.places
    width = _BARS / len(chart.series)
    for number, series in enumerate(chart.series):
        colour = "white" if series.from_paper else look(names.index(series.name)).color
        shift = width * (number - (len(chart.series) - 1) / 2)
        axes.bar(
            [places.index(str(point.x)) + shift for point in series.points],
            [point.y for point in series.points],
            width, yerr=_reach(series.points), label=series.name, capsize=2,
            color=colour, edgecolor=_PAPER if series.from_paper else colour,
            hatch="///" if series.from_paper else None, error_kw={"elinewidth": 0.9},
        )  # fmt: skip
    if max((point.y for series in chart.series for point in series.points), default=0) > 1:
        axes.yaxis.set_major_locator(MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10], integer=True))
    labels = [place if "\n" in place else fill(place, _PLACE) for place in places]
    axes.set_xticks(range(len(places)), labels, fontsize=8 if len(places) <= _MOST_PLACES else 7)


def _reach(points: Sequence[Point]) -> list[tuple[float, ...]] | None:
    if all(point.low is None for point in points):
        return None
    return reaches((point.y, point.low, point.high) for point in points)
