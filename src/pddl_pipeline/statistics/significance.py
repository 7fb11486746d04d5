"""Tests of whether two samples differ. SciPy takes long to import and is imported where used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_LEAST_EXPECTED: Final = 5.0
"""Rarer categories are merged with their neighbours (Cochran 1954)."""


@dataclass(frozen=True, slots=True)
class Significance:
    """The result of a test."""

    name: str
    """The test, and what it compares if that is not obvious."""
    p: float
    """The probability of a statistic at least as extreme if the null hypothesis holds."""
    statistic: float
    degrees: int | None = None
    """The degrees of freedom, for a chi-square test."""


def same_distribution(one: Mapping[int, int], other: Mapping[int, int]) -> Significance | None:
    """Test whether each number occurs equally often in two samples, by Pearson's chi-square.

    Neighbouring numbers are merged, from the least, until the expected counts of both samples are
    at least 5. Return None if a single category is left.

    Args:
        one: the count of each number in the first sample.
        other: the count of each number in the second sample.
    """
    cells = _merged(one, other)
    if len(cells) < 2:
        return None
    from scipy.stats import chi2_contingency  # extra

    found: Any = chi2_contingency(list(zip(*cells, strict=True)), correction=False)
    return Significance("chi-square", float(found.pvalue), float(found.statistic), int(found.dof))


def _merged(one: Mapping[int, int], other: Mapping[int, int]) -> list[tuple[int, int]]:
    total = sum(one.values()) + sum(other.values())
    smaller = min(sum(one.values()), sum(other.values()))
    cells, open_cell = list[tuple[int, int]](), (0, 0)
    for number in sorted({*one, *other}):
        open_cell = open_cell[0] + one.get(number, 0), open_cell[1] + other.get(number, 0)
        # The usual rule for chi-square: five expected observations in each cell.
        if sum(open_cell) * smaller / total >= _LEAST_EXPECTED:
            cells.append(open_cell)
            open_cell = (0, 0)
    # What is left is too rare for a separate cell.
    if any(open_cell) and cells:
        last = cells.pop()
        open_cell = last[0] + open_cell[0], last[1] + open_cell[1]
    return [*cells, open_cell] if any(open_cell) else cells


def holm(values: Sequence[float]) -> list[float]:
    """Return the adjusted p of each test, in order: below a level, the test decides at that level.

    The probability of one or more false decisions among all tests is then at most the level,
    however the tests depend on each other.

    Source: Holm, A simple sequentially rejective multiple test procedure, 1979.
    """
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        # Step-down: a test decides only if all tests with a smaller p do.
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = largest
    return adjusted
