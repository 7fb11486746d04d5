"""The plots of a report as SVG or PNG files. Equal runs result in equal bytes.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import Entry
from pddl_pipeline.reporting.scatter_plot import scatter_plot
from pddl_pipeline.reporting.scores import time_limit
from pddl_pipeline.tables.log_ticks import plain_number
from pddl_pipeline.tables.plot_style import (
    GREY,
    SHORTEST_S,
    look,
    own_settings,
    picture,
    use_logarithms,
)

_MAX_PLANNERS: Final = 4
_MANY_POINTS: Final = 1_500
_MARKERS_A_LINE: Final = 12
_MAX_LIMITS: Final = 3


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as the content of a picture file."""

    title: str
    media_type: str
    data: bytes


def report_plots(report: Report) -> list[Plot]:
    """Return the cactus plot, and for two to four planners a scatter plot of each pair.

    Plots without points are omitted.
    """
    with own_settings():
        return [_plot(title, figure) for title, figure in _figures(report) if figure is not None]


def _figures(report: Report) -> Iterator[tuple[str, Figure | None]]:
    yield "Validated instances by time", _cactus_plot(report)
    planners = sorted({row.planner for row in report.rows})
    if len(planners) <= _MAX_PLANNERS:
        for one, other in combinations(planners, 2):
            yield f"{one} and {other}, instance by instance", scatter_plot(report, one, other)


def _cactus_plot(report: Report) -> Figure | None:
    """Return the cactus plot, with one line per planner, or None if no instance is solved."""
    if not any(row.validated for row in report.rows):
        return None
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    entries: list[Entry] = [*report.runs, *report.missing]
    planned = Counter(each.planner for each in entries)
    for index, planner in enumerate(sorted(planned)):
        runs = [result for result in report.runs if result.planner == planner]
        times = sorted(max(r.wall_s, SHORTEST_S) for r in runs if r.solved)
        axes.plot(
            range(1, len(times) + 1),
            times,
            label=f"{planner}: {len(times)} of {planned[planner]}",
            markersize=5,
            markevery=max(1, len(times) // _MARKERS_A_LINE),
            **look(index)._asdict(),
        )
    limits = sorted({limit for run in report.runs if (limit := time_limit(run)) is not None})
    for limit in limits[:_MAX_LIMITS]:
        label = f"time limit, {plain_number(limit)} s"
        axes.axhline(limit, color=GREY, linewidth=1, linestyle=":", label=label)
    use_logarithms(axes, "y")
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    axes.set_xlabel("validated instances")
    axes.set_ylabel("wall-clock time of an instance (s)")
    figure.legend(loc="outside right upper")
    return figure


def _plot(title: str, figure: Figure) -> Plot:
    """Draw a figure as SVG, or as PNG if it has many points."""
    points = 0
    for axes in figure.axes:
        points += sum(np.size(line.get_xdata()) for line in axes.lines)
        points += sum(len(np.asarray(each.get_offsets())) for each in axes.collections)
    if points > _MANY_POINTS:
        return Plot(title, "image/png", picture(figure, "png"))
    return Plot(title, "image/svg+xml", picture(figure, "svg", without=("Format", "Type")))
