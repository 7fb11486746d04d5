"""Plots: there when there is something to draw, the same bytes each time, missed politely."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace

import matplotlib as mpl
import pytest
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.html_page import report_html
from pddl_pipeline.reporting.plots import report_plots
from pddl_pipeline.reporting.report import Report, summarise
from pddl_pipeline.reporting.scatter_plot import scatter_plot
from pddl_pipeline.tables.plot_style import own_settings


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


def titles(planners: Iterable[str]) -> list[str]:
    report = summarise(run for planner in planners for run in runs(planner))
    return [plot.title for plot in report_plots(report)]


def points(report: Report, x: str, y: str) -> list[list[tuple[float, float]]]:
    """The points of the two halves of a scatter plot, without the lines."""
    with own_settings():
        figure = scatter_plot(report, x, y)
    assert figure is not None
    halves = []
    for axes in figure.axes:
        drawn = [line for line in axes.lines if line.get_linestyle() == "None"]
        halves.append(
            [tuple(map(float, point)) for line in drawn for point in line.get_xydata().tolist()]
        )
    return halves


@pytest.mark.parametrize(("planners", "pairs"), [(1, 0), (2, 1), (3, 3), (4, 6), (5, 0)])
def test_pairs_are_compared_where_there_are_not_too_many(planners: int, pairs: int) -> None:
    assert len(titles("abcde"[:planners])) == 1 + pairs


def test_planners_that_share_no_instance_are_not_compared() -> None:
    report = summarise([*runs("a"), *runs("b", domain="depots")])
    assert [plot.title for plot in report_plots(report)] == ["Validated instances by time"]


def test_nothing_is_drawn_where_nothing_is_solved() -> None:
    report = summarise([failed("a", "1"), failed("b", "1")])
    assert report_plots(report) == []
    assert "no instance was solved" in report_html(report)


def test_what_one_planner_did_not_solve_is_drawn_at_twice_the_limit() -> None:
    solved, lost = replace(runs("a", 1)[0], wall_s=2.0, cost=7), failed("b", "0")
    times, costs = points(summarise([solved, lost]), "a", "b")
    assert times == [(2.0, 120.0)]
    assert costs == []
    neither = [failed("a", "9"), failed("b", "9")]
    assert points(summarise([solved, lost, *neither]), "a", "b")[0] == times


def test_costs_are_of_instances_that_both_solved() -> None:
    report = summarise([*runs("a", 2), *runs("bb", 1)])
    assert points(report, "a", "bb") == [[(0.1, 0.2)], [(1.0, 2.0)]]


def test_same_runs_same_bytes_whatever_the_settings() -> None:
    report = summarise([*runs("a"), *runs("b")])
    plots = report_plots(report)
    with mpl.rc_context({"lines.linewidth": 7.0, "svg.hashsalt": "other"}):
        assert report_plots(report) == plots
        assert mpl.rcParams["lines.linewidth"] == 7.0
    assert b"<svg" in plots[0].data


def test_many_points_make_a_small_picture() -> None:
    plots = report_plots(summarise([*runs("a", 2000), *runs("b", 2000)]))
    assert [plot.media_type for plot in plots] == ["image/png"] * 2
    assert sum(len(plot.data) for plot in plots) < 300_000


def test_names_are_no_mathematics() -> None:
    assert titles(["$\\frac", "_b"]) == [
        "Validated instances by time",
        "$\\frac and _b, instance by instance",
    ]


def test_without_matplotlib_the_page_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    report = summarise([*runs("a"), *runs("b")])
    whole = report_html(report)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in [n for n in sys.modules if n.startswith("pddl_pipeline.") and "plot" in n]:
        monkeypatch.delitem(sys.modules, name)
    page = report_html(report)
    assert '<code>pip install "pddl-pipeline[report]"</code>' in page
    assert "<img" not in page
    assert "<img" in whole
    assert page.partition("<h2>Plots</h2>")[0] == whole.partition("<h2>Plots</h2>")[0]
