"""Traces a meeting of needs and tables back to an expression with the target as its value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from pddl_pipeline.countdown.arithmetic import ZERO, Ratio, Weights, results
from pddl_pipeline.countdown.sweep import Meeting, Sweep, larger_sets, splits


class Operation(NamedTuple):
    """An expression over two parts."""

    action: str
    """The PDDL action."""
    first: Expression
    second: Expression


Expression = Operation | int
"""An integer is the position of a number."""


def expression_of(sweep: Sweep[Any], meeting: Meeting) -> Expression:
    """Return a solution of a meeting. It must be the latest meeting and have solutions."""
    value, first, second = _met(sweep, meeting)
    one, other = _made(sweep, meeting.first, first), _made(sweep, meeting.second, second)
    found: Expression = _operation(value, first, one, second, other)
    mask = meeting.whole
    while mask != sweep.all:
        mask, value, found = _larger(sweep, mask, value, found)
    return found


def _met(sweep: Sweep[Any], meeting: Meeting) -> tuple[Ratio, Ratio, Ratio]:
    """Return a needed value, and two values that make it."""
    a, b = sweep.table(meeting.first), sweep.table(meeting.second)
    need = sweep.need(meeting.whole)
    if not need.every and len(need.positive) <= len(a.positive):
        for value in (*need.positive, ZERO):
            pair = next(_pairs(value, a, b), None)
            if pair is not None and sweep.completes(meeting.whole, value):
                return value, *pair
    for first in _values(a):
        for second in _values(b):
            for value in results(first, second):
                if sweep.completes(meeting.whole, value):
                    return value, first, second
    raise LookupError("the meeting has no solution")


def _larger(
    sweep: Sweep[Any], mask: int, value: Ratio, found: Expression
) -> tuple[int, Ratio, Expression]:
    """Return a larger set, a completable value of it, and the expression that makes the value."""
    for whole, rest in larger_sets(mask, len(sweep.numbers)):
        for other in _values(sweep.table(rest)):
            for result in results(value, other):
                if sweep.completes(whole, result):
                    part = _made(sweep, rest, other)
                    return whole, result, _operation(result, value, found, other, part)
    raise LookupError("the value cannot be completed")


def _made(sweep: Sweep[Any], mask: int, value: Ratio) -> Expression:
    """Return an expression by which a set with a table makes one of its values."""
    if mask.bit_count() == 1:
        return mask.bit_length() - 1
    for a, b in splits(mask):
        for first, second in _pairs(value, sweep.table(a), sweep.table(b)):
            one, other = _made(sweep, a, first), _made(sweep, b, second)
            return _operation(value, first, one, second, other)
    raise LookupError("the set does not make the value")


def _values(weights: Weights[Any]) -> Iterator[Ratio]:
    yield from weights.positive
    if weights.zero:
        yield ZERO


def _pairs(value: Ratio, a: Weights[Any], b: Weights[Any]) -> Iterator[tuple[Ratio, Ratio]]:
    """Yield pairs of values from two tables that make a value."""
    for second in _values(b):
        # z is made of x and y if and only if x is made of z and y, but for zeros.
        makers = results(value, second) if value[0] or second[0] else _values(a)
        for first in makers:
            if a.of(first) > 0 and value in results(first, second):
                yield first, second


def _operation(
    value: Ratio, first: Ratio, one: Expression, second: Ratio, other: Expression
) -> Operation:
    """Return the operation by which two values make a third value."""
    result, x, y = Fraction(*value), Fraction(*first), Fraction(*second)
    ways = (
        (x + y == result, "add", one, other),
        (x * y == result, "multiply", one, other),
        (y + result == x, "subtract", one, other),
        (x + result == y, "subtract", other, one),
        (y != 0 and y * result == x, "divide", one, other),
        (x != 0 and x * result == y, "divide", other, one),
    )
    return next(Operation(action, a, b) for holds, action, a, b in ways if holds)
