"""Tables 2 and 3 and Figure 3 of CATS, with the reproduced numbers beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pddl_pipeline.papers.cats.published import ALL, BUDGETS, METRICS, PUBLISHED, SEARCHES, Cells
from pddl_pipeline.papers.cats.search_scores import Method
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series
from pddl_pipeline.tables.text_table import TextTable, rounded
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, NODE_LIMIT

Methods = Mapping[tuple[str, str], Method]
"""The methods by budget and planner."""


def table2(found: Methods, planners: Sequence[str]) -> NamedTable:
    """Return success and optimality, with the paper's rows above the reproduced ones."""
    caption = (
        f"Table 2. The paper's ToT, RAP and CATS use {PUBLISHED.table2.model}; ours use built-in "
        "rewards. Averages are weighted by the paper's shares of horizons"
    )
    return NamedTable(caption, _table(found, planners, ("success", "optimality")))


def table3(found: Methods, planners: Sequence[str]) -> NamedTable:
    """Return the efficiency over the solved tasks."""
    return NamedTable("Table 3: efficiency", _table(found, planners, ("efficiency",)))


def _table(found: Methods, planners: Sequence[str], metrics: Sequence[str]) -> TextTable:
    rows = []
    for budget in BUDGETS:
        for name, published in SEARCHES[budget].items():
            if metrics[0] in published:
                cells = [published[metric] for metric in metrics]
                rows.append((budget, f"paper: {name}", *_texts(cells)))
        for planner in planners:
            if (budget, planner) in found:
                scores = found[budget, planner].scores
                rows.append((budget, planner, *_texts([scores[metric] for metric in metrics])))
    columns = (*HORIZONS, "avg.")
    if len(metrics) > 1:
        columns = tuple(f"{metric}, {name}" for metric in metrics for name in columns)
    return TextTable(("budget", "method", *columns), tuple(rows), names=2)


def _texts(rows: Sequence[Cells]) -> list[str]:
    return [rounded(cells.get(name)) for cells in rows for name in (*HORIZONS, ALL)]


def success_chart(
    found: Methods, planners: Sequence[str], budget: str, numbers: Mapping[str, int]
) -> Chart:
    """Return the chart of success rates under a budget.

    Args:
        found: the methods.
        planners: the planners to show.
        budget: the budget's name.
        numbers: the number of tasks by horizon.
    """
    paper = SEARCHES[budget]["CATS"]["success"]
    points = tuple(Point(name, 100 * paper[name]) for name in HORIZONS)
    tasks = ", ".join(f"{name} {number}" for name, number in numbers.items())
    return Chart(
        f"Success within {NODE_LIMIT} expanded nodes, {budget} budget",
        f"horizon; tasks: {tasks}",
        "solved (%), 95 % intervals",
        (
            Series(f"paper: CATS, {PUBLISHED.table2.model}", points, from_paper=True),
            *(Series(planner, _solved(found[budget, planner])) for planner in planners),
        ),
        bottom=0,
        top=100,
    )


def _solved(method: Method) -> tuple[Point, ...]:
    rates = (method.solved(name) for name in HORIZONS if name in method.runs)
    return tuple(
        Point(each.label, *(100 * (part or 0.0) for part in (each.share, each.low, each.high)))
        for each in rates
    )


def omega_chart(found: Methods, settings: Mapping[float, str], number: int) -> Chart:
    """Return the chart of the effect of omega without a budget.

    Args:
        found: the methods.
        settings: the planner by the value of omega.
        number: the number of tasks.
    """
    scores = {omega: found["unlimited", planner].scores for omega, planner in settings.items()}
    lines = {
        metric: tuple(
            Point(x, each[metric][ALL]) for x, each in scores.items() if ALL in each[metric]
        )
        for metric in METRICS
    }
    return Chart(
        "Figure 3, right: weight of confidence (goal-count here, a model in the paper)",
        f"omega, n={number} tasks, unlimited budget",
        "average (0 to 1)",
        tuple(Series(metric, points) for metric, points in lines.items()),
        bottom=0,
        top=1.02,
    )
