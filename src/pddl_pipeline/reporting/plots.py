"""The plots of a report as SVG files. Equal runs result in equal bytes.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, combinations, pairwise
from math import ceil, nan
from statistics import median
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import (
    InstanceKey,
    Repetitions,
    costs_over_time,
    quality,
    time_limit,
)
from pddl_pipeline.tables.plot_style import (
    GREY,
    SHORTEST_S,
    look,
    own_settings,
    panels,
    picture,
    use_logarithms,
)

_MAX_PLANNERS: Final = 4
_MAX_PANELS: Final = 12
_MANY: Final = 200
"""More points than this are pixels in the SVG file, which is smaller then."""
_MARKERS: Final = 100
"""A line has a marker at each point, up to about this many."""
_MAX_LIMITS: Final = 3
_POINT: Final = 30
"""The area of a point for one instance, in square points."""
_LARGEST_POINT: Final = 12
"""Number of instances from which on a point does not grow."""
_LARGEST_COST: Final = 10**12

Pair = tuple[float | None, float | None]
"""A number of two planners on an instance; None if it is not solved."""
Plot = tuple[str, str, bytes]
"""The title of a plot, its media type, and the content of a picture file."""


def report_plots(report: Report, compared: Iterable[tuple[str, str]] = ()) -> list[Plot]:
    """Return the cactus plot, the best plans over time, and scatter plots of two to four planners.

    Plots without points are omitted.

    Args:
        report: the runs.
        compared: further pairs of planners.
    """
    planners = sorted({row.planner for row in report.rows})
    pairs = list(combinations(planners, 2) if len(planners) <= _MAX_PLANNERS else compared)
    means = means_of(report) if pairs else {}
    with own_settings():
        figures = {
            "Solved instances by time": cactus_plot(report),
            "Median time of solved instances by size": size_plot(report),
            "Cost over time": time_plot(report),
        } | {
            f"{one} and {other}, instance by instance": scatter_plot(means, one, other)
            for one, other in pairs
        }
        return [
            (title, "image/svg+xml", picture(figure, "svg"))
            for title, figure in figures.items()
            if figure is not None
        ]


def cactus_plot(report: Report) -> Figure | None:
    """Return the cactus plot, with one line per planner, or None if no instance is solved."""
    if not any(row.coverage for row in report.rows):
        return None
    figure = Figure(figsize=(8, 3.8), layout="constrained")
    axes = figure.add_subplot()
    for index, planner in enumerate(sorted({each.planner for each in report.by_instance})):
        own = [each for each in report.by_instance if each.planner == planner]
        # Each repetition counts as a part of the instance.
        points = sorted(
            (time_s, 1 / each.planned) for each in own for time_s in each.known(_seconds)
        )
        places = list(accumulate(part for _, part in points))
        axes.plot(
            places,
            [time_s for time_s, _ in points],
            label=f"{planner}: {places[-1] if places else 0:.4g} of {len(own)}",
            markersize=4,
            markevery=1 + len(places) // _MARKERS,
            **look(index)._asdict(),
        )
    _finish_times(axes, report)
    axes.set(xlabel="solved instances", ylabel="wall-clock time of an instance (s)")
    figure.legend(loc="outside right upper")
    return figure


def _finish_times(axes: Axes, report: Report) -> None:
    """Draw the time limits, and set the scales of a plot of times over whole numbers."""
    limits = sorted({time_s for time_s, *_ in report.facts.counts["limits"] if time_s is not None})
    for limit in limits[:_MAX_LIMITS]:
        axes.axhline(
            limit, color=GREY, linewidth=1, linestyle=":", label=f"time limit, {limit:,g} s"
        )
    use_logarithms(axes, "y")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def size_plot(report: Report) -> Figure | None:
    """Return the plot of time by size, with a panel for each domain with three or more sizes.

    A line joins the medians of the solved instances of a planner; it is broken where none is.
    """
    sizes = defaultdict[str, set[int]](set)
    times = defaultdict[tuple[str, str], defaultdict[int, list[float]]](lambda: defaultdict(list))
    for each in report.by_instance:
        domain = each.instance[0]
        sizes[domain].add(each.size)
        times[domain, each.planner][each.size] += filter(None, [each.mean(_seconds)])
    domains = [domain for domain, found in sorted(sizes.items()) if len(found) > 2][:_MAX_PANELS]
    if not domains:
        return None
    columns = min(len(domains), 2)
    lines = ceil(len(domains) / columns)
    figure, drawn = panels(len(domains), columns, 4.2 * columns, 2.8 * lines)
    for axes, domain in zip(drawn, domains, strict=True):
        for index, planner in enumerate(sorted({planner for _, planner in times})):
            places, own = sorted(sizes[domain]), times[domain, planner]
            values = [median(own[size]) if own[size] else nan for size in places]
            axes.plot(places, values, label=planner, markersize=4, **look(index)._asdict())
        _finish_times(axes, report)
        axes.set(title=domain, xlabel="size", ylabel="wall-clock time (s)")
    figure.legend(*drawn[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def time_plot(report: Report) -> Figure | None:
    """Return the plot of the best plans over time, with one line per planner.

    It shows costs if there is one instance, else the sum of C*/C: costs of several instances are
    not comparable. Return None if no run has several valid plans.
    """
    traces = [
        (each, costs_over_time(run))
        for each in report.by_instance
        for run in each.results
        if run.solved
    ]
    if all(len(costs) < 2 for _, costs in traces):
        return None
    one_cost = len(report.best) == 1 and all(e.planned == 1 and _means(e).cost for e, _ in traces)
    end = max(max(run.wall_s, time_limit(run) or 0) for each, _ in traces for run in each.results)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for index, planner in enumerate(sorted({each.planner for each, _ in traces})):
        # A change of 0, so that each line reaches the end.
        steps = [(end, 0.0)]
        for each, costs in traces:
            if each.planner == planner:
                best, part = report.best[each.instance], each.planned
                held = accumulate((cost for _, cost in costs), min)
                shown = [float(c.value if one_cost else quality(c, best) / part) for c in held]
                changes = (after - before for before, after in pairwise([0.0, *shown]))
                steps += zip((max(time_s, SHORTEST_S) for time_s, _ in costs), changes, strict=True)
        steps.sort()
        axes.step(
            [time_s for time_s, _ in steps],
            list(accumulate(change for _, change in steps)),
            where="post",
            label=planner,
            color=look(index).color,
            linestyle=look(index).linestyle,
        )
    use_logarithms(axes, "x")
    what = "cost of the best plan" if one_cost else "sum of C*/C (IPC satisficing score)"
    axes.set(xlabel="wall-clock time (s)", ylabel=what)
    figure.legend(loc="outside right upper")
    return figure


def _seconds(result: RunResult) -> float:
    return max(float(result.wall_s), SHORTEST_S)


def scatter_plot(
    means: Mapping[tuple[str, InstanceKey], _Means], x_planner: str, y_planner: str
) -> Figure | None:
    """Return the plot of two planners, or None if neither solved an instance that both tried.

    The left panel shows times, the next one costs, of the instances that at least one of them
    solved; of repetitions, the means of those that are. A third has the expanded states, where both
    planners print them. What a planner did not solve is drawn on a
    line: at the time limit, or at the edge. A point that stands for several instances is larger.
    Costs that are not positive have no logarithm and no point.
    """
    tried = [
        (instance[0], each, means[y_planner, instance])
        for (planner, instance), each in means.items()
        if planner == x_planner and (y_planner, instance) in means
    ]
    solved = [each for each in tried if each[1].time_s or each[2].time_s]
    if not solved:
        return None
    times = [(domain, (x.time_s, y.time_s)) for domain, x, y in solved]
    costs = [
        (domain, (x.cost, y.cost)) for domain, x, y in solved
        if (x.cost or not x.time_s) and (y.cost or not y.time_s)
    ]  # fmt: skip
    expanded = [
        (domain, (x.expanded, y.expanded)) for domain, x, y in solved if x.expanded and y.expanded
    ]
    limit = max(each.limit_s for _, *pair in tried for each in pair)
    drawn: dict[str, Sequence[tuple[str, Pair]]] = {
        "wall-clock time (s)": times, "plan cost": costs,
        **({"expanded states": expanded} if expanded else {}),
    }  # fmt: skip
    figure, places = panels(len(drawn), len(drawn), 5.5 * len(drawn), 5.6)
    for axes, (what, numbers) in zip(places, drawn.items(), strict=True):
        if numbers:
            _draw_points(axes, numbers, limit if numbers is times else 0)
        axes.set(xlabel=f"{x_planner}: {what}", ylabel=f"{y_planner}: {what}")
    figure.suptitle(
        f"Instances that at least one solved: {len(solved)}; "
        f"that neither did: {len(tried) - len(solved)}"
    )
    figure.legend(*places[0].get_legend_handles_labels(), loc="outside lower center", ncols=7)
    return figure


class _Means(NamedTuple):
    """The means of the runs of a planner on an instance; None if unknown, or not to be drawn."""

    time_s: float | None
    cost: float | None
    expanded: float | None
    limit_s: float
    """The longest time limit; 0 without one."""


def means_of(report: Report) -> dict[tuple[str, InstanceKey], _Means]:
    """Return the means of the runs of each planner on each instance where it has any."""
    return {
        (each.planner, each.instance): _means(each) for each in report.by_instance if each.results
    }


def _means(each: Repetitions) -> _Means:
    cost = each.mean(lambda run: run.cost)
    return _Means(
        each.mean(_seconds),
        None if cost is None or not 0 < cost < _LARGEST_COST else float(cost),
        float(each.mean(lambda run: run.expanded) or 0) or None,
        max(time_limit(run) or 0 for run in each.results),
    )


def _draw_points(axes: Axes, points: Sequence[tuple[str, Pair]], limit: float) -> None:
    """Draw the points of each domain, and the line of equality.

    Args:
        axes: where to draw.
        points: the domain of each instance, and the numbers of both planners; None if not solved.
        limit: what is not solved is drawn here, if it is not 0, or at twice the largest number.
    """
    known = [number for _, pair in points for number in pair if number is not None]
    edge = max(*known, limit) if limit else 2 * max(known)
    use_logarithms(axes, "x", "y")
    bounds = min(known) / 1.5, 1.5 * edge
    axes.set(xlim=bounds, ylim=bounds, aspect="equal")
    axes.plot(bounds, bounds, color=GREY, linewidth=1, zorder=0)
    counts = defaultdict[str, Counter[tuple[float, float]]](Counter)
    for domain, (x, y) in points:
        counts[domain][x or edge, y or edge] += 1
    for index, (domain, own) in enumerate(counts.items()):
        color, marker, _ = look(index)
        # As arrays: matplotlib masks the elements of lists one by one.
        x, y = np.array([*own], dtype=float).T
        areas: Any = _POINT * np.minimum([*own.values()], _LARGEST_POINT)
        axes.scatter(
            x, y, areas, marker=marker, color=color, label=domain, linewidths=0, alpha=0.6,
            rasterized=len(points) > _MANY,
        )  # fmt: skip
    axes.axvline(edge, color=GREY, linewidth=1, linestyle=":", zorder=0)
    axes.axhline(edge, color=GREY, linewidth=1, linestyle=":", zorder=0)
    axes.annotate(
        "not solved", (bounds[0], edge), xytext=(6, 4), textcoords="offset points", color=GREY
    )
