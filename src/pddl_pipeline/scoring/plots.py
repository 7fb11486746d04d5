"""The plot of accuracy by size.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from textwrap import fill
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pddl_pipeline.scoring.score_rows import ScoreRow
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.statistics.intervals import FEW
from pddl_pipeline.tables.plot_style import (
    PRINT_DPI,
    draw_intervals,
    look,
    own_settings,
    panels,
    picture,
    reaches,
)
from pddl_pipeline.translators import size_unit

_PANEL: Final = (6.5, 3.6)
"""In inches."""
_SPREAD: Final = 0.5
"""The distance between the points of the first and the last model, so that bars stand apart."""
_NAMES_A_LINE: Final = 3
_NOTE: Final = f"95 % intervals, of {FEW} or more instances"


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
        form: the file format, such as ``svg``.
    """
    with own_settings():
        return picture(accuracy_figure(rows, units), form, PRINT_DPI)


def accuracy_figure(rows: Sequence[ScoreRow], units: Mapping[str | None, str]) -> Figure:
    """Return the figure of `accuracy_plot`, with a panel for each domain."""
    names = {row.model: row.name for row in rows}
    domains = sorted({row.domain for row in rows}, key=str)
    columns = ceil(sqrt(len(domains)))
    lines = ceil(len(domains) / columns)
    figure, drawn = panels(len(domains), columns, columns * _PANEL[0], lines * _PANEL[1])
    for axes, domain in zip(drawn, domains, strict=True):
        for index, (model, name) in enumerate(names.items()):
            shift = _SPREAD * ((index + 0.5) / len(names) - 0.5)
            found = [row for row in rows if row.domain == domain and row.model == model]
            _draw(axes, found, name, index, shift)
        unit = units.get(domain)
        axes.set(
            title=domain or "",
            xlabel=f"size ({unit})" if unit else "size",
            ylabel="accuracy (%)",
            ylim=(-3, 103),
            # Several models beside each other at a single size stand close to it.
            xmargin=0.05 if len({row.group for row in rows if row.domain == domain}) > 1 else 2,
        )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    handles, labels = drawn[0].get_legend_handles_labels()
    if [*names] == [None]:
        handles, labels = [], []
    figure.legend(
        handles,
        [fill(label, width=30) for label in labels],
        loc="outside lower center",
        ncols=_NAMES_A_LINE,
        title=_NOTE,
        title_fontsize="small",
    )
    return figure


def _draw(axes: Axes, rows: Sequence[ScoreRow], name: str, index: int, shift: float) -> None:
    """Draw the line of a model, without the intervals of few instances."""
    points = [
        (int(row.group or 0) + shift, found)
        for row in rows
        if (found := row.estimates["accuracy"]) is not None
    ]
    y = [100 * float(found.value) for _, found in points]
    reach = reaches(
        (value, *((None, None) if found.is_few else (100 * low, 100 * high)))
        for value, (_, found) in zip(y, points, strict=True)
        for low, high in [found.interval]
    )
    draw_intervals(axes, [x for x, _ in points], y, reach, label=name, **look(index)._asdict())
