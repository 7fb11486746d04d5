"""Weights of rationals in arrays of 64-bit integers, for large problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

import numpy as np

from pddl_pipeline.countdown import ratio_kernel as kernel
from pddl_pipeline.countdown.arithmetic import Made, Ratio, made_of

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


class CompiledValues(Mapping[Ratio, int]):
    """Weights by value."""

    def __init__(self, field: kernel.Field, arrays: kernel.Sums) -> None:
        """Index the sums.

        Raises:
            Unlucky: the prime divides a numerator or a denominator.
        """
        count = int(arrays.used[0])
        self.ratios = kernel.Ratios(
            arrays.p[:count].copy(),
            arrays.q[:count].copy(),
            arrays.weight[:count].copy(),
            np.empty(count, np.int32),
            np.empty(count, np.int32),
            np.full(_power_above(2 * count), -1, np.int32),
            np.zeros(_power_above(32 * count) // 8, np.uint8),
        )
        if not kernel.index(field, self.ratios):
            raise Unlucky

    def __len__(self) -> int:
        return len(self.ratios.p)

    def __iter__(self) -> Iterator[Ratio]:
        return iter(self._weights)

    def __getitem__(self, value: Ratio) -> int:
        return self._weights[value]

    @cached_property
    def _weights(self) -> dict[Ratio, int]:
        p, q, weights = (array.tolist() for array in self.ratios[:3])
        return dict(zip(zip(p, q, strict=True), weights, strict=True))


class CompiledArithmetic:
    """Computes with arrays; results are exact modulo 2^64. See `Arithmetic`."""

    def __init__(self, prime: int) -> None:
        self._field = kernel.Field(prime, pow(-prime, -1, 1 << 32), _RING % prime)

    def single(self, value: Ratio) -> CompiledValues:
        """Return the weight 1 for a value, and no weight for 0."""
        sums = _empty(sum(value), 1)
        if value[0]:
            kernel.put(sums, *value, 1)
        return CompiledValues(self._field, sums)

    def sums(
        self,
        bound: int,
        made: Iterable[Made[CompiledValues]],
        added: Iterable[tuple[CompiledValues, int]],
    ) -> CompiledValues:
        """Return sums of weights, of values up to the bound, which must be below 2^61."""
        made, added = list(made), list(added)
        most = sum(5 * len(x) * len(y) for x, y, _ in made) + sum(len(x) for x, _ in added)
        sums = _empty(bound, most)
        for first, second, times in made:
            x, y = first.ratios, second.ratios
            for pair in kernel.combine(sums, x, y, _wrapped(times)).tolist():
                i, j = divmod(pair, len(second))
                weight = _wrapped(int(x.weight[i]) * int(y.weight[j]) * times)
                for value in made_of((int(x.p[i]), int(x.q[i])), (int(y.p[j]), int(y.q[j]))):
                    if sum(value) <= bound:
                        kernel.put(sums, *value, weight)
        for values, times in added:
            kernel.add(sums, values.ratios, _wrapped(times))
        return CompiledValues(self._field, sums)

    def total(self, values: CompiledValues) -> int:
        """Return the sum of the weights."""
        return int(values.ratios.weight.sum())

    def exact(self, weight: int) -> int:
        """Return the integer from 0 to 2^64 - 1 that equals the weight modulo 2^64."""
        return weight % _RING

    def dot(self, first: CompiledValues, second: CompiledValues) -> int:
        """Return the sum, over all values, of the product of their two weights."""
        small, large = sorted((first, second), key=len)
        return int(kernel.dot(small.ratios, large.ratios))

    def join(self, first: CompiledValues, second: CompiledValues, third: CompiledValues) -> int:
        """Return the sum of the products of weights; see `Arithmetic.join`."""
        small, middle, large = sorted((first, second, third), key=len)
        return int(kernel.join(self._field, small.ratios, middle.ratios, large.ratios))


def _empty(bound: int, most: int) -> kernel.Sums:
    """Return no sums, with room for a number of values."""
    p, q, weight = (np.empty(most, np.int64) for _ in range(3))
    slots = np.full(_power_above(most + most // 2), -1, np.int32)
    return kernel.Sums(p, q, weight, slots, np.zeros(1, np.int64), bound)
