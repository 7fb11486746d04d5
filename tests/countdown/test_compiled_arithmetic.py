"""Weights of rationals in arrays, against dictionaries of Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from pddl_pipeline.countdown.compiled_arithmetic import (
    PRIMES,
    CompiledArithmetic,
    CompiledCollector,
    CompiledValues,
    Unlucky,
)
from pddl_pipeline.countdown.plain_arithmetic import PlainArithmetic, PlainValues

COMPILED, PLAIN = CompiledArithmetic(PRIMES[0]), PlainArithmetic()
LARGEST = 2**61 - 1


def ratios(most: int) -> st.SearchStrategy[PlainValues]:
    """Values with weights and a limit on the sum of numerator and denominator."""
    numbers = st.integers(1, most // 2) | st.integers(1, 12)
    pairs = st.tuples(numbers, numbers, st.integers(1, 99))

    def values(drawn: list[tuple[int, int, int]]) -> PlainValues:
        return PlainValues({(p // gcd(p, q), q // gcd(p, q)): weight for p, q, weight in drawn})

    return st.lists(pairs, min_size=1, max_size=5).map(values)


def in_arrays(values: PlainValues) -> CompiledValues:
    collector = COMPILED.collector(LARGEST, len(values))
    for value, weight in values.items():
        collector.put(value, weight)
    return values_or_reject(collector)


def values_or_reject(collector: CompiledCollector) -> CompiledValues:
    """Exclude multiples of the prime, which hypothesis finds in the code."""
    try:
        return collector.values()
    except Unlucky:
        reject()


def as_dictionary(values: CompiledValues) -> dict[tuple[int, int], int]:
    return {value: values.get(value, 0) for value in values}


@given(ratios(2**59), ratios(2**20), st.sampled_from([1000, 2**40, LARGEST]))
@settings(max_examples=300)
def test_what_two_values_make(first: PlainValues, second: PlainValues, bound: int) -> None:
    """The intermediate results of the first values exceed 64 bits."""
    most = 6 * (len(first) * len(second) + 1)
    plain, compiled = PLAIN.collector(bound, most), COMPILED.collector(bound, most)
    plain.combine(first, second, 3)
    compiled.combine(in_arrays(first), in_arrays(second), 3)
    assert as_dictionary(values_or_reject(compiled)) == plain.values()


@pytest.mark.parametrize("sign", [1, -1])
def test_sums_that_are_too_large_only_before_they_are_reduced(sign: int) -> None:
    """3a and c add up to more than 2^62, and the sum is a multiple of 2^20."""
    a = 2**61 - 2**22 - 1
    c = -sign * 3 * a % 2**20 + 2**20 * (sign == 1)
    first, second = PlainValues({(a, 2**20): 2}), PlainValues({(c, 3 * 2**20): 5})
    assert gcd(c, 3 * 2**20) == 1
    plain, compiled = PLAIN.collector(2**45, 5), COMPILED.collector(2**45, 5)
    plain.combine(first, second, 7)
    compiled.combine(in_arrays(first), in_arrays(second), 7)
    assert as_dictionary(compiled.values()) == plain.values() != {}


@given(ratios(2**30), ratios(2**20), st.integers(-9, 9))
def test_sums_of_weights(first: PlainValues, second: PlainValues, times: int) -> None:
    plain, compiled = PLAIN.collector(2**40, 20), COMPILED.collector(2**40, 20)
    for values in (first, second, first):
        plain.add(values, times)
        compiled.add(in_arrays(values), times)
    assert as_dictionary(values_or_reject(compiled)) == plain.values()
    assert COMPILED.dot(in_arrays(first), in_arrays(second)) == PLAIN.dot(first, second)


def joined(
    arrays: Callable[[PlainValues], CompiledValues], *values: PlainValues
) -> tuple[int, int]:
    first, second, third = values
    return COMPILED.join(*map(arrays, values)), PLAIN.join(first, second, third)


@given(ratios(2**20), ratios(2**30), ratios(2**50))
@settings(max_examples=200)
def test_what_is_made_of_what(x: PlainValues, y: PlainValues, more: PlainValues) -> None:
    """The third values include all values that the others make, and more."""
    everything = PLAIN.collector(LARGEST, 0)
    everything.combine(x, y, 1)
    everything.add(more, 1)
    z = everything.values()
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


def test_equal_fingerprints_are_not_enough() -> None:
    """4 and 4 + prime have the same residue, and so have 9 * (4 + prime) and 36."""
    prime = PRIMES[0]
    x, y = PlainValues({(9, 1): 1}), PlainValues({(4, 1): 1})
    for false in (13 + prime, 5 + prime, 36 + prime, 36 + 2**20 * prime):
        z = PlainValues({(false, 1): 1})
        assert joined(in_arrays, x, y, z) == (0, 0)
    # z is not the product of the others, except modulo prime * 2^64; such a z exists for any two.
    x, y = PlainValues({(3**37, 1): 1}), PlainValues({(7**20, 1): 1})
    z = PlainValues({of_residue(3**37 * 7**20, prime << 64): 1})
    assert joined(in_arrays, x, y, z) == (0, 0)
    x, y = PlainValues({(9, 1): 1}), PlainValues({(4, 1): 1})
    z = PlainValues({(13 + prime, 1): 5, (13, 1): 7})
    assert joined(in_arrays, x, y, z) == (7, 7)
