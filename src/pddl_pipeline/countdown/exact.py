"""Solves countdown: finds a plan or proves that there is none; for many numbers, incompletely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Final

from pddl_pipeline.countdown.arithmetic import ZERO, Ratio, Weights, results
from pddl_pipeline.countdown.counts import REACH, beyond_reach, check_numbers, out_of_range
from pddl_pipeline.countdown.reduction import Part, combined, reduced
from pddl_pipeline.countdown.sweep import Meeting, Sweep, positions
from pddl_pipeline.model.plan import Plan, Step

_FAST: Final = 8
"""The most numbers that are searched completely at once, in about a second."""
# For larger instances: the sizes to which they are reduced, and the number of tries for each size.
# All tries together take about a minute.
_TRIES: Final = ((6, 60), (7, 100), (8, 20))


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to an instance."""

    plan: Plan | None
    proof: bool = False
    """Whether it is proved that there is no plan."""
    reason: str = ""
    """Why there is no plan; empty if there is one."""
    values: int = 0
    """Number of computed values of sets of numbers."""


def solve_exact(numbers: Sequence[int], target: int, *, seed: int = 0) -> Answer:
    """Find a plan with the objects n1, n2 … in the order of the numbers, or prove there is none.

    The search is complete for up to `REACH` numbers, or if the target is out of range. For other
    instances, numbers are combined pseudo-randomly and large targets are decomposed until the
    remaining instance can be decided.

    Raises:
        InputError: a number is negative, or there are no numbers.
    """
    check_numbers(numbers, target)
    parts = [Part(f"n{at}", (x, 1)) for at, x in enumerate(numbers, start=1)]
    if out_of_range(numbers, target):
        return Answer(None, proof=True, reason="the numbers make only values below the target")
    values = 0
    if len(parts) > _FAST:
        found, values, tries = _attempted(parts, target, Random(seed))
        if found is not None:
            return Answer(_plan(found), values=values)
        if len(parts) > REACH:
            reason = f"no plan in {tries} reductions; {beyond_reach(len(parts))}"
            return Answer(None, reason=reason, values=values)
    found, more = _solved(parts, (target, 1))
    if found is None:
        reason = "no sequence of operations leaves the target"
        return Answer(None, proof=True, reason=reason, values=values + more)
    return Answer(_plan(found), values=values + more)


def _plan(whole: Part) -> Plan:
    return Plan((*whole.steps, Step("checkgoal", (whole.name,))))


def _attempted(parts: Sequence[Part], target: int, random: Random) -> tuple[Part | None, int, int]:
    """Return the target by a reduction, or None; the number of computed values, and of tries."""
    # A reduction by one number takes nearly as long as the complete search.
    sizes = [size for size, times in _TRIES for _ in range(times) if size < len(parts) - 1]
    values = 0
    for size in sizes:
        small, quotient, after = reduced(parts, target, size, random)
        whole, more = _solved(small, (quotient, 1))
        values += more
        if whole is not None:
            for action, other in after:
                whole = combined(action, whole, other, whole.value)
            return whole, values, len(sizes)
    return None, values, len(sizes)


def _solved(parts: Sequence[Part], target: Ratio) -> tuple[Part | None, int]:
    """Return the target, made of all parts, or None; and the number of computed values."""
    if len(parts) == 1:
        return (parts[0] if parts[0].value == target else None), 1
    sweep = Sweep([part.value for part in parts], target)
    return _made(sweep, parts), sweep.values


def _made(sweep: Sweep, parts: Sequence[Part]) -> Part | None:
    """Return the target of a sweep, made of its parts, by the first meeting with solutions.

    The values that meet are made of fewer parts, and so is the target of the value that they make.
    """
    meeting = next((meeting for meeting in sweep.meetings() if meeting.ways), None)
    if meeting is None:
        return None
    value, *values = _met(sweep, meeting)
    one, other = (
        _solved([parts[at] for at in positions(mask)], of)[0]
        for mask, of in zip((meeting.first, meeting.second), values, strict=True)
    )
    if one is None or other is None:
        raise AssertionError("a table contains only values that its set makes")
    rest = [parts[at] for at in positions(sweep.all ^ meeting.whole)]
    return _solved([_operation(value, one, other), *rest], sweep.target)[0]


def _met(sweep: Sweep, meeting: Meeting) -> tuple[Ratio, Ratio, Ratio]:
    """Return a needed value, and the values of two tables that make it.

    The meeting must be the latest one of the sweep.
    """
    a, b, need = sweep.table(meeting.first), sweep.table(meeting.second), sweep.need(meeting.whole)
    return next(
        (value, first, second)
        for value, first, second in _triples(need, a, b)
        if a.of(first) > 0
        and sweep.completes(meeting.whole, value)
        and value in results(first, second)
    )


def _triples(need: Weights, a: Weights, b: Weights) -> Iterator[tuple[Ratio, Ratio, Ratio]]:
    """Yield values, and two values that may make them, the second one from the second table."""
    if need.every or len(need.positive) > len(a.positive):
        for first in _values(a):
            for second in _values(b):
                for value in results(first, second):
                    yield value, first, second
        return
    for value in (*need.positive, ZERO):
        for second in _values(b):
            # z is made of x and y if and only if x is made of z and y, but for zeros.
            for first in results(value, second) if value[0] or second[0] else _values(a):
                yield value, first, second


def _values(weights: Weights) -> Iterator[Ratio]:
    yield from weights.positive
    if weights.zero:
        yield ZERO


def _operation(value: Ratio, one: Part, other: Part) -> Part:
    """Return a value, made of the values of two parts."""
    result, x, y = Fraction(*value), Fraction(*one.value), Fraction(*other.value)
    ways = (
        (x + y == result, "add", one, other),
        (x * y == result, "multiply", one, other),
        (y + result == x, "subtract", one, other),
        (x + result == y, "subtract", other, one),
        (y != 0 and y * result == x, "divide", one, other),
        (x != 0 and x * result == y, "divide", other, one),
    )
    return next(combined(action, a, b, value) for holds, action, a, b in ways if holds)
