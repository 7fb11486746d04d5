"""Exact numbers of solutions, against an enumeration of all states."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from countdown_by_hand import all_counts, walked
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.countdown.sweep import Sweep
from pddl_pipeline.model.errors import InputError


def swept(numbers: list[int], target: int, largest: int) -> int:
    sweep = Sweep([(number, 1) for number in numbers], (target, 1), largest)
    return sum(meeting.ways for meeting in sweep.meetings())


LARGE = [10**30, 10**30 + 1, 7, 2, 3]


@pytest.mark.parametrize(
    ("size", "instances", "pool"),
    [(1, 4, range(9)), (2, 40, range(4)), (3, 60, range(3)), (3, 60, range(100)),
     (4, 20, range(2)), (4, 40, range(7)), (4, 15, range(100)), (5, 12, range(2)),
     (5, 4, range(5)), (5, 1, range(100)), (6, 3, range(2)), (4, 20, LARGE)],
)  # fmt: skip
def test_counts_are_those_of_all_paths(size: int, instances: int, pool: Sequence[int]) -> None:
    rng = Random(f"{size} {pool}")
    for _ in range(instances):
        numbers = rng.choices(pool, k=size)
        counts = all_counts(numbers)
        whole = sorted(int(value) for value in counts if value.denominator == 1)
        targets = {0, 1, rng.randint(0, 100), whole[-1], *rng.sample(whole, min(8, len(whole)))}
        for target in targets:
            assert count_solutions(numbers, target) == counts[Fraction(target)], (numbers, target)


@pytest.mark.parametrize(
    ("numbers", "target", "count"),
    [
        ([7], 7, 1),
        ([7], 8, 0),
        ([0, 0], 0, 4),
        ([0, 5], 0, 2),
        ([0, 5], 5, 2),
        ([1, 1], 1, 3),
        ([10**30, 7, 3], 21 * 10**30, 3),
        ([10**30, 10**30, 10**30], 10**30, 30),
        ([2, 3], 7, 0),
        (list(range(1, 51)), 10**70, 0),
    ],
)
def test_small_counts(numbers: list[int], target: int, count: int) -> None:
    assert count_solutions(numbers, target) == count


@given(st.data(), st.lists(st.integers(0, 99), min_size=2, max_size=6), st.integers(0, 200))
def test_the_order_of_numbers_does_not_matter(
    data: st.DataObject, numbers: list[int], target: int
) -> None:
    mixed = data.draw(st.permutations(numbers))
    assert count_solutions(mixed, target) == count_solutions(numbers, target)


@pytest.mark.parametrize("top", [1, 4, 99])
@pytest.mark.parametrize("size", [4, 5, 6])
def test_it_does_not_matter_where_tables_end(size: int, top: int) -> None:
    rng = Random(size)
    for _ in range(6 if size < 6 else 2):
        numbers, target = [rng.randint(0, top) for _ in range(size)], rng.randint(0, 30)
        expected = swept(numbers, target, size - 1)
        for largest in range(size // 2, size):
            assert swept(numbers, target, largest) == expected


@pytest.mark.long
def test_eight_numbers_are_counted_in_any_order() -> None:
    numbers, target = walked(8, Random(1))
    assert count_solutions(numbers, target) == count_solutions(sorted(numbers), target) > 0


@pytest.mark.parametrize(
    ("numbers", "target", "message"),
    [
        ([3] * 10, 5, "10 numbers are beyond exact reach, which is 9 numbers"),
        ([], 5, "found no number"),
        ([3, -1], 5, "found -1, expected 0 or more"),
    ],
)
def test_what_cannot_be_counted_is_said_in_a_line(
    numbers: list[int], target: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        count_solutions(numbers, target)


def test_nine_large_numbers() -> None:
    """Nearly all numbers are equal, so that the count is fast."""
    assert count_solutions([10**9] * 7 + [1, 1], 10**63) > 0
