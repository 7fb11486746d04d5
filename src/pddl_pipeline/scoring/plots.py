"""The plots of scores: accuracy by size, and errors by model.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pddl_pipeline.model.errors import ErrorKind, ErrorStage
from pddl_pipeline.scoring.grouping import bin_label, binned
from pddl_pipeline.scoring.score_rows import ScoreRow, shown_name
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
_ERRORS_NOTE: Final = (
    "% of a model's judged answers with the error; an answer may have several. "
    f"Blank: no answers. *: fewer than {FEW} instances."
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

    It has lines with intervals, or is a heat map if there are many models.

    Args:
        rows: one or more rows of the grouping by size; see `group_rows`.
        units: the unit of sizes, by the domain of a row; see `size_units`.
        form: one of `PLOT_FORMS`.
    """
    with own_settings():
        figure = accuracy_figure(rows, units)
        return picture(figure, form, screen_dpi(figure))


def accuracy_figure(rows: Sequence[ScoreRow], units: Mapping[str | None, str]) -> Figure:
    """Return the figure of `accuracy_plot`."""
    names = {row.model: row.name for row in rows}
    domains = sorted({row.domain for row in rows}, key=str)
    by_domain = {name: [row for row in rows if row.domain == name] for name in domains}
    if len(names) > _MOST_LINES:
        panels = [_heat_panel(by_domain[each], [*names], units.get(each, "")) for each in domains]
        by = _size_name(units.get(domains[0], "")) if len(domains) == 1 else "size"
        return heat_map(panels, [*names.values()], _HEAT_NOTE.format(name=by), 1.0)
    width, height = _SINGLE if len(domains) == 1 else _PANEL
    grid = panel_grid(len(domains), width, height)
    shown = short_names([*names.values()])
    room = grid.columns * width / _LETTER / (max(map(len, shown)) + _HANDLE)
    columns = max(1, int(room)) if [*names] != [None] else 0
    legend = _LEGEND_LINE * ceil(len(names) / columns) if columns else 0
    size = (grid.columns * width, grid.rows * height + legend)
    figure = Figure(figsize=size, layout="constrained")
    every = list(figure.subplots(grid.rows, grid.columns, squeeze=False).flat)
    for axes in every[len(domains) :]:
        axes.set_axis_off()
    for axes, (domain, found) in zip(every, by_domain.items(), strict=False):
        step = _least_gap(map(_size, found)) * min(_STEP, _SPREAD / len(names))
        for index, model in enumerate(names):
            shift = step * (index - (len(names) - 1) / 2)
            _draw(axes, [row for row in found if row.model == model], shown[index], index, shift)
        _name_axes(axes, found, units.get(domain, ""), width)
        axes.set_title(domain or "")
    _legend(figure, columns, _NOTE if any(e and e.is_few for e in map(_estimate, rows)) else "")
    return figure


def _heat_panel(rows: Sequence[ScoreRow], models: Sequence[str | None], unit: str) -> HeatPanel:
    """Return the panel of a domain. A bin of sizes has the mean over all of its instances."""
    bins = binned(map(_size, rows))
    sums: defaultdict[tuple[int, str], Fraction] = defaultdict(Fraction)
    counts = Counter[tuple[int, str]]()
    for row in rows:
        found = _estimate(row)
        if found is not None:
            key = models.index(row.model), bin_label(bins(_size(row)))
            sums[key] += found.value * found.instances
            counts[key] += found.instances
    labels = [bin_label(numbers) for numbers in sorted({bins(_size(row)) for row in rows}, key=min)]
    cells = {key: HeatCell(float(sums[key] / n), n < FEW) for key, n in counts.items()}
    domain = rows[0].domain
    return HeatPanel(f"{domain} ({unit})" if domain and unit else domain or "", labels, cells)


