"""Paired means: the sign-flip test and the bootstrap, beside values by hand and of SciPy."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test

from pddl_pipeline.statistics import paired_means
from pddl_pipeline.statistics.paired_means import PairedMeans
from pddl_pipeline.statistics.share_differences import PairedDifference

FIFTHS = [3, 2, -1, 4, 1, 0, 2, -2, 5, 1]
DIFFERENCES = [Fraction(each, 5) for each in FIFTHS]


def test_all_signs_by_hand() -> None:
    """1/2, 1/2 and -1/4: of 8 sums, |3/4| or more are ±5/4, and ±3/4."""
    found = PairedMeans([Fraction(1, 2), Fraction(1, 2), Fraction(-1, 4)])
    assert (found.n, found.value, found.p) == (3, Fraction(1, 4), 4 / 8)
    assert found.test == "sign-flip test"


def test_p_and_interval_are_those_of_scipy() -> None:
    """Values of scipy 1.17.1: `permutation_test` with all signs, `bootstrap` by percentiles."""
    found = PairedMeans(DIFFERENCES)
    assert found.p == pytest.approx(0.08203125, abs=1e-12)
    assert found.interval() == pytest.approx((0.04, 0.56), abs=0.021)
    assert found.value == Fraction(3, 10)


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=8))
def test_every_sample_has_scipys_p(quarters: list[int]) -> None:
    expected = permutation_test(
        (quarters,), sum, permutation_type="samples", n_resamples=300
    ).pvalue
    assert PairedMeans([Fraction(each, 4) for each in quarters]).p == pytest.approx(expected)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 40))
def test_single_answers_have_mcnemars_p(first: int, second: int, same: int) -> None:
    differences = [1] * first + [-1] * second + [0] * same
    mcnemar = PairedDifference(first, second, len(differences))
    assert PairedMeans(differences).p == pytest.approx(mcnemar.p)


def test_random_flips_come_close_and_depend_on_the_seed_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = PairedMeans(DIFFERENCES).p
    monkeypatch.setattr(paired_means, "_MOST_WORK", 1)
    found = PairedMeans(DIFFERENCES)
    assert found.test == "sign-flip test, 99,999 random flips"
    assert found.p == pytest.approx(exact, abs=0.004)
    assert found.p == PairedMeans(DIFFERENCES).p != PairedMeans(DIFFERENCES, seed=1).p
    # Denominators whose least common multiple no machine number holds.
    odd = [Fraction(1, prime) for prime in (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59)]
    assert PairedMeans(odd).p == pytest.approx(2 / 2**14, abs=2e-4)


def test_the_interval_depends_on_the_seed_alone() -> None:
    found = PairedMeans(DIFFERENCES).interval()
    assert found == PairedMeans(DIFFERENCES[::-1]).interval()
    intervals = {PairedMeans(DIFFERENCES, seed=seed).interval() for seed in range(8)}
    assert len(intervals) > 1


@pytest.mark.parametrize("value", [0, 1, -1, Fraction(1, 2)])
def test_equal_differences_have_an_interval_with_a_width(value: Fraction) -> None:
    """Of 50, none is different: at most 1 - 0.025 ** (1 / 50) = 7.11 % of all are."""
    low, high = PairedMeans([value] * 50).interval()
    share = 0.0711
    assert low == pytest.approx(value - share * (value + 1), abs=1e-4)
    assert high == pytest.approx(value + share * (1 - value), abs=1e-4)
    assert PairedMeans([0] * 50).p == 1
