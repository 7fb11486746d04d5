"""Charts as one PNG of 300 dots per inch; the same charts produce the same bytes.

Requires matplotlib, which is an extra: no other module may import this one at its top.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from pddl_pipeline.studies.study_result import Chart, Point, Series
from pddl_pipeline.tables.plot_style import (
    PRINT_DPI,
    draw_intervals,
    look,
    own_settings,
    picture,
    stacked_panels,
    use_logarithms,
)

_WIDTH: Final = 7.0
_LEGEND_LINE: Final = 0.22
"""In inches, as the sizes above."""
_BARS: Final = 0.8
"""The share of a category's width that its bars take."""
_COLUMNS: Final = 2
_BELOW: Final = -0.2
"""The top of the legend, in panel heights; lower if the names of the categories are slanted."""
_BELOW_LEANING: Final = -0.36
_PAPER: Final = "#444444"
_WHOLE: Final = 3
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
            _panel(axes, chart)
        return picture(figure, "png", PRINT_DPI)


def _panel(axes: Axes, chart: Chart) -> None:
    axes.set_title(chart.title, fontsize=10)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    if chart.logarithmic:
        use_logarithms(axes, "y")
    if _is_bars(chart):
        _draw_bars(axes, chart)
    else:
        # Ticks at whole numbers, as most x values are, unless there are too few of them.
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=_WHOLE))
        for index, series in enumerate(chart.series):
            _draw_line(axes, series, index)
    axes.set_ylim(bottom=chart.bottom, top=chart.top)
    if len(chart.series) > 1 or chart.series[0].name:
        below = _BELOW_LEANING if _is_bars(chart) and _leans(_categories(chart)) else _BELOW
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, below), ncols=_COLUMNS, fontsize=8)


def _is_bars(chart: Chart) -> bool:
    return any(isinstance(point.x, str) for series in chart.series for point in series.points)


def _categories(chart: Chart) -> list[str]:
    return list(dict.fromkeys(str(p.x) for series in chart.series for p in series.points))


def _draw_line(axes: Axes, series: Series, index: int) -> None:
    style = look(index)._asdict()
    if series.from_paper:
        style |= {"color": _PAPER, "linestyle": ":"}
    points = series.points
    x, y = [float(point.x) for point in points], [point.y for point in points]
    draw_intervals(axes, x, y, _reach(points), label=series.name, **style)


def _draw_bars(axes: Axes, chart: Chart) -> None:
    names = _categories(chart)
    width = _BARS / (1 if chart.stacked else len(chart.series))
    feet = dict.fromkeys(names, 0.0)
    for index, series in enumerate(chart.series):
        shift = 0.0 if chart.stacked else width * (index - (len(chart.series) - 1) / 2)
        axes.bar(
            [names.index(str(point.x)) + shift for point in series.points],
            [point.y for point in series.points],
            width, bottom=[feet[str(point.x)] for point in series.points],
            yerr=_reach(series.points), label=series.name, capsize=2,
            color="white" if series.from_paper else look(index).color,
            edgecolor=_PAPER if series.from_paper else look(index).color,
            hatch="///" if series.from_paper else None, error_kw={"elinewidth": 0.9},
        )  # fmt: skip
        if chart.stacked:
            feet |= {str(point.x): feet[str(point.x)] + point.y for point in series.points}
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
    below = [max(0.0, p.y - p.low) if p.low is not None else 0.0 for p in points]
    above = [max(0.0, p.high - p.y) if p.high is not None else 0.0 for p in points]
    return below, above
