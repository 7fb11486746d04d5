"""The evidence for or against a number or statement of a paper, by the kind of number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Union

from pddl_pipeline.statistics.difference import Difference
from pddl_pipeline.statistics.share_differences import ShareDifference

Sign = Literal[1, -1]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that follows without a sample: an exact count, or from the paper's own numbers."""

    holds: bool
    """Whether it is what the paper states."""
    n: int
    """The number of cases that were counted."""


@dataclass(frozen=True, slots=True)
class Always:
    """A statement that holds for every instance, checked on a sample."""

    count: int
    """The number of instances for which it holds."""
    number: int
    margin: float
    """The share of exceptions that a sample without exceptions must exclude."""


@dataclass(frozen=True, slots=True)
class Same:
    """The statement that two numbers are equal, up to a margin."""

    difference: Difference
    margin: float


@dataclass(frozen=True, slots=True)
class Ordered:
    """The statement that the first number is above the second, or below it."""

    difference: Difference
    sign: Sign
    """1 if the first number is stated to be above the second."""
    margin: float
    """A difference that would not matter."""


@dataclass(frozen=True, slots=True)
class SameDistribution:
    """The statement that two samples are of one distribution of numbers."""

    ours: Mapping[int, int]
    """The count of each number."""
    paper: Mapping[int, int]
    margin: float
    """The largest difference of cumulative shares that would not matter."""


@dataclass(frozen=True, slots=True)
class Region:
    """A published share beside the range that choices which the paper does not state allow."""

    lowest: ShareDifference
    """The published share minus the lowest possible one."""
    highest: ShareDifference
    """The published share minus the highest possible one."""
    margin: float
    """The largest range in which a share would show agreement."""


@dataclass(frozen=True, slots=True)
class AllOf:
    """Several pieces of evidence for a statement that holds only if all of them hold."""

    parts: tuple[Evidence, ...]


Evidence = Union[Fact, Always, Same, Ordered, SameDistribution, Region, AllOf, None]
"""None if there is nothing to compare."""


def same(difference: Difference | None, margin: float) -> Evidence:
    """Return the evidence on equality; None without a difference to test."""
    return None if difference is None else Same(difference, margin)


def ordered(difference: Difference | None, sign: Sign, margin: float) -> Evidence:
    """Return the evidence on an order; None without a difference to test."""
    return None if difference is None else Ordered(difference, sign, margin)
