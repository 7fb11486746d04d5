"""Tests of significance against calculations by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.statistics.significance import same_distribution


def test_two_by_two_by_hand() -> None:
    """30 and 10 against 20 and 20: 40 * 2 * (30*20 - 10*20)^2 / (50 * 30 * 40 * 40)."""
    found = same_distribution({2: 30, 4: 10}, {2: 20, 4: 20})
    expected = pytest.approx(80 * 400**2 / (50 * 30 * 40 * 40))
    assert (found.degrees, found.statistic) == (1, expected)
    assert found.p == pytest.approx(0.0209, abs=1e-4)


def test_rare_numbers_are_merged_with_their_neighbours() -> None:
    assert same_distribution({1: 1, 2: 50, 3: 49, 9: 1}, {2: 50, 3: 50, 8: 1}).degrees == 1
    assert same_distribution({1: 3}, {2: 3}) is None


@given(st.lists(st.integers(1, 6), min_size=40), st.integers(1, 4))
def test_samples_of_equal_shares_do_not_differ(numbers: list[int], factor: int) -> None:
    counts = Counter(numbers)
    found = same_distribution(counts, {number: factor * n for number, n in counts.items()})
    assert found is None or (found.statistic, found.p) == pytest.approx((0, 1))
