"""The plot of accuracy by size: lines with intervals, or a heat map if there are many models.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Final

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pddl_pipeline.scoring.bins import bin_label, binned
from pddl_pipeline.scoring.score_rows import ScoreRow
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.statistics.intervals import FEW, Estimate
from pddl_pipeline.tables.heat_map import HeatCell, HeatPanel, heat_map
from pddl_pipeline.tables.plot_style import (
    draw_intervals,
    look,
    own_settings,
    panel_grid,
    picture,
    screen_dpi,
    short_names,
)
from pddl_pipeline.translators import size_unit

_METRIC: Final = "accuracy"
_MOST_LINES: Final = 6
"""More models are a heat map: so many lines with intervals hide each other."""
_PANEL: Final = (4.6, 3.2)
_SINGLE: Final = (6.5, 3.6)
_LEGEND_LINE: Final = 0.22
_LETTER: Final = 0.085
"""In inches, as are the sizes above: panels, a line of the legend, and a letter."""
_HANDLE: Final = 6
"""The width of the line and of the space beside a name in the legend, in letters."""
_SPREAD: Final = 0.5
_STEP: Final = 0.08
"""As shares of the distance between two sizes: the maximum spread of all models, and the maximum
distance between two models. Bars of one size must not hide each other."""
_MOST_TICKS: Final = 12
_NOTE: Final = f"Hollow: fewer than {FEW} instances, without an interval."
_HEAT_NOTE: Final = (
    "Accuracy (%) by {name}. The tables have the intervals. Blank: no answers. "
    f"*: fewer than {FEW} instances."
)


def size_units(tally: Tally) -> dict[str | None, str]:
    """Return the unit of sizes by domain; if there is only one domain, also under None."""
    units: dict[str | None, str] = {i.domain: size_unit(i) for i in tally.instances.values()}
    if len(units) == 1:
        units[None] = next(iter(units.values()))
    return units


def accuracy_plot(
    rows: Sequence[ScoreRow], units: Mapping[str | None, str], form: str = "png"
) -> bytes:
    """Return the plot as the content of a picture file; equal rows result in equal bytes.

    Args:
        rows: one or more rows of the grouping by size; see `group_rows`.
        units: the unit of sizes, by the domain of a row; see `size_units`.
        form: one of `PLOT_FORMS`.
    """
    with own_settings():
        figure = _figure(rows, units)
        return picture(figure, form, screen_dpi(figure))


def _figure(rows: Sequence[ScoreRow], units: Mapping[str | None, str]) -> Figure:
    many = len({row.model for row in rows}) > _MOST_LINES
    return _heat_figure(rows, units) if many else _line_figure(rows, units)


def _heat_figure(rows: Sequence[ScoreRow], units: Mapping[str | None, str]) -> Figure:
    names = {row.model: row.name for row in rows}
    domains = _domains(rows)
    panels = [
        _heat_panel([row for row in rows if row.domain == domain], [*names], units.get(domain, ""))
        for domain in domains
    ]
    by = _size_name(units.get(domains[0], "")) if len(domains) == 1 else "size"
    return heat_map(panels, [*names.values()], _HEAT_NOTE.format(name=by), 1.0)


def _heat_panel(rows: Sequence[ScoreRow], models: Sequence[str | None], unit: str) -> HeatPanel:
    """Return the panel of a domain. A bin of sizes has the mean over all of its instances."""
    bins = binned(map(_size, rows))
    sums: dict[tuple[int, str], tuple[Fraction, int]] = {}
    for row in rows:
        found = _estimate(row)
        if found is not None:
            key = models.index(row.model), bin_label(bins(_size(row)))
            total, count = sums.get(key, (Fraction(), 0))
            sums[key] = total + found.value * found.instances, count + found.instances
    labels = [bin_label(numbers) for numbers in sorted({bins(_size(row)) for row in rows}, key=min)]
    cells = {
        key: HeatCell(float(total / count), count < FEW) for key, (total, count) in sums.items()
    }
    domain = rows[0].domain
    return HeatPanel(f"{domain} ({unit})" if domain and unit else domain or "", labels, cells)


def _line_figure(rows: Sequence[ScoreRow], units: Mapping[str | None, str]) -> Figure:
    domains = _domains(rows)
    models = list(dict.fromkeys(row.model for row in rows))
    width, height = _SINGLE if len(domains) == 1 else _PANEL
    grid = panel_grid(len(domains), width, height)
    names = short_names([next(row.name for row in rows if row.model == model) for model in models])
    legend_columns = max(
        1, int(grid.columns * width / _LETTER / (max(map(len, names)) + _HANDLE))
    )  # fmt: skip
    legend = _LEGEND_LINE * ceil(len(models) / legend_columns) * (models != [None])
    size = (grid.columns * width, grid.rows * height + legend)
    figure = Figure(figsize=size, layout="constrained")
    panels = list(figure.subplots(grid.rows, grid.columns, squeeze=False).flat)
    for axes in panels[len(domains) :]:
        axes.set_axis_off()
    for axes, domain in zip(panels, domains, strict=False):
        found = [row for row in rows if row.domain == domain]
        step = _least_gap(map(_size, found)) * min(_STEP, _SPREAD / len(models))
        for index, model in enumerate(models):
            shift = step * (index - (len(models) - 1) / 2)
            of_model = [row for row in found if row.model == model]
            _draw(axes, of_model, names[index], index, shift)
        _name_axes(axes, found, units.get(domain, ""), width)
        axes.set_title(domain or "")
    found_few = any(each is not None and each.is_few for each in map(_estimate, rows))
    _legend(figure, panels, legend_columns if models != [None] else 0, _NOTE if found_few else "")
    return figure


def _domains(rows: Iterable[ScoreRow]) -> list[str | None]:
    return sorted({row.domain for row in rows}, key=str)


def _draw(axes: Axes, rows: Sequence[ScoreRow], name: str, index: int, shift: float) -> None:
    """Draw the line of a model; points of few instances are hollow and have no interval."""
    points = [(_size(row) + shift, each) for row in rows if (each := _estimate(row)) is not None]
    if not points:
        return
    style = look(index)
    values = [float(100 * each.value) for _, each in points]
    draw_intervals(
        axes, [x for x, _ in points], values,
        list(zip(*(_reach(each) for _, each in points), strict=True)),
        label=name, **style._asdict(),
    )  # fmt: skip
    few = [(x, y) for (x, each), y in zip(points, values, strict=True) if each.is_few]
    axes.plot(
        [x for x, _ in few], [y for _, y in few], linestyle="none", marker=style.marker,
        markersize=4, color=style.color, markerfacecolor="white", zorder=3,
    )  # fmt: skip


def _reach(found: Estimate) -> tuple[float, float]:
    """Return the distances of the interval's ends below and above the value, in percent."""
    if found.is_few:
        return float("nan"), float("nan")
    value, (low, high) = float(found.value), found.interval
    return 100 * max(0.0, value - low), 100 * max(0.0, high - value)


