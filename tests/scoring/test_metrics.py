"""Metrics against their definitions, and properties that hold for any trials."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.scoring.metrics import accuracy_at, efficiency, mean, optimality, pass_at

RIGHT = st.lists(st.integers(0, 1), min_size=1, max_size=12)


def test_accuracy_is_the_mean_of_the_attempts() -> None:
    assert mean([1, 0, 0]) == Fraction(1, 3)


def test_accuracy_at_k_is_the_best_of_the_first_k() -> None:
    found = [accuracy_at([0, 0, 1, 0], k) for k in (1, 2, 3, 4, 9)]
    assert found == [0, 0, 1, 1, 1]


@given(RIGHT, st.integers(1, 12))
def test_pass_at_k_is_the_share_of_the_choices_of_k_with_a_right_one(
    right: list[int], k: int
) -> None:
    choices = [any(chosen) for chosen in combinations(right, k)]
    expected = Fraction(sum(choices), len(choices)) if choices else None
    assert pass_at(right, k) == expected


@given(RIGHT)
def test_pass_at_1_is_accuracy_and_pass_at_all_is_accuracy_at_all(right: list[int]) -> None:
    assert pass_at(right, 1) == mean(right)
    assert pass_at(right, len(right)) == accuracy_at(right, len(right))
    assert pass_at(right, len(right) + 1) is None


@given(RIGHT)
def test_more_attempts_are_never_worse(right: list[int]) -> None:
    for metric in (pass_at, accuracy_at):
        values = [metric(right, k) or Fraction(0) for k in range(1, len(right) + 1)]
        assert values == sorted(values)


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
