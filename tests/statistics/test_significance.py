"""Tests of significance against calculations by hand and exact permutations."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.statistics.significance import (
    difference_of_means,
    kendall,
    same_distribution,
    smaller_values,
    spearman,
)

SAMPLES = st.tuples(st.permutations(range(14)), st.integers(6, 8))
"""Different values, in two samples."""


def test_two_by_two_by_hand() -> None:
    """30 and 10 against 20 and 20: 40 * 2 * (30*20 - 10*20)^2 / (50 * 30 * 40 * 40)."""
    found = same_distribution({2: 30, 4: 10}, {2: 20, 4: 20})
    assert found is not None
    assert found.degrees == 1
    assert found.statistic == pytest.approx(80 * 400**2 / (50 * 30 * 40 * 40))
    assert found.p == pytest.approx(0.0209, abs=1e-4)
    assert found.is_significant


def test_rare_numbers_are_merged_with_their_neighbours() -> None:
    found = same_distribution({1: 1, 2: 50, 3: 49, 9: 1}, {2: 50, 3: 50, 8: 1})
    assert found is not None
    assert found.degrees == 1
    assert same_distribution({1: 3}, {2: 3}) is None


@given(st.lists(st.integers(1, 6), min_size=40), st.integers(1, 4))
def test_samples_of_equal_shares_do_not_differ(numbers: list[int], factor: int) -> None:
    counts = Counter(numbers)
    found = same_distribution(counts, {number: factor * n for number, n in counts.items()})
    if found is not None:
        assert found.statistic == pytest.approx(0)
        assert found.p == pytest.approx(1)


def permuted(xs: list[int], ys: list[int]) -> float:
    """Return the exact share of all choices of the xs among the values that are as small."""
    every = [*xs, *ys]

    def above(chosen: tuple[int, ...]) -> float:
        rest = [every[at] for at in range(len(every)) if at not in chosen]
        return sum((every[at] > y) + (every[at] == y) / 2 for at in chosen for y in rest)

    given_one = above(tuple(range(len(xs))))
    ways = [above(chosen) for chosen in combinations(range(len(every)), len(xs))]
    return sum(way <= given_one for way in ways) / len(ways)


@given(SAMPLES)
def test_rank_sum_is_near_all_permutations(split: tuple[list[int], int]) -> None:
    xs, ys = split[0][: split[1]], split[0][split[1] :]
    assert smaller_values(xs, ys).p == pytest.approx(permuted(xs, ys), abs=0.01)


def test_rank_sum_by_hand() -> None:
    """z = (0 + 0.5 - 32) / sqrt(8 * 8 * 17 / 12) = -3.308."""
    assert smaller_values(range(8), range(10, 18)).p == pytest.approx(0.00047, abs=1e-5)
    assert smaller_values(range(10, 18), range(8)).p == pytest.approx(0.9997, abs=1e-4)


def test_values_in_both_samples_share_their_ranks() -> None:
    xs, ys = [1] * 8 + [2] * 2, [1] * 3 + [2] * 7
    # Rank sums: 11 ones have rank 6, 9 twos rank 16; W = 8 * 6 + 2 * 16 = 80, U = 80 - 55 = 25.
    # Variance 100 / 12 * (21 - (11**3 - 11 + 9**3 - 9) / (20 * 19)) = 130.26.
    # z = (25 + 0.5 - 50) / 11.413 = -2.147.
    assert smaller_values(xs, ys).p == pytest.approx(0.0159, abs=1e-4)


def test_equal_values_show_nothing() -> None:
    assert smaller_values([1, 1, 1], [1, 1]).p == 1


def test_rank_correlations_by_hand() -> None:
    """One swap among four, and a tie."""
    expected = {
        (spearman, (1, 2, 3, 4), (1, 3, 2, 4)): 0.8,
        (kendall, (1, 2, 3, 4), (1, 3, 2, 4)): 4 / 6,
        (kendall, (1, 2, 3), (1, 1, 2)): 2 / 6**0.5,
        (spearman, (1, 2, 3), (1, 1, 2)): 0.75**0.5,
    }
    for (correlation, one, other), value in expected.items():
        found = correlation(one, other)
        assert found is not None
        assert found.statistic == pytest.approx(value)
    assert spearman([1, 1, 1], [1, 2, 3]) is kendall([1, 2, 3], [2, 2, 2]) is None


def test_a_difference_of_1_96_standard_errors_is_at_the_level() -> None:
    assert difference_of_means(-1.959964, 1).p == pytest.approx(0.05)
    assert difference_of_means(0, 0).p == 1
    assert difference_of_means(1, 0).p == 0
