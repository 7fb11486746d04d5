"""The figure of `distributions`: horizons compared with Appendix A, plan lengths with Table 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from pddl_pipeline.tables.plot_style import look, own_settings, use_logarithms

GREY = "#b8b8b8"


class Row(NamedTuple):
    """The mean length of the plans of a dataset, and the paper's."""

    name: str
    mean: float
    half_interval: float
    paper: float


def draw(
    path: Path,
    rows: Sequence[Row],
    paper: Mapping[int, int],
    ours: Mapping[int, int],
    exact: Mapping[int, float],
) -> None:
    """Write the figure."""
    with own_settings():
        figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.8), layout="constrained")
        _draw_horizons(left, paper, ours, exact)
        _draw_lengths(right, rows)
        figure.savefig(path, dpi=300)
        plt.close(figure)


def _draw_horizons(
    axes: Axes, paper: Mapping[int, int], ours: Mapping[int, int], exact: Mapping[int, float]
) -> None:
    tasks = sum(paper.values())
    every = sorted({*paper, *ours, *exact})
    axes.bar([n - 0.4 for n in every], [paper.get(n, 0) for n in every], 0.8, color=GREY,
             label=f"CATS, Appendix A (n = {tasks:,})")  # fmt: skip
    axes.bar([n + 0.4 for n in every], [ours.get(n, 0) for n in every], 0.8, color=look(0).color,
             label=f"generated, seed 0 (n = {sum(ours.values()):,})")  # fmt: skip
    axes.plot(every, [tasks * exact.get(n, 0) for n in every], color=look(1).color,
              marker=look(1).marker, markersize=4, linewidth=1,
              label=f"expected of {tasks:,}, all pairs of states")  # fmt: skip
    axes.set(xlabel="horizon: steps of the cheapest plan", ylabel="tasks", xticks=every[::2],
             title="Budget-Blocksworld, six blocks")  # fmt: skip
    axes.grid(visible=False, axis="x")
    _put_legend_below(axes)


def _draw_lengths(axes: Axes, rows: Sequence[Row]) -> None:
    places = range(len(rows))
    axes.errorbar([row.mean for row in rows], places, fmt=look(0).marker, capsize=3,
                  xerr=[row.half_interval for row in rows], color=look(0).color, markersize=5,
                  label="generated, mean and 95 % interval")  # fmt: skip
    axes.plot([row.paper for row in rows], places, linestyle="none", marker="D", markersize=7,
              markerfacecolor="none", color=look(1).color, label="SimPlan, Table 8")  # fmt: skip
    use_logarithms(axes, "x")
    ticks = [5, 10, 20, 50, 100, 200]
    axes.set(xlabel="steps of the plan by lama-first", title="SimPlan's domains", xticks=ticks,
             xlim=(5, 200), yticks=list(places), ylim=(len(rows) - 0.4, -0.6))  # fmt: skip
    axes.set_yticklabels([row.name for row in rows], fontsize=8)
    _put_legend_below(axes)


def _put_legend_below(axes: Axes) -> None:
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=9)