def _draw(axes: Axes, rows: Sequence[ScoreRow], name: str, index: int, shift: float) -> None:
    """Draw the line of a model; points of few instances are hollow and have no interval."""
    points = [(_size(row) + shift, each) for row in rows if (each := _estimate(row)) is not None]
    if not points:
        return
    style = look(index)
    values = [float(100 * each.value) for _, each in points]
    reaches = [
        (float("nan"), float("nan")) if each.is_few else
        (max(0.0, y - 100 * each.interval.low), max(0.0, 100 * each.interval.high - y))
        for (_, each), y in zip(points, values, strict=True)
    ]  # fmt: skip
    draw_intervals(
        axes, [x for x, _ in points], values, list(zip(*reaches, strict=True)),
        label=name, **style._asdict(),
    )  # fmt: skip
    few = [(x, y) for (x, each), y in zip(points, values, strict=True) if each.is_few]
    axes.plot(
        [x for x, _ in few], [y for _, y in few], linestyle="none", marker=style.marker,
        markersize=4, color=style.color, markerfacecolor="white", zorder=3,
    )  # fmt: skip


def _name_axes(axes: Axes, rows: Sequence[ScoreRow], unit: str, width: float) -> None:
    """Label the axes: sizes with their counts if there is room, else fewer and the counts apart."""
    counts: dict[int, set[int]] = {}
    for row in rows:
        counts.setdefault(_size(row), set()).add(row.instances)
    sizes = sorted(counts)
    labels = [f"{size}\nn={_range(counts[size])}" for size in sizes]
    longest = max(len(line) for label in labels for line in label.split("\n")) + 2
    share = _least_gap(sizes) / max(1, sizes[-1] - sizes[0]) if len(sizes) > 1 else 1
    if len(sizes) <= _MOST_TICKS and longest * _LETTER <= share * (width - 1):
        axes.set_xticks(sizes, labels)
        axes.set_xlabel(f"{_size_name(unit)}, n instances")
    else:
        axes.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS // 2, integer=True))
        together = _range(set[int]().union(*counts.values()))
        axes.set_xlabel(f"{_size_name(unit)}, n={together} instances a size")
    axes.set_ylabel("accuracy (%), 95 % intervals")
    axes.set(ylim=(-3, 103), yticks=range(0, 101, 20))


def _size_name(unit: str) -> str:
    return f"size ({unit})" if unit else "size"


def _legend(figure: Figure, columns: int, note: str) -> None:
    """Add one legend with all models, including those that are missing in some panels.

    Args:
        figure: the figure.
        columns: the columns of the legend; 0 if models have no names.
        note: the text above the legend, or instead of it.
    """
    found = [axes.get_legend_handles_labels() for axes in figure.axes]
    lines = {name: line for lines, names in found for name, line in zip(names, lines, strict=True)}
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


def error_plot(tally: Tally, form: str = "png") -> bytes:
    """Return the heat maps of errors as the content of a picture file, models by kinds of error.

    Equal answers result in equal bytes.

    Args:
        tally: the scored answers, with one or more errors.
        form: one of `PLOT_FORMS`.
    """
    with own_settings():
        figure = error_figure(tally)
        return picture(figure, form, screen_dpi(figure))


def error_figure(tally: Tally) -> Figure:
    """Return the figure of `error_plot`: a panel for each domain with errors."""
    domains = {each.domain: None for each in tally.instances.values()}
    panels = (_error_panel(tally, domain) for domain in sorted(domains))
    names = [shown_name(name) for name in tally.models]
    return heat_map([each for each in panels if each.columns], names, _ERRORS_NOTE)


def _error_panel(tally: Tally, domain: str) -> HeatPanel:
    """Return the panel of a domain, with the errors that occur there, in the order of stages."""
    shares: dict[tuple[int, ErrorKind], HeatCell] = {}
    for index, model in enumerate(tally.models.values()):
        judged = [
            trials for name, trials in model.judged() if tally.instances[name].domain == domain
        ]
        answers, counts = sum(map(len, judged)), Counter[ErrorKind]()
        for trials in judged:
            for trial, count in trials.distinct():
                counts.update(dict.fromkeys(trial.errors, count))
        if answers:
            for error in ErrorKind:
                shares[index, error] = HeatCell(counts[error] / answers, len(judged) < FEW)
    occur = {error for (_, error), cell in shares.items() if cell.share}
    errors = [each for stage in ErrorStage for each in ErrorKind
              if each in occur and each.stage is stage]  # fmt: skip
    cells = {(index, str(each)): cell for (index, each), cell in shares.items() if each in occur}
    return HeatPanel(domain, [*map(str, errors)], cells, [str(each.stage) for each in errors])
