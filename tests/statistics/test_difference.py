"""Tests of differences of samples against calculations by hand and published examples."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from scipy.stats import binomtest

from pddl_pipeline.statistics.differences import (
    Difference,
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


def half_width(found: Difference) -> float:
    low, high = found.interval(0.95)
    return (high - low) / 2


PAIRS = [*product(range(13), range(1, 13)), (9_000, 11_000)]
FIVE = difference_of_means([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
RANKS = rank_difference(tuple(range(8)), tuple(range(10, 18)))
FEW = share_difference(2, 2, 0, 4)
OURS, KNOWN = (difference_from_published_mean([8, 10, 10, 12], 12, n) for n in (16, None))
# The values, what they should be, and the largest difference.
BY_HAND: dict[str, tuple[Callable[[], Any], Any, float]] = {
    "Newcombe 1998, table II, example (a), method 10": (
        lambda: share_difference(56, 70, 48, 80).interval(0.95), (0.0524, 0.3339), 1e-4),
    "example (h)": (lambda: share_difference(10, 10, 0, 20).interval(0.95), (0.6791, 1), 1e-4),
    "2 of 2 and 0 of 4: one table of 15 is as extreme": (
        lambda: (FEW.value, FEW.p, *FEW.n), (1, 1 / 15, 2, 4), 1e-9),
    "the sign test is that of SciPy": (
        lambda: [sign_test(*each) for each in PAIRS],
        [binomtest(one, one + other).pvalue for one, other in PAIRS], 1e-12),
    "no signs": (lambda: sign_test(0, 0), 1, 0),
    "McNemar, 8 of 9 on one side: 2 * (1 + 9) / 512": (
        lambda: (paired_difference(8, 1, 100).p, paired_difference(8, 1, 100).value),
        (20 / 512, 0.07), 1e-9),
    "pairs without a difference": (lambda: paired_difference(0, 0, 5).p, 1, 0),
    # Clopper and Pearson, at each end, for both counts to hold.
    "their interval": (
        lambda: paired_difference(0, 0, 50).interval(0.95),
        (0.0125 ** (1 / 50) - 1, 1 - 0.0125 ** (1 / 50)), 1e-9),
    # Variances 2.5 and 10, n=5 each.
    "Welch, t = -3 / sqrt(2.5) on 5.88 degrees of freedom": (
        lambda: (FIVE.value, FIVE.p), (-3, 0.1075), 1e-3),
    "its interval": (lambda: FIVE.interval(0.95), (-6.89, 0.89), 0.01),
    # Our deviation of 1.633 for both. Degrees of freedom: (5 / 16)^2 / (1 / 16 / 3 + 1 / 256 / 15)
    # = 4.63, with t = 2.634.
    "a published mean of 16 values": (
        lambda: half_width(OURS), 2.634 * 1.633 * (1 / 4 + 1 / 16) ** 0.5, 1e-2),
    "a published mean as a number": (
        lambda: half_width(KNOWN), 3.182 * 1.633 / 2, 1e-2),
    "ranks, all 8 below all others: 2 / C(16, 8)": (
        lambda: (RANKS.value, RANKS.p), (-0.5, 2 / 12870), 1e-9),
    "equal ranks": (
        lambda: (rank_difference((1, 1), (1, 1)).value, rank_difference((1, 1), (1, 1, 1)).p),
        (0, 1), 0),
    "(1.645 + 1.282)^2 * 2 * 0.25 / 0.1^2 = 428 for shares of one half": (
        lambda: size_for_equality(share_difference(49, 98, 49, 98), 0.1), 429, 0),
    # Shares of 0.6 and 0.4 (61 / 102 with the added).
    "(1.960 + 0.842)^2 * (0.24 + 0.24) / 0.2^2": (
        lambda: size_for_order(share_difference(60, 100, 40, 100), 0.1), 95, 2),
    "4 of 4 and 0 of 4 have p = 2 / 70; 3 of 3 and 0 of 3 have 0.1": (
        lambda: size_for_order(share_difference(2, 2, 0, 4), 0.1), 4, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name: str) -> None:
    found, expected, most = BY_HAND[name]
    assert found() == pytest.approx(expected, abs=most, rel=1e-9)


def test_a_published_mean_has_our_deviation_or_is_a_number() -> None:
    assert OURS.test == "Welch's t test, our deviation for both"
    assert (KNOWN.n, KNOWN.test) == ((4,), "one-sample t test")


def test_without_spread_there_is_no_difference() -> None:
    assert difference_of_means([1, 1], [2, 2]) is None
    assert difference_of_means([1], [2, 3]) is None
    assert difference_from_published_mean([5, 5, 5], 4, 10) is None
    assert mean_of_differences([0.0, 0.0]) is None
