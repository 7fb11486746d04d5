"""Plots: there when there is something to draw, the same bytes each time, missed politely."""

from __future__ import annotations

import sys
from dataclasses import replace
from html import unescape
from math import isnan

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import Improvement, RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.report_page import report_html
from pddl_pipeline.reporting.plots import (
    cactus_plot,
    means_of,
    report_plots,
    scatter_plot,
    size_plot,
    time_plot,
)
from pddl_pipeline.reporting.report import Report, summarise
from pddl_pipeline.tables.plot_style import own_settings, use_logarithms


def runs(planner: str, count: int = 5, domain: str = "ferry") -> list[RunResult]:
    return [
        replace(
            RESULT, key=f"{planner}{domain}{n}", id=str(n), planner=planner, domain=domain,
            wall_s=(n + 1) * len(planner) / 10, cost=n + len(planner),
        )
        for n in range(count)
    ]  # fmt: skip


def failed(planner: str, name: str) -> RunResult:
    return replace(
        RESULT, key=planner + name, id=name, planner=planner, outcome=Outcome.TIMEOUT, status=None,
        cost=None, wall_s=60.1,
    )  # fmt: skip


def points(report: Report, x: str, y: str) -> list[list[tuple[float, float]]]:
    """The points of the two halves of a scatter plot, without the lines."""
    with own_settings():
        figure = scatter_plot(means_of(report), x, y)
    return [
        [tuple(map(float, point)) for each in axes.collections for point in each.get_offsets()]
        for axes in figure.axes
    ]


@pytest.mark.parametrize(
    ("found", "pairs"),
    [
        (runs("a"), 0),
        (runs("a") + runs("b"), 1),
        (runs("a") + runs("b", domain="depots"), 0),  # no instance in common
        ([run for planner in "abcde" for run in runs(planner, 1)], 0),
    ],
)
def test_pairs_are_compared_where_there_are_not_too_many(
    found: list[RunResult], pairs: int
) -> None:
    first, *others = report_plots(summarise(found))
    assert (first[0], len(others)) == ("Solved instances by time", pairs)


def over_time(run: RunResult, **plans: int | None) -> RunResult:
    """Return a run with plans of these costs, found after 1, 2, … s; None for an invalid one."""
    found = [
        Improvement(time_s, Status.INVALID if cost is None else Status.VALID, cost, 9, None)
        for time_s, cost in enumerate(plans.values(), start=1)
    ]
    return replace(run, improvements=tuple(found), wall_s=60.0)


@pytest.mark.parametrize(
    ("found", "points"),
    [
        ([over_time(r, a=9, b=None, c=5, d=6) for r in runs("a", 1)],
         [[(1, 9), (3, 5), (4, 5), (60, 5)]]),
        # The run of b on the first instance costs 1; runs without times have one plan.
        ([over_time(runs("a", 1)[0], a=10, b=5), *runs("a", 2)[1:], *runs("b", 1)],
         [[(0.2, 1), (1, 1.1), (2, 1.2), (60, 1.2)], [(0.1, 1), (60, 1)]]),
        (runs("a", 2), []),
    ],
)  # fmt: skip
def test_the_best_plans_over_time(
    found: list[RunResult], points: list[list[tuple[float, float]]]
) -> None:
    with own_settings():
        figure = time_plot(summarise(found))
    lines = [] if figure is None else figure.axes[0].lines
    assert [[(x, round(y, 9)) for x, y in line.get_xydata()] for line in lines] == points


def test_a_repetition_is_a_part_of_its_instance() -> None:
    """Two instances: one solved in one of two repetitions, one in both; a claim is confirmed."""
    once, twice, third = runs("a", 3)
    again = [replace(run, key=f"2{run.key}", repetition=2) for run in (twice, failed("a", "0"))]
    claim = replace(third, status=None, outcome=Outcome.CLAIMS_UNSOLVABLE, confirmed_by="x")
    with own_settings():
        figure = cactus_plot(summarise([once, twice, claim, *again]))
    assert figure is not None
    line = figure.axes[0].lines[0]
    assert line.get_label() == "a: 2.5 of 3"
    assert [tuple(point) for point in line.get_xydata()] == [
        (0.5, 0.1), (1.0, 0.2), (1.5, 0.2), (2.5, pytest.approx(0.3))
    ]  # fmt: skip


