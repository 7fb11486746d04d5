"""The interval of a median, compared with the exact distribution of a resample's median."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from pddl_pipeline.statistics.intervals import median_interval


def exact(n: int, share: float) -> int:
    """Return the quantile of the median of a resample of 1, …, n, for an odd n."""
    return next(k for k in range(1, n + 1) if binom.sf(n // 2, n, k / n) >= share)


@pytest.mark.parametrize("n", [9, 33, 101])
def test_interval_is_that_of_all_resamples(n: int) -> None:
    low, high = median_interval(range(1, n + 1))
    assert low == pytest.approx(exact(n, 0.025), abs=1)
    assert high == pytest.approx(exact(n, 0.975), abs=1)


def test_equal_values_have_no_spread() -> None:
    assert median_interval([7] * 20) == (7, 7)


def test_one_value_has_no_interval() -> None:
    with pytest.raises(ValueError, match="two or more"):
        median_interval([1])
