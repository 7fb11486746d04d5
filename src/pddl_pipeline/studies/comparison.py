"""A number or statement of a paper beside the reproduced one, and the verdict on the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final, Literal

from pddl_pipeline.scoring.intervals import Interval, wilson
from pddl_pipeline.statistics.significance import LEVEL, Significance
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range

Result = Literal["matched", "differs", "not compared"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, with its interval and its sample if it has them."""

    value: float | None
    """None if it is not known."""
    label: str = ""
    """The name of the number, if a comparison has several."""
    low: float | None = None
    """`low` and `high`: the 95 % confidence interval, or the range between samples."""
    high: float | None = None
    of: int | None = None
    """The number of cases, for a share; `value` of them have the property."""

    @property
    def share(self) -> float | None:
        """The value, divided by the number of cases if it is a share; None if it is not known."""
        if self.value is None or self.of is None:
            return self.value
        return self.value / self.of if self.of else None


def share(count: int, of: int, label: str = "") -> Quantity:
    """Return the number of cases with a property, with Wilson's 95 % interval of its share."""
    low, high = wilson(count, of) if of else (None, None)
    return Quantity(count, label, low, high, of)


def estimate(value: float | None, interval: Interval | None, label: str = "") -> Quantity:
    """Return an estimated number with its interval, if there is one."""
    return Quantity(value, label, *(interval or (None, None)))


class Rule(StrEnum):
    """How the verdict of a comparison follows from its numbers."""

    NONE = "none"
    """Nothing to compare: the paper or the reproduction has no such number."""
    EQUAL = "equal"
    """Each of our numbers differs from the paper's by at most the margin."""
    INSIDE = "inside"
    """Each of the paper's numbers is inside our interval."""
    OVERLAP = "overlap"
    """Each of the paper's intervals has a value in common with ours."""
    NOT_REJECTED = "not rejected"
    """The test does not show a difference between the paper and the reproduction."""
    SIGNIFICANT = "significant"
    """The test shows the effect that the paper states."""
    ALL = "all"
    """Each of our shares is of all cases: what the paper states holds without exception."""
    SAME = "same"
    """Our numbers, each obtained in another way, are equal."""
    RISES = "rises"
    """Our last number is above the first by more than the margin."""
    FALLS = "falls"
    """Our last number is below the first by more than the margin."""
    LARGEST = "largest"
    """Our first number is above all others."""
    AT_LEAST = "at least"
    """Our first number is not below any other."""
    AT_MOST = "at most"
    """Our first number is not above any other."""
    DESCENDING = "descending"
    """None of our numbers is above the one before."""
    BELOW = "below"
    """Each of our numbers is below the paper's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A number or statement of a paper beside the reproduced one."""

    what: str
    said: str = ""
    """The paper's statement, if it is more than a number."""
    paper: tuple[Quantity, ...] = ()
    """The paper's numbers: one for each number in `ours`, or one for all of them."""
    ours: tuple[Quantity, ...] = ()
    rule: Rule
    margin: float = 0.0
    level: float = LEVEL
    """The level of significance."""
    test: Significance | None = None
    unit: str = ""
    remark: str = ""
    """Why the two differ or cannot be compared, or the condition under which they match."""

    @property
    def result(self) -> Result:
        """The verdict, which follows from the numbers by the rule."""
        return verdict(self)

    @property
    def paper_text(self) -> str:
        """The paper's side in words and numbers."""
        return "; ".join(filter(None, (self.said, _text(self.paper, self.unit)))) or NO_NUMBER

    @property
    def our_text(self) -> str:
        """The reproduced side in words and numbers, with the test."""
        parts = (_text(self.ours, self.unit), _significance_text(self.test) if self.test else "")
        return "; ".join(filter(None, parts)) or NO_NUMBER


def verdict(comparison: Comparison) -> Result:
    """Return the verdict of a comparison by its rule; see `Rule`.

    A comparison without a rule, or one that lacks a number, an interval or a test that its rule
    needs, is not compared.
    """
    check = _CHECKS.get(comparison.rule)
    try:
        holds = None if check is None else check(comparison)
    except _MissingError:
        holds = None
    if holds is None:
        return "not compared"
    return "matched" if holds else "differs"


class _MissingError(Exception):
    """A number that a rule needs is not known."""


def _known(value: float | None) -> float:
    if value is None:
        raise _MissingError
    return value


def _values(quantities: Sequence[Quantity]) -> list[float]:
    if not quantities:
        raise _MissingError
    return [_known(each.share) for each in quantities]


