"""The number of solution sequences of an instance (Katz et al., Definition 1 and Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from pddl_pipeline.countdown.sweep import Sweep
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import number_text

REACH: Final = 9
"""The most numbers whose solutions are counted, and of which it is proved that there is no plan."""


def count_solutions(numbers: Sequence[int], target: int) -> int:
    """Return the exact number of sequences of steps that leave the target.

    Sequences are distinguished by position: equal numbers at different positions are different. A
    step takes an unordered pair for + and *, and an ordered pair for - (not below 0) and / (not by
    0), so there are at most 3k(k-1) steps if k numbers are left.

    Raises:
        InputError: a number is negative, or there are none, or too many.
    """
    check_numbers(numbers, target)
    if len(numbers) == 1:
        return int(numbers[0] == target)
    if out_of_range(numbers, target):
        return 0
    if len(numbers) > REACH:
        raise InputError(beyond_reach(len(numbers)))
    sweep = Sweep([(number, 1) for number in numbers], (target, 1))
    return sum(meeting.ways for meeting in sweep.meetings())


def beyond_reach(size: int) -> str:
    """Return that so many numbers are too many, as a reason."""
    return f"{size} numbers are beyond exact reach, which is {REACH} numbers"


def out_of_range(numbers: Sequence[int], target: int) -> bool:
    """Return whether a target exceeds every value that the numbers make, as proved in `sweep`."""
    return target + 1 > prod(number + 1 for number in numbers)


def check_numbers(numbers: Sequence[int], target: int) -> None:
    """Check that the numbers and the target are valid.

    Raises:
        InputError: a number is negative, or there are no numbers.
    """
    if not numbers:
        raise InputError("found no number, expected at least one")
    for number in (*numbers, target):
        if number < 0:
            raise InputError(f"found {number_text(number)}, expected 0 or more")
