"""Groups of instances by size, horizon and budget, with their printed labels."""

from __future__ import annotations

from typing import Any

import pytest
from score_trials import budgeted, countdown

from pddl_pipeline.scoring.grouping import GROUPINGS

STEPS, UNITS = ["(pick-up a)"], ["(add n1 n2)"]
LABELS = [
    *(("budget", budgeted("b", budget, **extras), expected) for budget, extras, expected in (
        (44, {"optimal_cost": 44}, "tight"), (86, {"optimal_cost": 44}, "loose +42"),
        (46, {"optimal_cost": 44}, "loose +2"), (None, {"optimal_cost": 44}, "unlimited"),
        (None, {}, "unlimited"), (44, {}, "limited"),
        (43, {"optimal_cost": 44}, "below the optimum"),
    )),
    ("budget", countdown("c"), "none"),
    # The horizons of budgeted tasks are those of CATS.
    *(("horizon", budgeted("b", None, witness=STEPS * steps, optimal_cost=99), expected)
      for steps, expected in ((2, "2-8"), (8, "2-8"), (10, "10-14"), (14, "10-14"), (16, "16+"))),
    # They are lengths elsewhere.
    ("horizon", countdown("c", witness=UNITS * 4), "4"),
    ("horizon", countdown("c", optimal_cost=5, witness=UNITS * 7), "5"),
    ("horizon", countdown("c"), "unknown"),
    ("horizon", budgeted("b", None, optimal_cost=22), "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("by", "instance", "expected"), LABELS)
def test_labels(by: str, instance: Any, expected: str) -> None:
    assert GROUPINGS[by](instance).label == expected


def test_groups_are_in_the_order_of_their_numbers() -> None:
    sizes = [GROUPINGS["size"](countdown("c", size)) for size in (10, 4, 9)]
    assert [group.label for group in sorted(sizes)] == ["4", "9", "10"]
    budgets = [budgeted("b", budget, optimal_cost=9) for budget in (None, 51, 9, 20)]
    ordered = sorted(map(GROUPINGS["budget"], budgets))
    assert [group.label for group in ordered] == ["tight", "loose +11", "loose +42", "unlimited"]
