"""Groups of instances by size, horizon and budget, with their printed labels."""

from __future__ import annotations

from typing import Any

import pytest
from score_trials import budgeted, countdown

from pddl_pipeline.scoring.grouping import GROUPINGS


def label(by: str, instance: Any) -> str:
    return GROUPINGS[by](instance).label


@pytest.mark.parametrize(
    ("budget", "best", "expected"),
    [
        (44, 44, "tight"), (86, 44, "loose +42"), (46, 44, "loose +2"), (None, 44, "unlimited"),
        (None, None, "unlimited"), (44, None, "limited"), (43, 44, "below the optimum"),
    ],
)  # fmt: skip
def test_budgets(budget: int | None, best: int | None, expected: str) -> None:
    extras = {} if best is None else {"optimal_cost": best}
    assert label("budget", budgeted("b", budget, **extras)) == expected


def test_tasks_without_budgets_have_none() -> None:
    assert label("budget", countdown("c")) == "none"


@pytest.mark.parametrize(
    ("steps", "expected"), [(2, "2-8"), (8, "2-8"), (10, "10-14"), (14, "10-14"), (16, "16+")]
)
def test_horizons_of_budgeted_tasks_are_those_of_cats(steps: int, expected: str) -> None:
    witness = ["(pick-up a)"] * steps
    assert label("horizon", budgeted("b", None, witness=witness, optimal_cost=99)) == expected


def test_horizons_are_lengths_elsewhere_and_unknown_where_nothing_tells() -> None:
    assert label("horizon", countdown("c", witness=["(add n1 n2)"] * 4)) == "4"
    assert label("horizon", countdown("c", optimal_cost=5, witness=["(add n1 n2)"] * 7)) == "5"
    assert label("horizon", countdown("c")) == "unknown"
    assert label("horizon", budgeted("b", None, optimal_cost=22)) == "unknown"


def test_groups_are_in_the_order_of_their_numbers() -> None:
    sizes = [GROUPINGS["size"](countdown("c", size)) for size in (10, 4, 9)]
    assert [group.label for group in sorted(sizes)] == ["4", "9", "10"]
    budgets = [budgeted("b", budget, optimal_cost=9) for budget in (None, 51, 9, 20)]
    ordered = sorted(map(GROUPINGS["budget"], budgets))
    assert [group.label for group in ordered] == ["tight", "loose +11", "loose +42", "unlimited"]
