"""Bins of numbers."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.scoring.grouping import bin_label, binned


def labels(numbers: Iterable[int]) -> list[str]:
    found = [*numbers]
    bins = binned(found)
    return list(dict.fromkeys(bin_label(bins(number)) for number in sorted(found)))


def test_few_numbers_are_their_own_bins() -> None:
    assert labels([2, 4, 4, 100]) == ["2", "4", "100"]
    assert labels(range(1, 13)) == [str(number) for number in range(1, 13)]


@pytest.mark.parametrize(
    ("numbers", "first", "last"),
    [
        (range(1, 14), "0-1", "12-13"), (range(2, 60), "0-4", "55-59"),
        (range(12, 100), "10-19", "90-99"), (range(0, 1000, 7), "0-99", "900-999"),
    ],
)  # fmt: skip
def test_many_numbers_share_bins(numbers: range, first: str, last: str) -> None:
    found = labels(numbers)
    assert (found[0], found[-1]) == (first, last)


@given(st.sets(st.integers(0, 10**6), min_size=1, max_size=60))
def test_every_number_is_in_one_of_at_most_twelve_bins(numbers: set[int]) -> None:
    bins = binned(numbers)
    found = {bins(number) for number in numbers}
    assert len(found) <= 12
    assert all(sum(number in each for each in found) == 1 for number in numbers)
