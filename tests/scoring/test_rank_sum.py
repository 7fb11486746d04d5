"""The rank sum test against exact permutations and published numbers."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.scoring.rank_sum import smaller

SAMPLES = st.tuples(st.permutations(range(14)), st.integers(6, 8))
"""Different values, in two samples."""


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
def test_it_is_near_all_permutations(split: tuple[list[int], int]) -> None:
    xs, ys = split[0][: split[1]], split[0][split[1] :]
    assert smaller(xs, ys) == pytest.approx(permuted(xs, ys), abs=0.01)


def test_by_hand() -> None:
    """z = (0 + 0.5 - 32) / sqrt(8 * 8 * 17 / 12) = -3.308."""
    assert smaller(range(8), range(10, 18)) == pytest.approx(0.00047, abs=1e-5)
    assert smaller(range(10, 18), range(8)) == pytest.approx(0.9997, abs=1e-4)


def test_values_that_both_have_share_their_ranks() -> None:
    xs, ys = [1] * 8 + [2] * 2, [1] * 3 + [2] * 7
    # Rank sums: 11 ones have rank 6, 9 twos rank 16; W = 8 * 6 + 2 * 16 = 80, U = 80 - 55 = 25.
    # Variance 100 / 12 * (21 - (11**3 - 11 + 9**3 - 9) / (20 * 19)) = 130.26.
    # z = (25 + 0.5 - 50) / 11.413 = -2.147.
    assert smaller(xs, ys) == pytest.approx(0.0159, abs=1e-4)


def test_equal_values_tell_nothing() -> None:
    assert smaller([1, 1, 1], [1, 1]) == 1
