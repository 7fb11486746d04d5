"""Weights of rationals in arrays, against dictionaries of Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from pddl_pipeline.countdown.arithmetic import Made, PlainArithmetic, Table
from pddl_pipeline.countdown.compiled_arithmetic import (
    PRIMES,
    CompiledArithmetic,
    CompiledValues,
    Unlucky,
)

COMPILED, PLAIN = CompiledArithmetic(PRIMES[0]), PlainArithmetic()
LARGEST = 2**61 - 1


def ratios(most: int) -> st.SearchStrategy[Table]:
    """Values with weights and a limit on the sum of numerator and denominator."""
    numbers = st.integers(1, most // 2) | st.integers(1, 12)
    pairs = st.tuples(numbers, numbers, st.integers(1, 99))

    def values(drawn: list[tuple[int, int, int]]) -> Table:
        return {(p // gcd(p, q), q // gcd(p, q)): weight for p, q, weight in drawn}

    return st.lists(pairs, min_size=1, max_size=5).map(values)


def in_arrays(values: Table) -> CompiledValues:
    """Exclude multiples of the prime, which hypothesis finds in the code."""
    try:
        added = [(COMPILED.single(value), weight) for value, weight in values.items()]
        return COMPILED.sums(LARGEST, [], added)
    except Unlucky:
        reject()


def summed(bound: int, made: list[Made[Table]], added: list[tuple[Table, int]]) -> Table:
    """Return sums of weights, and check that they are the same in arrays."""
    plain = PLAIN.sums(bound, made, added)
    arrays = [(in_arrays(x), in_arrays(y), times) for x, y, times in made]
    further = [(in_arrays(values), times) for values, times in added]
    try:
        assert dict(COMPILED.sums(bound, arrays, further)) == plain
    except Unlucky:
        reject()
    return plain


@given(ratios(2**59), ratios(2**20), st.sampled_from([1000, 2**40, LARGEST]))
def test_what_two_values_make(first: Table, second: Table, bound: int) -> None:
    """The intermediate results of the first values exceed 64 bits."""
    summed(bound, [(first, second, 3)], [])


@pytest.mark.parametrize("sign", [1, -1])
def test_sums_that_are_too_large_only_before_they_are_reduced(sign: int) -> None:
    """3a and c add up to more than 2^62, and the sum is a multiple of 2^20."""
    a = 2**61 - 2**22 - 1
    c = -sign * 3 * a % 2**20 + 2**20 * (sign == 1)
    assert gcd(c, 3 * 2**20) == 1
    assert summed(2**45, [({(a, 2**20): 2}, {(c, 3 * 2**20): 5}, 7)], [])


@given(ratios(2**30), ratios(2**20), st.integers(-9, 9))
def test_sums_of_weights(first: Table, second: Table, times: int) -> None:
    summed(2**40, [], [(values, times) for values in (first, second, first)])
    assert COMPILED.dot(in_arrays(first), in_arrays(second)) == PLAIN.dot(first, second)


def joined(arrays: Callable[[Table], CompiledValues], *values: Table) -> tuple[int, int]:
    first, second, third = values
    return COMPILED.join(*map(arrays, values)), PLAIN.join(first, second, third)


@given(ratios(2**20), ratios(2**30), ratios(2**50))
def test_what_is_made_of_what(x: Table, y: Table, more: Table) -> None:
    """The third values include all values that the others make, and more."""
    z = PLAIN.sums(LARGEST, [(x, y, 1)], [(more, 1)])
    compiled, plain = joined(in_arrays, x, y, z)
    assert compiled == plain > 0
    assert joined(in_arrays, z, x, y) == (plain, plain)


def of_residue(residue: int, modulus: int) -> tuple[int, int]:
    """Return a positive p/q with this residue, where p and q have half as many digits."""
    (p, before), (q, last) = (modulus, residue), (0, 1)
    while before * before > modulus or last < 0:
        p, before, q, last = before, p % before, last, q - p // before * last
    assert gcd(before, last) == 1
    assert (before - residue * last) % modulus == 0
    return before, last


PRIME = PRIMES[0]


@pytest.mark.parametrize(
    ("x", "y", "false", "ways"),
    [
        # 4 and 4 + prime have the same residue, and so have 9 * (4 + prime) and 36.
        *((9, 4, {(made + PRIME, 1): 1}, 0) for made in (13, 5, 36)),
        (9, 4, {(36 + 2**20 * PRIME, 1): 1}, 0),
        # Not the product of the others, except modulo prime * 2^64; this exists for any two.
        (3**37, 7**20, {of_residue(3**37 * 7**20, PRIME << 64): 1}, 0),
        (9, 4, {(13 + PRIME, 1): 5, (13, 1): 7}, 7),
    ],
)
def test_equal_fingerprints_are_not_enough(x: int, y: int, false: Table, ways: int) -> None:
    assert joined(in_arrays, {(x, 1): 1}, {(y, 1): 1}, false) == (ways, ways)
