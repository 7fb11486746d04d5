"""Correlations of two rankings of the same items, from -1 to 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Spearman's correlation; items of equal value have the mean of their ranks.

    Return None if all values of one ranking are equal.
    """
    return _correlation(_ranks(one), _ranks(other))


def kendall(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Kendall's tau-b, which allows ties, or None if all values of one ranking are equal."""
    agree, untied = 0, [0, 0]
    for a, b in combinations(range(len(one)), 2):
        signs = (_sign(one[a] - one[b]), _sign(other[a] - other[b]))
        agree += signs[0] * signs[1]
        untied = [count + abs(sign) for count, sign in zip(untied, signs, strict=True)]
    return agree / math.sqrt(untied[0] * untied[1]) if all(untied) else None


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _ranks(values: Sequence[float]) -> list[float]:
    return [
        sum(each < value for each in values) + (sum(each == value for each in values) - 1) / 2
        for value in values
    ]


def _correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    middles = [sum(values) / len(values) for values in (one, other)]
    products = [(a - middles[0]) * (b - middles[1]) for a, b in zip(one, other, strict=True)]
    squares = [
        sum((value - middle) ** 2 for value in values)
        for values, middle in zip((one, other), middles, strict=True)
    ]
    return sum(products) / math.sqrt(squares[0] * squares[1]) if all(squares) else None
