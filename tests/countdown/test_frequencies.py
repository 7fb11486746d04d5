"""End values of random walks: compiled, in plain Python, and from exact probabilities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.countdown.frequencies import (
    Frequencies,
    compiled_frequencies,
    frequencies,
    plain_frequencies,
)
from pddl_pipeline.countdown.walk_kernel import PRIME
from pddl_pipeline.countdown.walks import Draws, walk
from pddl_pipeline.model.number import Number

# Equal numbers, zeros and ones cause ties; neighbours above 2^53 are equal as floats.
TIES = (
    [0] * 6,
    [1] * 10,
    [5] * 8,
    [0, 0, 0, 1, 1, 2],
    [1, 2, 4, 8, 16, 32, 64],
    [3, 3, 6, 6, 9, 9],
    [99] * 12,
    [2**53, 2**53 + 1, 1, 1],
    [10**30, 10**30 + 1, 10**30 + 2, 7],
    [2**32, 2**32 - 1, 2**64 - 1, 2**64],
    [2**31 - 1, 2**31 - 1, 1, 2],
    [2**32 - 1, 2**32 - 2, 2**32 - 3, 2**32 - 5],
    list(range(40, 90)),
    [0, 1] * 40,
)


def values_of(found: Frequencies, numbers: Sequence[int], seed: int) -> dict[Number, int]:
    """Return the end values, read from the walks that first reach them."""
    ends = [walk(numbers, seed, index)[1] for index in found.walks]
    for position, end in enumerate(ends):
        assert found.whole(position) == (int(end) if end.denominator == 1 else None)
    assert len(set(ends)) == len(ends)
    return dict(zip(ends, found.counts, strict=True))


def frequencies_agree(numbers: Sequence[int], walks: int, seed: int) -> bool:
    """Return whether the walks are the same, compiled and in plain Python."""
    compiled = frequencies(numbers, walks, seed)
    plain = plain_frequencies(numbers, walks, seed)
    same = (compiled.walks, compiled.counts) == (plain.walks, plain.counts)
    return same and sum(values_of(compiled, numbers, seed).values()) == walks


def probabilities(numbers: Sequence[Fraction]) -> dict[Fraction, Fraction]:
    """Return the probability of each end value if applicable triples are equally likely."""
    if len(numbers) == 1:
        return {numbers[0]: Fraction(1)}
    following = []
    for (i, x), (j, y) in permutations(enumerate(numbers), 2):
        made = [x + y, x * y, *([x - y] if x >= y else []), *([x / y] if y else [])]
        rest = [number for k, number in enumerate(numbers) if k not in {i, j}]
        following += [[*rest, value] for value in made]
    total: dict[Fraction, Fraction] = defaultdict(Fraction)
    for after in following:
        for value, chance in probabilities(after).items():
            total[value] += chance / len(following)
    return total


def surprise(observed: Mapping[Any, int], expected: Mapping[Any, Fraction]) -> float:
    """Return chi-square in standard deviations from its mean; rare values are pooled."""
    walks = sum(observed.values())
    often = [value for value, chance in expected.items() if chance * walks >= 10]
    cells = [(observed.get(value, 0), float(expected[value] * walks)) for value in often]
    rest = walks - sum(cell[1] for cell in cells)
    if rest > 1:
        cells.append((walks - sum(cell[0] for cell in cells), rest))
    chi = sum((seen - mean) ** 2 / mean for seen, mean in cells)
    return (chi - len(cells) + 1) / sqrt(2 * max(len(cells) - 1, 1))


@pytest.mark.parametrize(
    ("numbers", "walks"),
    [
        *((numbers, 400) for numbers in TIES),
        # As many walks as the paper's, at the sizes that are generated most often.
        *(
            pytest.param(numbers, 100_000, marks=pytest.mark.long)
            for numbers in ([50, 3, 7, 9], [2, 8, 25, 75, 75], [1, 99, 4, 37, 10, 6])
        ),
        # Of so many numbers, one draw in thousands is rejected: bounds do not divide 2^32.
        ([1, 2] * 450, 40),
        # The prime divides the first number and the difference of the second and the third.
        ([PRIME, 3, 4], 2000), ([PRIME + 5, 5, 2], 2000), ([PRIME, PRIME, 1, 2], 2000),
        # The product of a few of these numbers exceeds 10^308.
        ([10**99] * 200, 20), ([99] * 200, 20),
    ],
)  # fmt: skip
def test_compiled_and_plain_walks_are_the_same(numbers: list[int], walks: int) -> None:
    assert frequencies_agree(numbers, walks, 11)


@given(
    numbers=st.lists(
        st.one_of(st.integers(0, 3), st.integers(1, 99), st.integers(0, 2**70)),
        min_size=1,
        max_size=9,
    ),
    seed=st.integers(0, 2**64 - 1),
)
def test_compiled_and_plain_walks_are_the_same_on_any_numbers(
    numbers: list[int], seed: int
) -> None:
    assert frequencies_agree(numbers, 150, seed)


@pytest.mark.parametrize(
    "numbers",
    [[3, 7, 50], [2, 2, 4], [0, 1, 5], [0, 0, 6], [10, 4, 3], [9, 4, 9, 2], [6, 1, 3, 2]],
)
def test_frequencies_are_those_of_uniform_draws(numbers: list[int]) -> None:
    expected = probabilities([Fraction(number) for number in numbers])
    observed = values_of(frequencies(numbers, 200_000, 17), numbers, 17)
    assert set(observed) <= set(expected)
    assert all(value in observed for value, chance in expected.items() if chance > 1e-4)
    assert surprise(observed, expected) < 5


def test_what_floats_cannot_tell_apart_is_compared_exactly() -> None:
    big = 10**40
    numbers = [big, big + 1]
    assert 1 in values_of(frequencies(numbers, 50, 1), numbers, 1)
    # The quotients differ by 1 / (big * (big + 1)): only one can be subtracted from the other.
    numbers = [big + 1, big, big + 2, big + 1]
    found = values_of(frequencies(numbers, 20_000, 1), numbers, 1)
    assert all(value >= 0 for value in found)
    assert Fraction(1, big * (big + 1)) in found


def test_draws_are_uniform() -> None:
    counts = Counter(Draws(1, index).below(7) for index in range(70_000))
    assert surprise(counts, dict.fromkeys(range(7), Fraction(1, 7))) < 5
    # The bound is three quarters of the range: without rejection, every third value occurs twice.
    bound, draws = 3 * 2**30, Draws(2, 0)
    thirds = Counter(draws.below(bound) % 3 for _ in range(30_000))
    assert max(thirds.values()) < 1.05 * min(thirds.values())


def test_walks_differ_by_seed_and_by_number() -> None:
    numbers = list(range(1, 21))
    ends = {walk(numbers, seed, index)[1] for seed, index in product(range(40), range(40))}
    assert len(ends) > 1500
    assert compiled_frequencies(numbers, 2000, 1), "different values were counted as one"
