"""Confidence intervals: known values, and their coverage."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.statistics.intervals import Interval, bootstrap, estimate, wilson

SHARES = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


# Newcombe (1998), Statistics in Medicine 17, table I, method 3: the score interval.
@pytest.mark.parametrize(
    ("right", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_printed(right: int, trials: int, low: float, high: float) -> None:
    assert wilson(right, trials) == pytest.approx((low, high), abs=5e-5)


@given(SHARES)
def test_wilson_contains_the_estimate_and_mirrors(share: tuple[int, int]) -> None:
    right, trials = share
    low, high = wilson(right, trials)
    assert 0 <= low <= right / trials <= high <= 1
    other = wilson(trials - right, trials)
    assert (1 - other.high, 1 - other.low) == pytest.approx((low, high))


@given(st.lists(st.integers(0, 1), min_size=1, max_size=50))
def test_zeros_and_ones_take_wilson(values: list[int]) -> None:
    found = estimate(values)
    assert found.value == Fraction(sum(values), len(values))
    assert found.interval == wilson(sum(values), len(values))


@given(st.lists(st.fractions(0, 1, max_denominator=7), min_size=2, max_size=50))
def test_an_interval_lies_between_the_values(values: list[Fraction]) -> None:
    found = estimate(values)
    assert found == estimate(values[::-1])
    if not set(values) <= {0, 1}:
        low, high = found.interval
        assert float(min(values)) - 1e-9 <= low <= high <= float(max(values)) + 1e-9


def test_bootstrap_covers_the_true_mean_about_as_often_as_it_says() -> None:
    draw = random.Random(7)
    hits = 0
    for _ in range(200):
        sample = [Fraction(sum(draw.random() < 0.3 for _ in range(5)), 5) for _ in range(100)]
        low, high = bootstrap(Counter(sample), 2_000)
        hits += low <= 0.3 <= high
    assert 182 <= hits <= 198


def test_bootstrap_is_as_wide_as_normal_theory_says() -> None:
    values = [Fraction(number, 1000) for number in range(1001)]
    found = estimate(values)
    # The mean of 1,001 uniform values has a standard error of 1 / sqrt(12 * 1001).
    reach = 1.96 / (12 * 1001) ** 0.5
    assert found.interval == pytest.approx((0.5 - reach, 0.5 + reach), abs=0.002)


def test_of_one_instance_nothing_is_known() -> None:
    assert estimate([Fraction(1, 3)]).interval == Interval(0, 1)
    assert estimate([]) is None
