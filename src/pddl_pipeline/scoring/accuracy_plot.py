"""The plot of accuracy by size: one line per model, one panel per domain, bars for the intervals.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pddl_pipeline.scoring.intervals import Estimate
from pddl_pipeline.scoring.score_rows import ScoreRow
from pddl_pipeline.tables.plot_style import (
    PRINT_DPI,
    draw_intervals,
    look,
    own_settings,
    picture,
    stacked_panels,
)

_METRIC: Final = "accuracy"
_WIDTH: Final = 6.5
_LEGEND_LINE: Final = 0.2
"""In inches, as are the sizes above."""
_SPREAD: Final = 0.5
_STEP: Final = 0.08
"""As shares of the distance between two sizes: the maximum spread of all models, and the maximum
distance between two models. Bars of one size must not hide each other."""
_MOST_TICKS: Final = 12


def accuracy_plot(
    rows: Sequence[ScoreRow], units: Mapping[str | None, str], form: str = "png"
) -> bytes:
    """Return the plot as the content of a picture file; equal rows result in equal bytes.

    Args:
        rows: one or more rows of the grouping by size; see `group_rows`.
        units: the unit of sizes, by the domain of a row.
        form: one of `PLOT_FORMS`.
    """
    with own_settings():
        return picture(_figure(rows, units), form, PRINT_DPI)


def _figure(rows: Sequence[ScoreRow], units: Mapping[str | None, str]) -> Figure:
    domains = sorted({row.domain for row in rows}, key=str)
    models = list(dict.fromkeys(row.model for row in rows))
    named = models != [None]
    figure, panels = stacked_panels(len(domains), _WIDTH, _LEGEND_LINE * len(models) * named)
    for axes, domain in zip(panels, domains, strict=True):
        found = [row for row in rows if row.domain == domain]
        gap = _least_gap(map(_size, found))
        step = gap * min(_STEP, _SPREAD / len(models))
        for index, model in enumerate(models):
            shift = step * (index - (len(models) - 1) / 2)
            _draw(axes, [row for row in found if row.model == model], index, shift)
        _name_axes(axes, found, units.get(domain, ""))
        axes.set_title(domain or "")
    if named:
        _legend(figure, panels)
    return figure


def _draw(axes: Axes, rows: Sequence[ScoreRow], index: int, shift: float) -> None:
    points = [(row, found) for row in rows if (found := row.estimates[_METRIC]) is not None]
    if not points:
        return
    draw_intervals(
        axes,
        [_size(row) + shift for row, _ in points],
        [float(100 * each.value) for _, each in points],
        list(zip(*(_reach(each) for _, each in points), strict=True)),
        label=rows[0].name,
        **look(index)._asdict(),
    )


def _reach(found: Estimate) -> tuple[float, float]:
    """Return the distances of the interval's ends below and above the value, in percent."""
    value, (low, high) = float(found.value), found.interval
    return 100 * max(0.0, value - low), 100 * max(0.0, high - value)


def _name_axes(axes: Axes, rows: Sequence[ScoreRow], unit: str) -> None:
    counts: dict[int, set[int]] = {}
    for row in rows:
        counts.setdefault(_size(row), set()).add(row.instances)
    name = f"size ({unit})" if unit else "size"
    if len(counts) <= _MOST_TICKS:
        sizes = sorted(counts)
        axes.set_xticks(sizes, [f"{size}\nn={_range(counts[size])}" for size in sizes])
        axes.set_xlabel(f"{name}, n instances")
    else:
        together = _range({count for found in counts.values() for count in found})
        axes.set_xlabel(f"{name}, n={together} instances a size")
    axes.set_ylabel("accuracy (%), 95 % intervals")
    axes.set_ylim(-3, 103)


def _legend(figure: Figure, panels: Iterable[Axes]) -> None:
    """Add one legend with all models, including those that are missing in some panels."""
    lines: dict[str, Artist] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        lines |= dict(zip(labels, handles, strict=True))
    figure.legend(handles=list(lines.values()), labels=list(lines), loc="outside lower center")


def _size(row: ScoreRow) -> int:
    return int(row.group or 0)


def _least_gap(sizes: Iterable[int]) -> int:
    return min((after - before for before, after in pairwise(sorted(set(sizes)))), default=1)


def _range(counts: set[int]) -> str:
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"
