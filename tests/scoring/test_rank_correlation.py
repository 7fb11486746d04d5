"""Rank correlations against their definitions and known values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.scoring.rank_correlation import kendall, spearman


def test_known_values() -> None:
    """By hand: one swap among four, and a tie."""
    assert spearman([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert kendall([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(4 / 6)
    assert kendall([1, 2, 3], [1, 1, 2]) == pytest.approx(2 / 6**0.5)
    assert spearman([1, 2, 3], [1, 1, 2]) == pytest.approx(0.75**0.5)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=8))
def test_only_ranks_count(values: list[int]) -> None:
    cubes = [value**3 for value in values]
    if len(set(values)) == 1:
        assert spearman(values, cubes) is kendall(values, cubes) is None
        return
    for correlation in (spearman, kendall):
        assert correlation(values, cubes) == pytest.approx(1)
        assert correlation(values, [-cube for cube in cubes]) == pytest.approx(-1)
