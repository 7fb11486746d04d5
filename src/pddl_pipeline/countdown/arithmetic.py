"""Weights of non-negative rationals, and exact computation with them in dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import gcd
from typing import Final

Ratio = tuple[int, int]
"""A positive rational in lowest terms: numerator, denominator."""
Table = dict[Ratio, int]
"""Weights of positive rationals; all others have the weight 0."""
Made = tuple[Table, Table, int]
"""Two tables of values that make others, and a factor of the products of their weights."""
ZERO: Final = (0, 1)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of all non-negative rationals."""

    positive: Table
    zero: int
    """Weight of 0, in addition to ``every``."""
    every: int = 0
    """Added to the weight of every value, including 0."""

    def of(self, value: Ratio) -> int:
        """Return the weight of a value."""
        return self.every + (self.positive.get(value, 0) if value[0] else self.zero)


def made_of(first: Ratio, second: Ratio) -> Iterator[Ratio]:
    """Yield x+y, |x-y|, x*y, x/y and y/x of positive x and y in lowest terms, except 0."""
    (a, b), (c, d) = first, second
    # Knuth (The Art of Computer Programming 2, 4.5.1): common factors are divided out before
    # numbers are multiplied, so that they stay small.
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


def summed(bound: int, made: Iterable[Made], added: Iterable[tuple[Table, int]]) -> Table:
    """Return sums of weights.

    Args:
        bound: values p/q with p + q above it are left out.
        made: for all x and y of both tables, the product of their weights and the factor is
            added to x+y, |x-y|, x*y, x/y and y/x; the value 0 is excluded.
        added: weights that are added, multiplied by the number.
    """
    found: Table = {}
    for first, second, times in made:
        for x, weight in first.items():
            for y, other in second.items():
                product = weight * other * times
                for value in made_of(x, y):
                    if value[0] + value[1] <= bound:
                        found[value] = found.get(value, 0) + product
    for values, times in added:
        for value, weight in values.items():
            if value[0] + value[1] <= bound:
                found[value] = found.get(value, 0) + weight * times
    return found


def total(values: Table) -> int:
    """Return the sum of the weights."""
    return sum(values.values())


def dot(first: Table, second: Table) -> int:
    """Return the sum, over all values, of the product of their two weights."""
    small, large = sorted((first, second), key=len)
    return sum(weight * large.get(value, 0) for value, weight in small.items())


def join(first: Table, second: Table, third: Table) -> int:
    """Return the sum of the products of weights over all x, y, z with z made of x and y.

    A triple counts once for each of z = x+y, x-y, y-x, x*y, x/y and y/x that holds. The order
    of the arguments does not matter: z = x+y is y = z-x, and so on.
    """
    # The largest table is only looked up, and never walked through.
    small, middle, large = sorted((first, second, third), key=len)
    get = large.get
    return sum(
        weight * other * get(value, 0)
        for x, weight in small.items()
        for y, other in middle.items()
        for value in made_of(x, y)
    )