def test_a_line_over_sizes_is_broken_where_nothing_is_solved() -> None:
    found = [replace(run, size=n) for n, run in enumerate(runs("a"))]
    figure = size_plot(summarise([*found[:2], replace(failed("a", "2"), size=2), *found[3:]]))
    line, limit = figure.axes[0].lines if figure else ()
    assert [*map(isnan, line.get_ydata())] == [False, False, True, False, False]
    assert limit.get_label() == "time limit, 60 s"


def test_nothing_is_drawn_where_nothing_is_solved() -> None:
    report = summarise([failed("a", "1"), failed("b", "1")])
    assert report_plots(report) == []
    assert "no instance was solved" in report_html(report)


SOLVED, LOST = replace(runs("a", 1)[0], wall_s=2.0, cost=7), failed("bb", "0")


@pytest.mark.parametrize(
    ("found", "panels"),
    [
        # What one planner did not solve is drawn at the limit, its cost at the edge. Expanded
        # states are drawn where both planners print them.
        ([SOLVED, LOST], [[(2.0, 60.0)], [(7.0, 14.0)]]),
        ([SOLVED, LOST, failed("a", "9"), failed("bb", "9")], [[(2.0, 60.0)], [(7.0, 14.0)]]),
        ([*runs("a", 2), *runs("bb", 1), failed("bb", "1")],
         [[(0.1, 0.2), (0.2, 60.0)], [(1.0, 2.0), (2.0, 4.0)], [(7.0, 7.0)]]),
    ],
)  # fmt: skip
def test_points_of_pairs(found: list[RunResult], panels: list[list[tuple[float, float]]]) -> None:
    assert points(summarise(found), "a", "bb") == panels


def test_points_at_one_place_are_one_and_larger() -> None:
    both = [replace(run, wall_s=1.0, cost=3) for planner in "ab" for run in runs(planner, 4)]
    with own_settings():
        figure = scatter_plot(means_of(summarise(both)), "a", "b")
    (drawn,) = figure.axes[1].collections
    assert drawn.get_offsets().tolist() == [[3.0, 3.0]]
    assert drawn.get_sizes().tolist() == [4 * 30]


@pytest.mark.parametrize(
    ("low", "high"), [(0.001, 30), (0.2, 2.2), (0.02, 0.5), (0.6, 0.9), (0.001, 3600), (1, 1e9)]
)
def test_logarithmic_axes_have_some_labels_without_exponents(low: float, high: float) -> None:
    axes = Figure(figsize=(5, 5)).add_subplot()
    axes.set_xlim(low, high)
    use_logarithms(axes, "x")
    labels = {
        label
        for ticker in (axes.xaxis.major, axes.xaxis.minor)
        for label in ticker.formatter.format_ticks(
            [t for t in ticker.locator() if low <= t <= high]
        )
    } - {""}
    assert 3 <= len(labels) <= 12
    assert "e" not in "".join(labels)


def test_same_runs_same_bytes_whatever_the_settings() -> None:
    found = [*runs("$\\frac"), *runs("_b")]  # no mathematics
    plots = report_plots(summarise(found))
    assert plots[1][0] == "$\\frac and _b, instance by instance"
    with mpl.rc_context({"lines.linewidth": 7.0, "svg.hashsalt": "other"}):
        assert report_plots(summarise(reversed(found))) == plots
        assert mpl.rcParams["lines.linewidth"] == 7.0
    assert b"<svg" in plots[0][2]


def test_many_points_make_a_small_picture() -> None:
    plots = report_plots(summarise([*runs("a", 1200), *runs("b", 1200)]))
    assert [kind for _, kind, _ in plots] == ["image/svg+xml"] * 2
    assert sum(len(data) for *_, data in plots) < 300_000


def test_without_matplotlib_the_page_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in [n for n in sys.modules if n.startswith("pddl_pipeline.") and "plot" in n]:
        monkeypatch.delitem(sys.modules, name)
    page = report_html(summarise([*runs("a"), *runs("b")]))
    assert '<code>pip install "pddl-pipeline[report]"</code>' in unescape(page)
    assert "<img" not in page
    assert "<h2>Coverage and scores" in page
