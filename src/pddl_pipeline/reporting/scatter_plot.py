"""The scatter plot: time and cost of two planners, instance by instance."""

from __future__ import annotations

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
_WIDE_RANGE: Final = 100
_LARGEST: Final = 10**12


def scatter_plot(report: Report, x_planner: str, y_planner: str) -> Figure | None:
    """Return the plot of two planners, or None if neither solved an instance that both tried.

    The left panel shows the times of the instances that at least one of them solved; an unsolved
    instance is drawn at twice the limit. The right panel shows the costs of the instances that
    both solved.
    """
    pairs = _pairs(report, x_planner, y_planner)
    if not pairs:
        return None
    figure = Figure(figsize=(11, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_times(left, pairs)
    _draw_costs(right, pairs)
    for axes, what in ((left, "wall-clock time (s)"), (right, "plan cost")):
        axes.set_xlabel(f"{x_planner}: {what}")
        axes.set_ylabel(f"{y_planner}: {what}")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=7)
    return figure


def _pairs(report: Report, x_planner: str, y_planner: str) -> dict[str, list[Pair]]:
    """Return, by domain, the runs on each instance that both tried and at least one solved."""
    others = {instance_key(r): r for r in report.runs if r.planner == y_planner}
    pairs: dict[str, list[Pair]] = {}
    for result in report.runs:
        other = others.get(instance_key(result)) if result.planner == x_planner else None
        if other is not None and (result.solved or other.solved):
            pairs.setdefault(result.domain, []).append((result, other))
    return pairs


def _draw_times(axes: Axes, pairs: Mapping[str, Sequence[Pair]]) -> None:
    runs = [result for group in pairs.values() for pair in group for result in pair]
    limits = [time_limit(result) or result.wall_s for result in runs]
    unsolved = 2 * max(limits)

    def seconds(result: RunResult) -> float:
        return max(result.wall_s, SHORTEST_S) if result.solved else unsolved

    low = min(map(seconds, runs)) / 1.5
    _draw_points(axes, pairs, seconds, (low, 1.5 * unsolved))
    use_logarithms(axes, "x", "y")
    for line, place in ((axes.axvline, (unsolved, low)), (axes.axhline, (low, unsolved))):
        line(unsolved, color=GREY, linewidth=1, linestyle=":")
        axes.annotate(
            "not solved",
            place,
            xytext=(-4, 6) if line == axes.axvline else (6, 4),
            textcoords="offset points",
            rotation=90 if line == axes.axvline else 0,
            color=GREY,
            ha="right" if line == axes.axvline else "left",
        )
    axes.set_title(f"Instances that at least one solved: {len(runs) // 2}")


def _draw_costs(axes: Axes, pairs: Mapping[str, Sequence[Pair]]) -> None:
    both = {
        domain: [pair for pair in group if all(r.solved and _drawable(r) for r in pair)]
        for domain, group in pairs.items()
    }
    costs = [_cost(result) for group in both.values() for pair in group for result in pair]
    axes.set_title(f"Instances that both solved: {len(costs) // 2}")
    if not costs:
        axes.set(xticks=[], yticks=[])
        return
    low, high = min(costs), max(costs)
    if low > 0 and high / low > _WIDE_RANGE:
        _draw_points(axes, both, _cost, (low / 1.5, high * 1.5))
        use_logarithms(axes, "x", "y")
    else:
        margin = (high - low) * 0.05 or 1
        _draw_points(axes, both, _cost, (low - margin, high + margin))


def _draw_points(
    axes: Axes,
    pairs: Mapping[str, Sequence[Pair]],
    coordinate: Coordinate,
    bounds: tuple[float, float],
) -> None:
    """Draw one point per pair, and the diagonal on which both planners are equal."""
    many = sum(len(group) for group in pairs.values()) > _MANY_POINTS
    axes.plot(bounds, bounds, color=GREY, linewidth=1)
    for index, (domain, group) in enumerate(pairs.items()):
        color, marker, _ = look(index)
        axes.plot(
            [coordinate(x) for x, _ in group],
            [coordinate(y) for _, y in group],
            marker,
            label=domain,
            color=color,
            markersize=3 if many else 5,
            markeredgewidth=0,
            alpha=0.5 if many else 0.7,
        )
    axes.set(xlim=bounds, ylim=bounds, aspect="equal")


def _cost(result: RunResult) -> float:
    return float(result.cost or 0)


def _drawable(result: RunResult) -> bool:
    """Return whether a cost is known, and small enough for an axis."""
    return result.cost is not None and -_LARGEST < result.cost < _LARGEST