def _pairs(comparison: Comparison) -> list[tuple[Quantity, Quantity]]:
    """Return each of our numbers with the paper's."""
    paper, ours = comparison.paper, comparison.ours
    if not paper or not ours:
        raise _MissingError
    return list(zip(paper * len(ours) if len(paper) == 1 else paper, ours, strict=True))


def _is_equal(comparison: Comparison) -> bool:
    return all(
        abs(_known(theirs.share) - _known(own.share)) <= comparison.margin
        for theirs, own in _pairs(comparison)
    )


def _is_inside(comparison: Comparison) -> bool:
    # Cells that the paper does not give are not compared.
    known = [pair for pair in _pairs(comparison) if pair[0].share is not None]
    return all(_known(own.low) <= _known(theirs.share) <= _known(own.high) for theirs, own in known)


def _overlaps(comparison: Comparison) -> bool:
    return all(
        _known(theirs.low) <= _known(own.high) and _known(own.low) <= _known(theirs.high)
        for theirs, own in _pairs(comparison)
    )


def _is_significant(comparison: Comparison) -> bool:
    if comparison.test is None:
        raise _MissingError
    return comparison.test.p < comparison.level


def _holds_in_all(comparison: Comparison) -> bool:
    shares = [each for each in comparison.ours if each.of is not None]
    return all(value == 1 for value in _values(shares))


def _change(comparison: Comparison) -> float:
    first, *_, last = _values(comparison.ours)
    return last - first


def _is_first(comparison: Comparison, is_ordered: Callable[[float, float], bool]) -> bool:
    first, *others = _values(comparison.ours)
    return all(is_ordered(first, other) for other in others)


_CHECKS: Final[Mapping[Rule, Callable[[Comparison], bool]]] = {
    Rule.EQUAL: _is_equal,
    Rule.INSIDE: _is_inside,
    Rule.OVERLAP: _overlaps,
    Rule.NOT_REJECTED: lambda each: not _is_significant(each),
    Rule.SIGNIFICANT: _is_significant,
    Rule.ALL: _holds_in_all,
    Rule.SAME: lambda each: all(a == b for a, b in pairwise(_values(each.ours))),
    Rule.RISES: lambda each: _change(each) > each.margin,
    Rule.FALLS: lambda each: -_change(each) > each.margin,
    Rule.LARGEST: lambda each: _is_first(each, lambda first, other: first > other),
    Rule.AT_LEAST: lambda each: _is_first(each, lambda first, other: first >= other),
    Rule.AT_MOST: lambda each: _is_first(each, lambda first, other: first <= other),
    Rule.DESCENDING: lambda each: all(a >= b for a, b in pairwise(_values(each.ours))),
    Rule.BELOW: lambda each: all(
        _known(own.share) < _known(theirs.share) for theirs, own in _pairs(each)
    ),
}


def comparison_table(comparisons: Sequence[Comparison]) -> TextTable:
    """Return comparisons as a table; those that differ are marked."""
    return TextTable(
        headings=("what", "paper", "ours", "result", "why"),
        rows=tuple((c.what, c.paper_text, c.our_text, c.result, c.remark) for c in comparisons),
        names=5,
        marked=tuple(c.result == "differs" for c in comparisons),
    )


def _text(quantities: Sequence[Quantity], unit: str) -> str:
    return ", ".join(quantity_text(each, unit) for each in quantities)


def quantity_text(quantity: Quantity, unit: str = "") -> str:
    """Return a quantity with its label, interval and unit."""
    label = f"{quantity.label} " if quantity.label else ""
    if quantity.of is not None:
        return label + _share_text(quantity)
    ends = [_number(end) for end in (quantity.low, quantity.high) if end is not None]
    interval = f" ({' to '.join(ends)})" if ends else ""
    return f"{label}{_number(quantity.value)}{interval}{f' {unit}' if unit else ''}"


def _share_text(quantity: Quantity) -> str:
    text = f"{_number(quantity.value)} of {quantity.of}"
    if quantity.low is None or quantity.high is None:
        return text
    return f"{text} ({percent_range((quantity.low, quantity.high))} %)"


def _number(value: float | None) -> str:
    """Return a number with two decimals, or two digits if it is small, or as a whole number."""
    if value is None:
        return NO_NUMBER
    if value == int(value):
        return str(int(value))
    return f"{value:.2f}" if abs(value) >= 0.01 else f"{value:.2g}"


def _significance_text(test: Significance) -> str:
    """Return the result of a test as papers write it."""
    degrees = "" if test.degrees is None else f" on {test.degrees} degrees of freedom"
    return f"{test.name} {test.statistic:.2f}{degrees}, p={test.p:.2g}"
