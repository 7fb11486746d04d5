"""Weights of rationals in dictionaries, for small problems and for numbers of any size."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Final

from pddl_pipeline.countdown.weights import Ratio

ZERO: Final = (0, 1)


def made_of(first: Ratio, second: Ratio) -> Iterator[Ratio]:
    """Yield x+y, |x-y|, x*y, x/y and y/x of positive x and y in lowest terms, except 0."""
    (a, b), (c, d) = first, second
    common = gcd(b, d)
    left, right, below = a * (d // common), c * (b // common), b * (d // common)
    for above in (left + right, abs(left - right)):
        if above:
            factor = gcd(above, common)
            yield above // factor, below // factor
    across, back = gcd(a, d), gcd(c, b)
    yield (a // across) * (c // back), (b // back) * (d // across)
    factor = gcd(a, c)
    above, below = (a // factor) * (d // common), (c // factor) * (b // common)
    yield above, below
    yield below, above


def results(first: Ratio, second: Ratio) -> Iterator[Ratio]:
    """Yield all values that two non-negative values make, including 0."""
    if first[0] and second[0]:
        yield from made_of(first, second)
        if first == second:
            yield ZERO
    else:
        yield max(first, second)
        yield ZERO


class PlainValues(dict[Ratio, int]):
    """Weights by value."""

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.values())


class PlainCollector:
    """Adds up weights in a dictionary."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._sums = PlainValues()

    def add(self, values: PlainValues, times: int) -> None:
        """Add the weights, multiplied by `times`."""
        for value, weight in values.items():
            self.put(value, weight * times)

    def combine(self, first: PlainValues, second: PlainValues, times: int) -> None:
        """Add the product of two weights to all values that the two values make."""
        for x, weight in first.items():
            for y, other in second.items():
                product = weight * other * times
                for value in made_of(x, y):
                    self.put(value, product)

    def put(self, value: Ratio, weight: int) -> None:
        """Add a weight to one value."""
        if value[0] + value[1] <= self._bound:
            self._sums[value] = self._sums.get(value, 0) + weight

    def values(self) -> PlainValues:
        """Return the sums."""
        return self._sums


class PlainArithmetic:
    """Computes with dictionaries of Python's integers."""

    def collector(self, bound: int, most: int) -> PlainCollector:
        """Return an empty collector."""
        del most
        return PlainCollector(bound)

    def exact(self, weight: int) -> int:
        """Return a weight unchanged."""
        return weight

    def dot(self, first: PlainValues, second: PlainValues) -> int:
        """Return the sum, over all values, of the product of their two weights."""
        small, large = sorted((first, second), key=len)
        return sum(weight * large.get(value, 0) for value, weight in small.items())

    def join(self, first: PlainValues, second: PlainValues, third: PlainValues) -> int:
        """Return the sum of the products of weights; see `Arithmetic.join`."""
        small, middle, large = sorted((first, second, third), key=len)
        get = large.get
        return sum(
            weight * other * get(value, 0)
            for x, weight in small.items()
            for y, other in middle.items()
            for value in made_of(x, y)
        )
