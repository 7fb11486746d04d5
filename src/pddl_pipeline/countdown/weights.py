"""Weights of non-negative rationals: how often a value is made, or what it is worth when made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Ratio = tuple[int, int]
"""A positive rational in lowest terms: numerator, denominator."""


class Positives(Protocol):
    """Weights of positive rationals; all others have the weight 0."""

    total: int
    """Sum of the weights."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Ratio]: ...

    def get(self, value: Ratio, default: int, /) -> int:
        """Return the weight of a value, ``default`` where it has none."""


Values = TypeVar("Values", bound=Positives)


class Collector(Protocol[Values]):
    """Adds up weights."""

    def add(self, values: Values, times: int) -> None:
        """Add the weights, multiplied."""

    def combine(self, first: Values, second: Values, times: int) -> None:
        """Add, for all x and y, the product of their weights to x+y, |x-y|, x*y, x/y and y/x.

        Not to 0. Values p/q with p + q above the bound of the collector may be left out.
        """

    def values(self) -> Values:
        """Return the sums."""


class Arithmetic(Protocol[Values]):
    """Ways to compute with weights; all are exact."""

    def single(self, value: Ratio) -> Values:
        """Return the weight 1 for one value."""

    def collector(self, bound: int, most: int) -> Collector[Values]:
        """Return an empty collector for values p/q with p + q up to a bound, and ``most`` sums."""

    def exact(self, weight: int) -> int:
        """Return what a weight that is known not to be negative stands for."""

    def dot(self, first: Values, second: Values) -> int:
        """Return the sum of the products of the weights of each value."""

    def join(self, first: Values, second: Values, third: Values) -> int:
        """Return the sum of the products of weights over all x, y, z with z made of x and y.

        Once for each of z = x+y, x-y, y-x, x*y, x/y and y/x that holds. The order of the three
        does not matter: z = x+y is y = z-x, and so on.
        """


@dataclass(frozen=True, slots=True)
class Weights(Generic[Values]):
    """Weights of all non-negative rationals."""

    positive: Values
    zero: int
    """Weight of 0, beside ``every``."""
    every: int = 0
    """Added to the weight of each value that there is, 0 included."""

    def of(self, value: Ratio) -> int:
        """Return the weight of a value."""
        return self.every + (self.positive.get(value, 0) if value[0] else self.zero)
