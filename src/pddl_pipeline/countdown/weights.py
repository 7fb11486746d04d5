"""Weights of non-negative rationals: how often a value is made, or what it contributes if made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Ratio = tuple[int, int]
"""A positive rational in lowest terms: numerator, denominator."""


class Positives(Protocol):
    """Weights of positive rationals; all others have the weight 0."""

    total: int
    """The sum of the weights."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Ratio]: ...

    def get(self, value: Ratio, default: int, /) -> int:
        """Return the weight of a value, or ``default`` if it has none."""


Values = TypeVar("Values", bound=Positives)


class Collector(Protocol[Values]):
    """Adds up weights."""

    def add(self, values: Values, times: int) -> None:
        """Add the weights, multiplied by `times`."""

    def combine(self, first: Values, second: Values, times: int) -> None:
        """Add, for all x and y, the product of their weights to x+y, |x-y|, x*y, x/y and y/x.

        The value 0 is excluded. Values p/q with p + q above the collector's bound may be omitted.
        """

    def put(self, value: Ratio, weight: int) -> None:
        """Add a weight to one value."""

    def values(self) -> Values:
        """Return the sums."""


class Arithmetic(Protocol[Values]):
    """Exact computation with weights."""

    def collector(self, bound: int, most: int) -> Collector[Values]:
        """Return an empty collector of up to ``most`` values p/q with p + q up to a bound."""

    def exact(self, weight: int) -> int:
        """Return the exact number that a weight represents; the number must not be negative."""

    def dot(self, first: Values, second: Values) -> int:
        """Return the sum, over all values, of the product of their two weights."""

    def join(self, first: Values, second: Values, third: Values) -> int:
        """Return the sum of the products of weights over all x, y, z with z made of x and y.

        A triple counts once for each of z = x+y, x-y, y-x, x*y, x/y and y/x that holds. The order
        of the arguments does not matter: z = x+y is y = z-x, and so on.
        """


@dataclass(frozen=True, slots=True)
class Weights(Generic[Values]):
    """Weights of all non-negative rationals."""

    positive: Values
    zero: int
    """Weight of 0, in addition to ``every``."""
    every: int = 0
    """Added to the weight of every value, including 0."""

    def of(self, value: Ratio) -> int:
        """Return the weight of a value."""
        return self.every + (self.positive.get(value, 0) if value[0] else self.zero)
