"""The scatter plot: time and cost of two planners, instance by instance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.row import instance_key
from pddl_pipeline.reporting.scores import time_limit
from pddl_pipeline.tables.plot_style import GREY, SHORTEST_S, look, use_logarithms

Pair = tuple[RunResult, RunResult]
Coordinate = Callable[[RunResult], float]

_MANY_POINTS: Final = 400
_POINT: Final = 30
_SMALL_POINT: Final = 9
"""Areas of a point for one instance, in square points."""
_LARGEST_POINT: Final = 12
"""Number of instances from which on a point does not grow."""
_NUMBERED: Final = 60
_SHIFT: Final = 0.018
"""The distance between points at one place, as a part of the axis."""
_WIDE_RANGE: Final = 100
_LARGEST: Final = 10**12


def scatter_plot(report: Report, x_planner: str, y_planner: str) -> Figure | None:
    """Return the plot of two planners, or None if neither solved an instance that both tried.

    The left panel shows times, the right one costs, of the instances that at least one of them
    solved. What a planner did not solve is drawn on a line at the edge. A point that stands for
    several instances is larger, and has their number if there are not too many points.
    """
    pairs, neither = _pairs(report, x_planner, y_planner)
    if not pairs:
        return None
    figure = Figure(figsize=(11, 5.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_times(left, pairs)
    _draw_costs(right, pairs)
    for axes, what in ((left, "wall-clock time (s)"), (right, "plan cost")):
        axes.set_xlabel(f"{x_planner}: {what}")
        axes.set_ylabel(f"{y_planner}: {what}")
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
    limits = [time_limit(result) or result.wall_s for result in runs]
    unsolved = 2 * max(limits)

    def seconds(result: RunResult) -> float:
        return max(result.wall_s, SHORTEST_S) if result.solved else unsolved

    use_logarithms(axes, "x", "y")
    low = min(map(seconds, runs)) / 1.5
    _draw_points(axes, pairs, seconds, (low, 1.5 * unsolved))
    _draw_edge(axes, unsolved, low)


def _draw_costs(axes: Axes, pairs: Mapping[str, Sequence[Pair]]) -> None:
    drawn = {
        domain: [pair for pair in group if all(not r.solved or _drawable(r) for r in pair)]
        for domain, group in pairs.items()
    }
    costs = [
        float(r.cost or 0) for group in drawn.values() for pair in group for r in pair if r.solved
    ]
    if not costs:
        axes.set(xticks=[], yticks=[])
        axes.set_title("no cost can be drawn")
        return
    low, high = min(costs), max(costs)
    if low > 0 and high / low > _WIDE_RANGE:
        use_logarithms(axes, "x", "y")
        low, unsolved, top = low / 1.5, high * 2, high * 3
    else:
        margin = (high - low) * 0.08 or 1
        low, unsolved, top = low - margin, high + 2 * margin, high + 3 * margin

    def cost(result: RunResult) -> float:
        return float(result.cost or 0) if result.solved else unsolved

    _draw_points(axes, drawn, cost, (low, top))
    if any(not r.solved for group in drawn.values() for pair in group for r in pair):
        _draw_edge(axes, unsolved, low)


def _draw_edge(axes: Axes, unsolved: float, low: float) -> None:
    """Draw the lines on which the instances are that a planner did not solve."""
    for line, place, rotation in (
        (axes.axvline, (unsolved, low), 90), (axes.axhline, (low, unsolved), 0),
    ):  # fmt: skip
        line(unsolved, color=GREY, linewidth=1, linestyle=":", zorder=0)
        axes.annotate(
            "not solved", place, xytext=(-4, 6) if rotation else (6, 4), rotation=rotation,
            textcoords="offset points", color=GREY, ha="right" if rotation else "left",
        )  # fmt: skip


def _draw_points(
    axes: Axes,
    pairs: Mapping[str, Sequence[Pair]],
    coordinate: Coordinate,
    bounds: tuple[float, float],
) -> None:
    """Draw the points of each domain, and the diagonal on which both planners are equal."""
    counted = {
        domain: Counter((coordinate(x), coordinate(y)) for x, y in group)
        for domain, group in pairs.items()
    }
    shared = Counter(place for places in counted.values() for place in places)
    many = len(shared) > _MANY_POINTS
    shifts = Counter[tuple[float, float]]()
    axes.set(xlim=bounds, ylim=bounds, aspect="equal")
    axes.plot(bounds, bounds, color=GREY, linewidth=1, zorder=0)
    for index, (domain, places) in enumerate(counted.items()):
        color, marker, _ = look(index)
        shown = []
        for place in places:
            # Points of several domains at one place stand side by side.
            shift = (shifts[place] - (shared[place] - 1) / 2) * _SHIFT
            shifts[place] += 1
            shown.append((_shifted(axes, place[0], shift, bounds), place[1]))
        small = _SMALL_POINT if many else _POINT
        areas = [small * min(count, _LARGEST_POINT) for count in places.values()]
        axes.scatter(
            [x for x, _ in shown], [y for _, y in shown], s=areas, marker=marker, color=color,
            label=domain, linewidths=0, alpha=0.5 if many else 0.7,
        )  # fmt: skip
        if len(shared) <= _NUMBERED:
            for spot, count in zip(shown, places.values(), strict=True):
                if count > 1:
                    axes.annotate(str(count), spot, ha="center", va="center", fontsize=7)


def _shifted(axes: Axes, value: float, shift: float, bounds: tuple[float, float]) -> float:
    """Return a coordinate that is shifted by a part of the axis."""
    low, high = bounds
    if axes.get_xscale() == "log":
        return float(value * (high / low) ** shift)
    return value + shift * (high - low)


def _drawable(result: RunResult) -> bool:
    """Return whether a cost is known, and small enough for an axis."""
    return result.cost is not None and -_LARGEST < result.cost < _LARGEST
