"""Paired means: the sign-flip test and the bootstrap, beside values by hand and of SciPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from pddl_pipeline.statistics.differences import PairedMeans, paired_difference, paired_means

DIFFERENCES = [Fraction(each, 5) for each in [3, 2, -1, 4, 1, 0, 2, -2, 5, 1]]


def compared(differences: Iterable[Fraction | int], seed: int = 0) -> PairedMeans:
    return paired_means(Counter(map(Fraction, differences)), seed)


def test_p_and_interval_are_those_of_scipy() -> None:
    """Values of scipy 1.17.1: `permutation_test` with all signs, `bootstrap` by percentiles."""
    found = compared(DIFFERENCES)
    assert found.p == pytest.approx(0.08203125, abs=1e-12)
    assert found.interval == pytest.approx((0.04, 0.56), abs=0.021)


@given(st.sets(st.integers(1, 12), min_size=2, max_size=8), st.integers(0, 255))
@example(set(range(1, 9)), 51)  # the sum is 0
def test_ranks_as_values_have_wilcoxons_p(sizes: set[int], signs: int) -> None:
    """The signed-rank test is the sign-flip test of the signed ranks."""
    signed = [n if signs >> n % 8 & 1 else -n for n in range(1, len(sizes) + 1)]
    found = compared(Fraction(each, 20) for each in signed)
    expected = pytest.approx(wilcoxon(signed, method="exact").pvalue)
    assert (found.test, found.p) == ("sign-flip test", expected)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 40))
def test_single_answers_have_mcnemars_p(first: int, second: int, same: int) -> None:
    differences = [1] * first + [-1] * second + [0] * same
    mcnemar = paired_difference(first, second, len(differences))
    found = compared(differences)
    assert (found.test, found.p) == (mcnemar.test, mcnemar.p)


def test_p_is_exact_if_the_sums_can_be_counted() -> None:
    """All 2^20 sums of the tenths twice: 7,960 are as large."""
    assert compared([*DIFFERENCES * 2]).p == pytest.approx(7_960 / 2**20, rel=1e-12)
    clear = compared([Fraction(1, 2)] * 20 + [Fraction(1, 4)])
    assert (clear.test, clear.p) == ("sign-flip test", 2 / 2**21)


def test_p_is_a_bound_if_there_are_too_many_sums() -> None:
    """The same differences, and pairs of a fine scale that hardly move the sum."""
    fine = [sign * Fraction(1, 10_007) for sign in (1, -1)]
    found = compared([*DIFFERENCES * 2, *fine])
    assert found.test == "sign-flip test, bound of 9,999 draws"
    assert 7_960 / 2**20 < found.p < 0.014
    assert found.p == compared([*DIFFERENCES * 2, *fine]).p
    assert compared([Fraction(1, 2)] * 20 + fine).p == pytest.approx(1 - 0.01 ** (1 / 9_999))


def test_the_interval_depends_on_the_seed_alone() -> None:
    found = compared(DIFFERENCES).interval
    assert found == compared(DIFFERENCES[::-1]).interval
    assert len({compared(DIFFERENCES, seed).interval for seed in range(8)}) > 1


@pytest.mark.parametrize("value", [0, 1, -1, Fraction(1, 2)])
def test_equal_differences_have_an_interval_with_a_width(value: Fraction) -> None:
    """Of 50, none is different: at most 1 - 0.025 ** (1 / 50) = 7.11 % of all are."""
    found = compared([value] * 50)
    ends = value - 0.0711 * (value + 1), value + 0.0711 * (1 - value)
    assert found.interval == pytest.approx(ends, abs=1e-4)
    assert value or found.p == 1
