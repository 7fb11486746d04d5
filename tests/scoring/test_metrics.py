"""Metrics against their definitions, and properties that hold for any trials."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.scoring.metrics import accuracy_at, efficiency, mean, optimality, pass_at


@given(st.lists(st.integers(0, 1), min_size=1, max_size=12), st.integers(1, 13))
def test_metrics_of_k_attempts_by_their_definitions(right: list[int], k: int) -> None:
    """The best of the first k, and the share of the choices of k with a right one."""
    choices = [any(chosen) for chosen in combinations(right, k)]
    assert pass_at(right, k) == (Fraction(sum(choices), len(choices)) if choices else None)
    assert accuracy_at(right, k) == max(right[:k])
    assert mean(right) == Fraction(sum(right), len(right)) == pass_at(right, 1)


@pytest.mark.parametrize(
    ("cost", "best", "expected"),
    [
        (10, 10, Fraction(1, 2)),
        (30, 10, Fraction(1, 4)),
        (None, 10, Fraction(0)),
        (Fraction(7, 3), Fraction(7, 3), Fraction(1, 2)),
        (0, 0, Fraction(1, 2)),
        (1, 0, Fraction(0)),
    ],
)
def test_optimality_is_equation_4(
    cost: int | Fraction | None, best: int | Fraction, expected: Fraction
) -> None:
    assert optimality(cost, Fraction(best)) == expected


def test_efficiency_is_equation_4() -> None:
    assert [efficiency(n) for n in (0, 5, 500, 900)] == [1, Fraction(99, 100), 0, 0]
