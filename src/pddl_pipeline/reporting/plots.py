"""The plots of a report as SVG or PNG files. Equal runs result in equal bytes.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

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
_MANY_RUNS: Final = 1_500
"""The plots of more runs are PNG files, which are smaller then."""
_MAX_LIMITS: Final = 3
_POINT: Final = 30
"""The area of a point for one instance, in square points."""
_LARGEST_POINT: Final = 12
"""Number of instances from which on a point does not grow."""
_LARGEST_COST: Final = 10**12

Pair = tuple[RunResult, RunResult]


class Plot(NamedTuple):
    """A plot as the content of a picture file."""

    title: str
    media_type: str
    data: bytes


def report_plots(report: Report) -> list[Plot]:
    """Return the cactus plot, and for two to four planners a scatter plot of each pair.

    Plots without points are omitted.
    """
    form, kind = ("png", "png") if len(report.runs) > _MANY_RUNS else ("svg", "svg+xml")
    with own_settings():
        return [
            Plot(title, f"image/{kind}", picture(figure, form))
            for title, figure in _figures(report)
            if figure is not None
        ]


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
        times = sorted(_seconds(r) for r in report.runs if r.planner == planner and r.solved)
        label = f"{planner}: {len(times)} of {planned[planner]}"
        places = range(1, len(times) + 1)
        axes.plot(places, times, label=label, markersize=4, **look(index)._asdict())
    limits = sorted({limit for run in report.runs if (limit := time_limit(run)) is not None})
    for limit in limits[:_MAX_LIMITS]:
        label = f"time limit, {limit:,g} s"
        axes.axhline(limit, color=GREY, linewidth=1, linestyle=":", label=label)
    use_logarithms(axes, "y")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="validated instances", ylabel="wall-clock time of an instance (s)")
    figure.legend(loc="outside right upper")
    return figure


def _seconds(result: RunResult) -> float:
    return max(result.wall_s, SHORTEST_S)


def scatter_plot(report: Report, x_planner: str, y_planner: str) -> Figure | None:
    """Return the plot of two planners, or None if neither solved an instance that both tried.

    The left panel shows times, the right one costs, of the instances that at least one of them
    solved. What a planner did not solve is drawn on a line at the edge. A point that stands for
    several instances is larger. Costs that are not positive have no logarithm and no point.
    """
    others = {instance_key(r): r for r in report.runs if r.planner == y_planner}
    tried = [
        (result, others[instance_key(result)])
        for result in report.runs
        if result.planner == x_planner and instance_key(result) in others
    ]
    pairs = [pair for pair in tried if pair[0].solved or pair[1].solved]
    if not pairs:
        return None
    figure = Figure(figsize=(11, 5.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    limit = max(time_limit(result) or 0 for pair in pairs for result in pair)
    _draw_points(left, pairs, _seconds, limit)
    with_costs = [pair for pair in pairs if all(not r.solved or _has_cost(r) for r in pair)]
    if with_costs:
        _draw_points(right, with_costs, lambda result: float(result.cost or 0), 0)
    for axes, what in ((left, "wall-clock time (s)"), (right, "plan cost")):
        axes.set(xlabel=f"{x_planner}: {what}", ylabel=f"{y_planner}: {what}")
    neither = len(tried) - len(pairs)
    figure.suptitle(
        f"Instances that at least one solved: {len(pairs)}; that neither did: {neither}"
    )
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=7)
    return figure


def _has_cost(result: RunResult) -> bool:
    return result.cost is not None and 0 < result.cost < _LARGEST_COST


def _draw_points(
    axes: Axes, pairs: Sequence[Pair], number: Callable[[RunResult], float], limit: float
) -> None:
    """Draw the points of each domain, and the line of equality.

    Args:
        axes: where to draw.
        pairs: the runs of the two planners on each instance.
        number: returns the number to draw of a solved run.
        limit: what is not solved is drawn at twice the largest number, or at twice this one.
    """
    known = [number(result) for pair in pairs for result in pair if result.solved]
    edge = 2 * max(*known, limit)
    use_logarithms(axes, "x", "y")
    bounds = min(known) / 1.5, 1.5 * edge
    axes.set(xlim=bounds, ylim=bounds, aspect="equal")
    axes.plot(bounds, bounds, color=GREY, linewidth=1, zorder=0)
    domains = dict.fromkeys(first.domain for first, _ in pairs)
    for index, domain in enumerate(domains):
        counts = Counter(
            (number(x) if x.solved else edge, number(y) if y.solved else edge)
            for x, y in pairs
            if x.domain == domain
        )
        color, marker, _ = look(index)
        areas = [_POINT * min(count, _LARGEST_POINT) for count in counts.values()]
        axes.scatter(
            [x for x, _ in counts], [y for _, y in counts], areas, marker=marker, color=color,
            label=domain, linewidths=0, alpha=0.6,
        )  # fmt: skip
    axes.axvline(edge, color=GREY, linewidth=1, linestyle=":", zorder=0)
    axes.axhline(edge, color=GREY, linewidth=1, linestyle=":", zorder=0)
    axes.annotate(
        "not solved", (bounds[0], edge), xytext=(6, 4), textcoords="offset points", color=GREY
    )
