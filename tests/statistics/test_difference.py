"""Tests of differences of samples against calculations by hand and published examples."""

from __future__ import annotations

from itertools import product

import pytest
from scipy.stats import binomtest

from pddl_pipeline.statistics.differences import (
    difference_from_published_mean,
    difference_of_means,
    mean_of_differences,
    paired_difference,
    rank_difference,
    share_difference,
    sign_test,
    size_for_equality,
    size_for_order,
)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((56, 70, 48, 80), (0.0524, 0.3339)), ((10, 10, 0, 20), (0.6791, 1.0))],
)
def test_newcombes_interval_is_the_published_one(
    counts: tuple[int, int, int, int], expected: tuple[float, float]
) -> None:
    """Newcombe 1998, table II, examples (a) and (h), method 10."""
    assert share_difference(*counts).interval(0.95) == pytest.approx(expected, abs=1e-4)


def test_fishers_test_by_hand() -> None:
    """2 of 2 and 0 of 4: one table of 15 is as extreme."""
    found = share_difference(2, 2, 0, 4)
    assert (found.p, found.value, found.n) == (pytest.approx(1 / 15), 1, (2, 4))


def test_the_sign_test_is_that_of_scipy() -> None:
    counts = [*product(range(13), range(1, 13)), (9_000, 11_000)]
    expected = [binomtest(one, one + other).pvalue for one, other in counts]
    assert [sign_test(*each) for each in counts] == pytest.approx(expected, rel=1e-9)
    assert sign_test(0, 0) == 1


def test_mcnemar_counts_only_the_instances_that_differ() -> None:
    """8 of 9 on one side: 2 * (1 + 9) / 512."""
    found = paired_difference(8, 1, 100)
    assert (found.p, found.value) == pytest.approx((20 / 512, 0.07))
    assert paired_difference(0, 0, 5).p == 1


def test_the_interval_of_pairs_without_a_difference() -> None:
    """Clopper and Pearson: 1 - 0.0125 ** (1 / 50) at each end, for both counts to hold."""
    reach = 1 - 0.0125 ** (1 / 50)
    assert paired_difference(0, 0, 50).interval(0.95) == pytest.approx((-reach, reach))


def test_welchs_test_by_hand() -> None:
    """Variances 2.5 and 10, n=5 each: t = -3 / sqrt(2.5) on 5.88 degrees of freedom."""
    found = difference_of_means([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert (found.value, found.p) == (-3, pytest.approx(0.1075, abs=1e-3))
    assert found.interval(0.95) == pytest.approx((-6.89, 0.89), abs=0.01)


def test_a_published_mean_has_our_deviation() -> None:
    """Deviation 1.633 of 4 values: the error is 1.633 * sqrt(1/4 + 1/16)."""
    found = difference_from_published_mean([8, 10, 10, 12], 12, 16)
    assert found.test == "Welch's t test, our deviation for both"
    # Degrees of freedom: (5 / 16)^2 / (1 / 16 / 3 + 1 / 256 / 15) = 4.63, with t = 2.634.
    low, high = found.interval(0.95)
    assert (high - low) / 2 == pytest.approx(2.634 * 1.633 * (1 / 4 + 1 / 16) ** 0.5, abs=1e-2)
    known = difference_from_published_mean([8, 10, 10, 12], 12, None)
    low, high = known.interval(0.95)
    assert (known.n, known.test) == ((4,), "one-sample t test")
    assert (high - low) / 2 == pytest.approx(3.182 * 1.633 / 2, abs=1e-2)


def test_without_spread_there_is_no_difference() -> None:
    assert difference_of_means([1, 1], [2, 2]) is None
    assert difference_of_means([1], [2, 3]) is None
    assert difference_from_published_mean([5, 5, 5], 4, 10) is None
    assert mean_of_differences([0.0, 0.0]) is None


def test_ranks() -> None:
    """All 8 values below all others: 2 / C(16, 8)."""
    found = rank_difference(tuple(range(8)), tuple(range(10, 18)))
    assert (found.value, found.p) == (-0.5, pytest.approx(2 / 12870))
    assert rank_difference((1, 1), (1, 1, 1)).p == 1
    assert rank_difference((1, 1), (1, 1)).value == 0


def test_sizes_by_hand() -> None:
    """(1.645 + 1.282)^2 * 2 * 0.25 / 0.1^2 = 428 for shares of one half."""
    assert size_for_equality(share_difference(49, 98, 49, 98), 0.1) == 429
    # (1.960 + 0.842)^2 * (0.24 + 0.24) / 0.2^2, shares of 0.6 and 0.4 (61 / 102 with the added).
    assert size_for_order(share_difference(60, 100, 40, 100), 0.1) == pytest.approx(95, abs=2)


def test_sizes_of_few_cases_are_those_of_the_exact_test() -> None:
    """4 of 4 and 0 of 4 have p = 2 / 70; 3 of 3 and 0 of 3 have 0.1."""
    assert size_for_order(share_difference(2, 2, 0, 4), 0.1) == 4