def _name_axes(axes: Axes, rows: Sequence[ScoreRow], unit: str, width: float) -> None:
    """Label the axes: sizes with their counts if there is room, else fewer and the counts apart."""
    counts: dict[int, set[int]] = {}
    for row in rows:
        counts.setdefault(_size(row), set()).add(row.instances)
    sizes, name = sorted(counts), _size_name(unit)
    labels = [f"{size}\nn={_range(counts[size])}" for size in sizes]
    if len(sizes) <= _MOST_TICKS and _has_room(sizes, labels, width):
        axes.set_xticks(sizes, labels)
        axes.set_xlabel(f"{name}, n instances")
    else:
        if len(sizes) <= _MOST_TICKS and _has_room(sizes, [str(size) for size in sizes], width):
            axes.set_xticks(sizes)
        else:
            axes.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS // 2, integer=True))
        together = _range({count for found in counts.values() for count in found})
        axes.set_xlabel(f"{name}, n={together} instances a size")
    axes.set_ylabel("accuracy (%), 95 % intervals")
    axes.set(ylim=(-3, 103), yticks=range(0, 101, 20))


def _has_room(sizes: Sequence[int], labels: Iterable[str], width: float) -> bool:
    """Return whether labels at these sizes do not touch in a panel of this width."""
    longest = max(len(line) for label in labels for line in label.split("\n")) + 2
    share = _least_gap(sizes) / max(1, sizes[-1] - sizes[0]) if len(sizes) > 1 else 1
    return longest * _LETTER <= share * (width - 1)


def _size_name(unit: str) -> str:
    return f"size ({unit})" if unit else "size"


def _legend(figure: Figure, panels: Iterable[Axes], columns: int, note: str) -> None:
    """Add one legend with all models, including those that are missing in some panels.

    Args:
        figure: the figure.
        panels: its panels.
        columns: the columns of the legend; 0 if models have no names.
        note: the text above the legend, or instead of it.
    """
    lines: dict[str, Artist] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        lines |= dict(zip(labels, handles, strict=True))
    if columns:
        figure.legend(
            handles=list(lines.values()), labels=list(lines), loc="outside lower center",
            ncols=columns, title=note, title_fontsize="small",
        )  # fmt: skip
    elif note:
        figure.supxlabel(note, fontsize="small")


def _estimate(row: ScoreRow) -> Estimate | None:
    return row.estimates[_METRIC]


def _size(row: ScoreRow) -> int:
    return int(row.group or 0)


def _least_gap(sizes: Iterable[int]) -> int:
    return min((after - before for before, after in pairwise(sorted(set(sizes)))), default=1)


def _range(counts: set[int]) -> str:
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"
