"""Pearson's chi-square test of whether two samples of counts have the same distribution."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

_LEAST_EXPECTED: Final = 5.0
"""Rarer categories are merged with their neighbours (Cochran 1954)."""


class ChiSquare(NamedTuple):
    """The result of the test."""

    statistic: float
    degrees: int
    """Degrees of freedom."""
    p: float
    """Probability that samples of one distribution differ as much or more."""


def compare_counts(one: Mapping[int, int], other: Mapping[int, int]) -> ChiSquare | None:
    """Compare how often each number occurs in two samples. Return None for a single category.

    Neighbouring numbers are merged, from the least, until the expected counts of both samples are
    large enough.
    """
    sizes = sum(one.values()), sum(other.values())
    cells = _merged(one, other, sizes)
    if len(cells) < 2:
        return None
    statistic = sum(
        (count - share) ** 2 / share
        for cell in cells
        for count, share in zip(cell, _expected(cell, sizes), strict=True)
    )
    degrees = len(cells) - 1
    return ChiSquare(statistic, degrees, tail(statistic, degrees))


def _expected(cell: tuple[int, int], sizes: tuple[int, int]) -> tuple[float, float]:
    share = sum(cell) / sum(sizes)
    return sizes[0] * share, sizes[1] * share


def _merged(
    one: Mapping[int, int], other: Mapping[int, int], sizes: tuple[int, int]
) -> list[tuple[int, int]]:
    cells, open_cell = list[tuple[int, int]](), (0, 0)
    for number in sorted({*one, *other}):
        open_cell = open_cell[0] + one.get(number, 0), open_cell[1] + other.get(number, 0)
        if min(_expected(open_cell, sizes)) >= _LEAST_EXPECTED:
            cells.append(open_cell)
            open_cell = (0, 0)
    if any(open_cell) and cells:
        last = cells.pop()
        open_cell = last[0] + open_cell[0], last[1] + open_cell[1]
    return [*cells, open_cell] if any(open_cell) else cells


def tail(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable is at least `statistic`.

    For whole degrees of freedom the integral has a closed form: the error function and powers.
    """
    half = statistic / 2
    if degrees % 2:
        term, total = math.sqrt(half) / math.gamma(1.5), math.erfc(math.sqrt(half))
        first = 1.5
    else:
        term, total = half, math.exp(-half)
        first = 2.0
    # The sum of half^(k) e^(-half) / gamma(k + 1), over k = 1, 2, … or 1/2, 3/2, …
    for number in range((degrees - 1) // 2):
        total += term * math.exp(-half)
        term *= half / (first + number)
    return total
