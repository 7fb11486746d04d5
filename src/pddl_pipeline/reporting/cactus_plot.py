"""The cactus plot: the number of instances that each planner solves within a time."""

from __future__ import annotations

from matplotlib.figure import Figure

from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.scores import time_limit
from pddl_pipeline.tables.plot_style import SHORTEST_S, look, use_logarithms

_MARKERS_A_LINE = 12


def cactus_plot(report: Report) -> Figure | None:
    """Return the plot with one line per planner, or None if no instance is solved."""
    if not any(row.validated for row in report.rows):
        return None
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for index, planner in enumerate(sorted({row.planner for row in report.rows})):
        runs = [result for result in report.runs if result.planner == planner]
        times = sorted(max(r.wall_s, SHORTEST_S) for r in runs if r.solved)
        axes.plot(
            range(1, len(times) + 1),
            times,
            label=f"{planner}: {len(times)} of {len(runs)}",
            markersize=5,
            markevery=max(1, len(times) // _MARKERS_A_LINE),
            **look(index)._asdict(),
        )
    limits = {limit for result in report.runs if (limit := time_limit(result)) is not None}
    if len(limits) == 1:
        axes.axhline(limits.pop(), color="#777777", linewidth=1, label="time limit")
    use_logarithms(axes, "y")
    axes.set_xlim(left=0)
    axes.set_xlabel("validated instances")
    axes.set_ylabel("wall-clock time of an instance (s)")
    figure.legend(loc="outside right upper")
    return figure
