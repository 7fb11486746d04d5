"""Tables 2 and 3 and Figure 3 of CATS, with the reproduced numbers beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pddl_pipeline.studies.cats.published import HORIZONS
from pddl_pipeline.studies.cats.published_search import (
    BUDGETS,
    NODES,
    TABLE2,
    TABLE3,
    Cells,
)
from pddl_pipeline.studies.cats.search_scores import Method
from pddl_pipeline.studies.study_result import Chart, NamedTable, Point, Series
from pddl_pipeline.tables.text_table import TextTable, rounded

Methods = Mapping[tuple[str, str], Method]
"""The methods by budget and planner."""
_HEADINGS: Final = (*HORIZONS, "avg.")
PAPER_MODEL: Final = "Qwen3-8B"


def table2(found: Methods, planners: Sequence[str]) -> NamedTable:
    """Return success and optimality, with the paper's rows above the reproduced ones."""
    rows = []
    for budget in BUDGETS:
        for name, row in TABLE2[budget].items():
            rows.append((budget, f"paper: {name}", *_texts(row.success), *_texts(row.optimality)))
        for planner in planners:
            method = found.get((budget, planner))
            if method is not None:
                cells = *_texts(method.success), *_texts(method.optimality)
                rows.append((budget, planner, *cells))
    headings = (
        "budget", "method", *(f"success, {name}" for name in _HEADINGS),
        *(f"optimality, {name}" for name in _HEADINGS),
    )  # fmt: skip
    caption = (
        f"Table 2. The paper's ToT, RAP and CATS ask {PAPER_MODEL}; ours have built-in rewards. "
        "Averages by the paper's shares of horizons"
    )
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))


def table3(found: Methods, planners: Sequence[str]) -> NamedTable:
    """Return the efficiency over the solved tasks."""
    rows = []
    for budget in BUDGETS:
        for name, cells in TABLE3[budget].items():
            rows.append((budget, f"paper: {name}", *_texts(cells)))
        for planner in planners:
            method = found.get((budget, planner))
            if method is not None:
                rows.append((budget, planner, *_texts(method.efficiency)))
    headings = ("budget", "method", *_HEADINGS)
    return NamedTable("Table 3: efficiency", TextTable(headings, tuple(rows), names=2))


def _texts(cells: Cells) -> tuple[str, ...]:
    return tuple(rounded(value) for value in cells)


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
    paper = TABLE2[budget]["CATS"].success
    bars = [
        Series(
            f"paper: CATS, {PAPER_MODEL}",
            tuple(
                Point(name, 100 * (value or 0.0))
                for name, value in zip(HORIZONS, paper[:-1], strict=True)
            ),
            from_paper=True,
        )
    ]
    for planner in planners:
        method = found[budget, planner]
        points = []
        for name in HORIZONS:
            value, reach = getattr(method.success, name), method.interval(name)
            if value is not None and reach is not None:
                points.append(Point(name, 100 * value, 100 * reach.low, 100 * reach.high))
        bars.append(Series(planner, tuple(points)))
    tasks = ", ".join(f"{name} {number}" for name, number in numbers.items())
    return Chart(
        f"Success within {NODES} expanded nodes, {budget} budget",
        f"horizon; tasks: {tasks}",
        "solved (%), 95 % intervals",
        tuple(bars),
        bottom=0,
        top=100,
    )


def omega_chart(found: Methods, settings: Mapping[float, str], number: int) -> Chart:
    """Return the chart of the effect of omega without a budget.

    Args:
        found: the methods.
        settings: the planner by the value of omega.
        number: the number of tasks.
    """
    lines = []
    for name in ("success", "optimality", "efficiency"):
        points = []
        for omega, planner in settings.items():
            value = getattr(found["unlimited", planner], name).average
            if value is not None:
                points.append(Point(omega, value))
        lines.append(Series(name, tuple(points)))
    return Chart(
        "Figure 3, right: weight of confidence (goal-count here, a model in the paper)",
        f"omega, n={number} tasks, unlimited budget",
        "average (0 to 1)",
        tuple(lines),
        bottom=0,
        top=1.02,
    )
