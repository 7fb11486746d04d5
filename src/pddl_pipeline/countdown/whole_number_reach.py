"""Decides whether numbers can be combined to a target by the rules of Stream of Search, and how.

The rules use whole numbers only: sums, products, the larger minus the smaller number, and the
larger divided by the smaller if the quotient is whole. All numbers are used. The answer is exact:
small sets of numbers have tables of all their values; larger sets are split in two, and the search
looks for the value of the larger part that completes each value of the smaller part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from pddl_pipeline.countdown.walks import Move

# Sets of up to this size have a table of their values, a few thousand; larger sets only have one if
# they are the smaller part of a split.
_TABLE: Final = 4


class _Split(NamedTuple):
    """A way to make a value: ``x operator y`` with values of two disjoint sets of numbers.

    A number itself has no operator.
    """

    operator: str
    xs: int
    x: int
    ys: int
    y: int


class Reach:
    """The values that numbers can make; sets of numbers are bit masks."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers
        self._table = cache(self._values)
        self._split = cache(self._first_split)

    def moves(self, target: int) -> list[Move] | None:
        """Return moves that make the target from all numbers, or None if there are none."""
        everything, found = 2 ** len(self._numbers) - 1, list[Move]()
        if self._split(everything, target) is None:
            return None
        self._unfold(everything, target, found)
        return found

    def _unfold(self, numbers: int, value: int, moves: list[Move]) -> int:
        """Append the moves that make a value; return the position of the result."""
        split = self._split(numbers, value)
        if split is None or not split.operator:
            # A single number: its only bit is its position.
            return numbers.bit_length() - 1
        x = self._unfold(split.xs, split.x, moves)
        y = self._unfold(split.ys, split.y, moves)
        moves.append(Move(split.operator, x, y))
        return x

    def _values(self, numbers: int) -> dict[int, _Split]:
        """Return all values of a set of numbers, each with a split."""
        table: dict[int, _Split] = {}
        if numbers.bit_count() == 1:
            value = self._numbers[numbers.bit_length() - 1]
            table[value] = _Split("", numbers, value, 0, 0)
        for xs, ys in _halves(numbers):
            for x in self._table(xs):
                for y in self._table(ys):
                    for value, split in _combinations(xs, x, ys, y):
                        table.setdefault(value, split)
        return table

    def _first_split(self, numbers: int, target: int) -> _Split | None:
        """Return a way to make a value, or None if there is none."""
        if numbers.bit_count() <= _TABLE:
            return self._table(numbers).get(target)
        for part, rest in _halves(numbers):
            for value in self._table(part):
                for split in _completions(part, value, rest, target):
                    if self._split(rest, split.y if split.xs == part else split.x):
                        return split
        return None


def _completions(part: int, value: int, rest: int, target: int) -> Iterator[_Split]:
    """Yield the operations that make the target from a value of a part and a value of the rest.

    Multiplication of the rest by 0 is omitted: another split multiplies a single number by 0.
    """
    if value <= target:
        yield _Split("+", part, value, rest, target - value)
    else:
        yield _Split("-", part, value, rest, value - target)
    if value and target % value == 0:
        yield _Split("*", part, value, rest, target // value)
    yield _Split("-", rest, target + value, part, value)
    if value and target:
        if value % target == 0:
            yield _Split("/", part, value, rest, value // target)
        yield _Split("/", rest, target * value, part, value)


def _combinations(xs: int, x: int, ys: int, y: int) -> Iterator[tuple[int, _Split]]:
    """Yield the values that the rules make from two values, with their splits."""
    if x < y:
        xs, x, ys, y = ys, y, xs, x
    yield x + y, _Split("+", xs, x, ys, y)
    yield x - y, _Split("-", xs, x, ys, y)
    yield x * y, _Split("*", xs, x, ys, y)
    if y and x % y == 0:
        yield x // y, _Split("/", xs, x, ys, y)


@cache
def _halves(numbers: int) -> tuple[tuple[int, int], ...]:
    """Return the splits of a set in two, the smaller part first, sorted by its size."""
    found = []
    part = numbers & (numbers - 1)
    while part:  # all subsets without the lowest number: each split once
        rest = numbers ^ part
        found.append((part, rest) if part.bit_count() <= rest.bit_count() else (rest, part))
        part = (part - 1) & numbers & (numbers - 1)
    return tuple(sorted(found, key=lambda split: split[0].bit_count()))
