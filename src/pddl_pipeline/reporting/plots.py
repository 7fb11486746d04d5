"""The plots of a report as SVG or PNG files. Equal runs result in equal bytes.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import Entry, instance_key, time_limit
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
_POINT: Final = 30
"""The area of a point for one instance, in square points."""
_LARGEST_POINT: Final = 12
"""Number of instances from which on a point does not grow."""
_WIDE_RANGE: Final = 100
_LARGEST: Final = 10**12

Pair = tuple[RunResult, RunResult]


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
        label = f"time limit, {limit:,g} s"
        axes.axhline(limit, color=GREY, linewidth=1, linestyle=":", label=label)
    use_logarithms(axes, "y")
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    axes.set_xlabel("validated instances")
    axes.set_ylabel("wall-clock time of an instance (s)")
    figure.legend(loc="outside right upper")
    return figure


def scatter_plot(report: Report, x_planner: str, y_planner: str) -> Figure | None:
    """Return the plot of two planners, or None if neither solved an instance that both tried.

    The left panel shows times, the right one costs, of the instances that at least one of them
    solved. What a planner did not solve is drawn on a line at the edge. A point that stands for
    several instances is larger.
    """
    pairs, neither = _pairs(report, x_planner, y_planner)
    if not pairs:
        return None
    figure = Figure(figsize=(11, 5.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_times(left, pairs)
    _draw_costs(right, pairs)
    for axes, what in ((left, "wall-clock time (s)"), (right, "plan cost")):
        axes.set(xlabel=f"{x_planner}: {what}", ylabel=f"{y_planner}: {what}")
    shown = sum(map(len, pairs.values()))
    figure.suptitle(f"Instances that at least one solved: {shown}; that neither did: {neither}")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=7)
    return figure


def _pairs(report: Report, x_planner: str, y_planner: str) -> tuple[dict[str, list[Pair]], int]:
    """Return, by domain, the runs on each instance that both tried and at least one solved.

    The number is that of the instances that neither solved.
    """
    others = {instance_key(r): r for r in report.runs if r.planner == y_planner}
    pairs: dict[str, list[Pair]] = {}
    neither = 0
    for result in report.runs:
        other = others.get(instance_key(result)) if result.planner == x_planner else None
        if other is not None and (result.solved or other.solved):
            pairs.setdefault(result.domain, []).append((result, other))
        elif other is not None:
            neither += 1
    return pairs, neither


def _draw_times(axes: Axes, pairs: Mapping[str, Sequence[Pair]]) -> None:
    runs = [result for group in pairs.values() for pair in group for result in pair]
    edge = 2 * max(time_limit(result) or result.wall_s for result in runs)

    def seconds(result: RunResult) -> float:
        return max(result.wall_s, SHORTEST_S) if result.solved else edge

    use_logarithms(axes, "x", "y")
    bounds = min(map(seconds, runs)) / 1.5, 1.5 * edge
    _draw_points(axes, pairs, seconds, bounds, edge)


def _draw_costs(axes: Axes, pairs: Mapping[str, Sequence[Pair]]) -> None:
    """Draw the costs that are known and not too large for an axis."""
    drawn = {
        domain: [pair for pair in group if all(not r.solved or _drawable(r) for r in pair)]
        for domain, group in pairs.items()
    }
    runs = [result for group in drawn.values() for pair in group for result in pair]
    costs = [float(result.cost or 0) for result in runs if result.solved]
    if not costs:
        axes.set(xticks=[], yticks=[], title="no cost can be drawn")
        return
    low, high = min(costs), max(costs)
    if low > 0 and high / low > _WIDE_RANGE:
        use_logarithms(axes, "x", "y")
        low, edge, top = low / 1.5, high * 2, high * 3
    else:
        margin = (high - low) * 0.08 or 1
        low, edge, top = low - margin, high + 2 * margin, high + 3 * margin

    def cost(result: RunResult) -> float:
        return float(result.cost or 0) if result.solved else edge

    is_partial = any(not result.solved for result in runs)
    _draw_points(axes, drawn, cost, (low, top), edge if is_partial else None)


def _drawable(result: RunResult) -> bool:
    return result.cost is not None and -_LARGEST < result.cost < _LARGEST


def _draw_points(
    axes: Axes,
    pairs: Mapping[str, Sequence[Pair]],
    coordinate: Callable[[RunResult], float],
    bounds: tuple[float, float],
    edge: float | None,
) -> None:
    """Draw the points of each domain, the line of equality, and those of what is not solved."""
    axes.set(xlim=bounds, ylim=bounds, aspect="equal")
    axes.plot(bounds, bounds, color=GREY, linewidth=1, zorder=0)
    for index, (domain, group) in enumerate(pairs.items()):
        counts = Counter((coordinate(x), coordinate(y)) for x, y in group)
        color, marker, _ = look(index)
        areas = [_POINT * min(count, _LARGEST_POINT) for count in counts.values()]
        axes.scatter(
            [x for x, _ in counts], [y for _, y in counts], s=areas, marker=marker, color=color,
            label=domain, linewidths=0, alpha=0.6,
        )  # fmt: skip
    if edge is not None:
        axes.axvline(edge, color=GREY, linewidth=1, linestyle=":", zorder=0)
        axes.axhline(edge, color=GREY, linewidth=1, linestyle=":", zorder=0)
        axes.annotate(
            "not solved", (bounds[0], edge), xytext=(6, 4), textcoords="offset points", color=GREY
        )


def _plot(title: str, figure: Figure) -> Plot:
    """Draw a figure as SVG, or as PNG if it has many points."""
    points = 0
    for axes in figure.axes:
        points += sum(np.size(line.get_xdata()) for line in axes.lines)
        points += sum(len(np.asarray(each.get_offsets())) for each in axes.collections)
    if points > _MANY_POINTS:
        return Plot(title, "image/png", picture(figure, "png"))
    return Plot(title, "image/svg+xml", picture(figure, "svg", without=("Format", "Type")))
