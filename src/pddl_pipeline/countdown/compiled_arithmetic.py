"""Weights of rationals in arrays of 64-bit integers, for large problems."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import numpy as np

from pddl_pipeline.countdown import ratio_join, ratio_sums
from pddl_pipeline.countdown.plain_arithmetic import made_of
from pddl_pipeline.countdown.ratio_arrays import Ratios, Sums
from pddl_pipeline.countdown.weights import Ratio

# The largest primes below 2^30. A prime that divides a numerator or a denominator is not usable.
PRIMES: Final = (1073741789, 1073741783, 1073741741, 1073741723, 1073741719, 1073741717)
_HALF, _RING = 1 << 63, 1 << 64


class Unlucky(Exception):
    """The prime divides a numerator or a denominator."""


def _wrapped(number: int) -> int:
    """Return the signed 64-bit integer that is equal modulo 2^64."""
    return (number + _HALF) % _RING - _HALF


def _power_above(number: int) -> int:
    return 1 << max(3, number.bit_length())


class CompiledValues:
    """Weights by value."""

    def __init__(self, field: ratio_join.Field, arrays: Sums) -> None:
        """Index the sums.

        Raises:
            Unlucky: the prime divides a numerator or a denominator.
        """
        count = int(arrays.used[0])
        self.total = int(arrays.weight[:count].sum())
        self.ratios = Ratios(
            arrays.p[:count].copy(),
            arrays.q[:count].copy(),
            arrays.weight[:count].copy(),
            np.empty(count, np.int32),
            np.empty(count, np.int32),
            np.full(_power_above(2 * count), -1, np.int32),
            np.zeros(_power_above(32 * count) // 8, np.uint8),
        )
        if not ratio_join.index(field, self.ratios):
            raise Unlucky

    def __len__(self) -> int:
        return len(self.ratios.p)

    def __iter__(self) -> Iterator[Ratio]:
        return iter(self._weights)

    @cached_property
    def _weights(self) -> dict[Ratio, int]:
        arrays = (self.ratios.p, self.ratios.q, self.ratios.weight)
        return {(p, q): weight for p, q, weight in zip(*(a.tolist() for a in arrays), strict=True)}

    def get(self, value: Ratio, default: int) -> int:
        """Return the weight of a value."""
        return self._weights.get(value, default)


class CompiledCollector:
    """Adds up weights in arrays."""

    def __init__(self, field: ratio_join.Field, bound: int, most: int) -> None:
        """Create an empty collector; the bound must be below 2^61."""
        self._field = field
        self._bound = bound
        self._sums = Sums(
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.full(_power_above(most + most // 2), -1, np.int32),
            np.zeros(1, np.int64),
            bound,
        )

    def add(self, values: CompiledValues, times: int) -> None:
        """Add the weights, multiplied by `times`."""
        ratio_sums.add(self._sums, values.ratios, _wrapped(times))

    def combine(self, first: CompiledValues, second: CompiledValues, times: int) -> None:
        """Add the product of two weights to all values that the two values make."""
        x, y = first.ratios, second.ratios
        for pair in ratio_sums.combine(self._sums, x, y, _wrapped(times)).tolist():
            i, j = divmod(pair, len(y.p))
            weight = _wrapped(int(x.weight[i]) * int(y.weight[j]) * times)
            for value in made_of((int(x.p[i]), int(x.q[i])), (int(y.p[j]), int(y.q[j]))):
                self.put(value, weight)

    def put(self, value: Ratio, weight: int) -> None:
        """Add a weight to one value."""
        if sum(value) <= self._bound:
            ratio_sums.put(self._sums, *value, weight)

    def values(self) -> CompiledValues:
        """Return the sums."""
        return CompiledValues(self._field, self._sums)


class CompiledArithmetic:
    """Computes with arrays; results are exact modulo 2^64."""

    def __init__(self, prime: int) -> None:
        self._field = ratio_join.Field(prime, pow(-prime, -1, 1 << 32), _RING % prime)

    def collector(self, bound: int, most: int) -> CompiledCollector:
        """Return an empty collector."""
        return CompiledCollector(self._field, bound, most)

    def exact(self, weight: int) -> int:
        """Return the integer from 0 to 2^64 - 1 that equals the weight modulo 2^64."""
        return weight % _RING

    def dot(self, first: CompiledValues, second: CompiledValues) -> int:
        """Return the sum, over all values, of the product of their two weights."""
        small, large = sorted((first, second), key=len)
        return int(ratio_join.dot(small.ratios, large.ratios))

    def join(self, first: CompiledValues, second: CompiledValues, third: CompiledValues) -> int:
        """Return the sum of the products of weights; see `Arithmetic.join`."""
        small, middle, large = sorted((first, second, third), key=len)
        return int(ratio_join.join(self._field, small.ratios, middle.ratios, large.ratios))
