"""The plots of a report as SVG or PNG files. Equal runs result in equal bytes.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from pddl_pipeline.reporting.cactus_plot import cactus_plot
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.scatter_plot import scatter_plot
from pddl_pipeline.tables.plot_style import own_settings

_MAX_PLANNERS: Final = 4
_MANY_POINTS: Final = 1_500


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
    yield "Validated instances by time", cactus_plot(report)
    planners = sorted({row.planner for row in report.rows})
    if len(planners) <= _MAX_PLANNERS:
        for one, other in combinations(planners, 2):
            yield f"{one} and {other}, instance by instance", scatter_plot(report, one, other)


def _plot(title: str, figure: Figure) -> Plot:
    """Draw a figure as SVG, or as PNG if it has many points; omit the date and version."""
    points = sum(np.size(line.get_xdata()) for axes in figure.axes for line in axes.lines)
    stream = io.BytesIO()
    if points > _MANY_POINTS:
        figure.savefig(stream, format="png", metadata={"Software": None})
        return Plot(title, "image/png", stream.getvalue())
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(stream, format="svg", metadata=nothing)
    return Plot(title, "image/svg+xml", stream.getvalue())
