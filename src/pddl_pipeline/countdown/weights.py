"""Weights of non-negative rationals: how often a value is made, or what it contributes if made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Ratio = tuple[int, int]
"""A positive rational in lowest terms: numerator, denominator."""
Values = TypeVar("Values", bound=Mapping[Ratio, int])
"""Weights of positive rationals; all others have the weight 0."""
Made = tuple[Values, Values, int]
"""Two tables of values that make others, and a factor of the products of their weights."""


class Arithmetic(Protocol[Values]):
    """Exact computation with weights."""

    def single(self, value: Ratio) -> Values:
        """Return the weight 1 for a value, and no weight for 0."""

    def sums(
        self, bound: int, made: Iterable[Made[Values]], added: Iterable[tuple[Values, int]]
    ) -> Values:
        """Return sums of weights.

        Args:
            bound: values p/q with p + q above it may be left out; below 2^61 if compiled.
            made: for all x and y of both tables, the product of their weights and the factor is
                added to x+y, |x-y|, x*y, x/y and y/x; the value 0 is excluded.
            added: weights that are added, multiplied by the number.
        """

    def total(self, values: Values) -> int:
        """Return the sum of the weights."""

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
