"""Countdown from both ends: the values that parts make, and the values that they need to make.

A sequence of steps is an order of the operations of an expression over all numbers. Its last
operation splits the numbers into two parts A and B, and the steps of both can be interleaved in
C(|A|+|B|-2, |A|-1) ways. So `table` counts, for a set of positions, the sequences that make each
of its values, from the tables of its parts.

Tables of large sets are too large. `need` works in the other direction: for a large set, it counts
how often each value can be completed to a solution. It follows from the needs of all larger sets
and the tables of the added sets, since u+w = t is u = t-w, and so on. Needs and tables meet where a
set with a need is split into two sets with tables.

The bound on needs loses no solutions. Let H(S) be the product of p + q over the numbers p/q of a
set S. Each value p/q that S makes has p + q <= H(S). This holds for single numbers. For x = a/b of
A and y = c/d of B, x+y is (ad+cb)/bd, and ad+cb+bd <= (a+b)(c+d). The same holds for |x-y|, for
xy = ac/bd and for x/y = ad/bc. Reduction to lowest terms only decreases p + q, and
H(A)H(B) = H(S).

Zero is treated separately in `Weights`, since u*0 = 0 and 0/u = 0 do not determine u.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

from pddl_pipeline.countdown.arithmetic import Ratio, Table, Weights, dot, join, summed, total


def positions(mask: int) -> list[int]:
    """Return the positions in a set, in order."""
    return [position for position in range(mask.bit_length()) if mask >> position & 1]


def sets_of_size(count: int, size: int) -> Iterator[int]:
    """Yield the sets of ``size`` of the ``count`` positions."""
    for chosen in combinations(range(count), size):
        yield sum(1 << position for position in chosen)


def splits(mask: int) -> Iterator[tuple[int, int]]:
    """Yield each split of a set into two non-empty parts once, the larger part first.

    The most even splits come first: their tables are the largest and decide the most.
    """
    members = positions(mask)
    for size in range(len(members) // 2, 0, -1):
        for chosen in combinations(members, size):
            part = sum(1 << position for position in chosen)
            # Of two halves of equal size, each split would come twice.
            if 2 * size < len(members) or part < mask ^ part:
                yield mask ^ part, part


def larger_sets(mask: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield ``(whole, rest)`` for each proper superset of ``mask`` among ``count`` positions."""
    outside = positions(((1 << count) - 1) ^ mask)
    for size in range(1, len(outside) + 1):
        for chosen in combinations(outside, size):
            rest = sum(1 << position for position in chosen)
            yield mask | rest, rest


def interleavings(first: int, second: int) -> int:
    """Return the number of interleavings of the steps of two parts, each with a fixed order.

    A part of k numbers has k - 1 steps.
    """
    steps = first.bit_count() - 1
    return comb(steps + second.bit_count() - 1, steps)


@dataclass(frozen=True, slots=True)
class Meeting:
    """The solutions in which the value of a set is made of values from two tables."""

    whole: int
    first: int
    second: int
    ways: int
    """Number of these solutions."""


class Sweep:
    """The tables and needs of one instance."""

    def __init__(
        self,
        numbers: Sequence[Ratio],
        target: Ratio,
        largest: int | None = None,
    ) -> None:
        """Create a sweep without tables and needs.

        Args:
            numbers: at least two non-negative numbers, by position.
            target: the non-negative target.
            largest: the size of the largest sets with a table. The default is half of all numbers,
                rounded down; other values must be larger, but smaller than all numbers.
        """
        self.numbers = numbers
        self.target = target
        self._largest = len(numbers) // 2 if largest is None else largest
        self._tables: dict[int, Weights] = {}
        self._needs: dict[int, Weights] = {}

    @property
    def all(self) -> int:
        """The set of all positions."""
        return (1 << len(self.numbers)) - 1

    @property
    def values(self) -> int:
        """The number of values in the stored tables and needs."""
        kept = (*self._tables.values(), *self._needs.values())
        return sum(len(weights.positive) for weights in kept)

    def bound(self, mask: int) -> int:
        """Return the largest possible sum of numerator and denominator of a value of a set."""
        return prod(sum(self.numbers[position]) for position in positions(mask))

    def meetings(self) -> Iterator[Meeting]:
        """Yield the meetings of needs and tables; their ways sum to the number of solutions.

        Each solution has exactly one place where the value of a set without a table is made of
        values of two sets with tables. The fastest meetings come first.
        """
        for size in range(len(self.numbers), self._largest, -1):
            for whole in sets_of_size(len(self.numbers), size):
                need = self.need(whole)
                for first, second in splits(whole):
                    if first.bit_count() <= self._largest:
                        ways = self._ways(need, self.table(first), self.table(second))
                        ways *= interleavings(first, second)
                        yield Meeting(whole, first, second, ways)
                if size == self._largest + 1:
                    # No other need depends on this one.
                    del self._needs[whole]

    def table(self, mask: int) -> Weights:
        """Return the number of ways in which a set makes each of its values."""
        if mask not in self._tables:
            is_single = mask.bit_count() == 1
            number = self.numbers[mask.bit_length() - 1]
            self._tables[mask] = self._only(number) if is_single else self._made(mask)
        return self._tables[mask]

    def _only(self, value: Ratio) -> Weights:
        """Return weights in which one value has the weight 1."""
        return Weights({value: 1} if value[0] else {}, zero=int(not value[0]))

    def _made(self, mask: int) -> Weights:
        parts = [(self.table(a), self.table(b), interleavings(a, b)) for a, b in splits(mask)]
        # Count u + 0 and u - 0.
        added = [
            (one.positive, 2 * times * other.zero)
            for a, b, times in parts
            for one, other in ((a, b), (b, a))
            if other.zero
        ]
        zero = sum(times * self._ways_to_zero(a, b) for a, b, times in parts)
        return Weights(self._sums(mask, parts, added), zero)

    def _sums(
        self,
        mask: int,
        pairs: Iterable[tuple[Weights, Weights, int]],
        added: Iterable[tuple[Table, int]],
    ) -> Table:
        """Return the sums for a set, of the values that pairs make and of further values."""
        made = [(a.positive, b.positive, times) for a, b, times in pairs]
        return summed(self.bound(mask), made, added)

    def need(self, mask: int) -> Weights:
        """Return, for a set without a table, the number of ways to complete each value."""
        if mask not in self._needs:
            if mask == self.all:
                self._needs[mask] = self._only(self.target)
            else:
                self._needs[mask] = self._needed(mask)
        return self._needs[mask]

    def completes(self, mask: int, value: Ratio) -> bool:
        """Return whether a value of a set without a table can be completed to a solution."""
        return self.need(mask).of(value) > 0

    def _needed(self, mask: int) -> Weights:
        sources = [
            (self.need(whole), self.table(rest), interleavings(mask, rest))
            for whole, rest in larger_sets(mask, len(self.numbers))
        ]
        added, zero, every = list[tuple[Table, int]](), 0, 0
        for need, rest, times in sources:
            more_zero, more_every = self._add_for_zero(added, need, rest, times)
            zero, every = zero + more_zero, every + more_every
        return Weights(self._sums(mask, sources, added), zero, every)

    def _add_for_zero(
        self,
        added: list[tuple[Table, int]],
        need: Weights,
        rest: Weights,
        times: int,
    ) -> tuple[int, int]:
        """Add the values of a part u for the cases in which u, the rest w or the result is 0.

        Returns:
            The numbers to add to the need for u = 0, and to the need for every u.
        """
        made, extra, all_of = rest.positive, times * need.zero, times * need.every
        if rest.zero:
            # u + 0 and u - 0 make t = u.
            added.append((need.positive, 2 * times * rest.zero))
        if 2 * extra + all_of:
            # 0 is u - w and w - u for u = w, the only case in which both differences exist.
            added.append((made, 2 * extra + all_of))
        # From u = 0: 0 + w and w - 0 make t = w; 0 * w and 0 / w make 0.
        count, zero = total(made), 2 * times * dot(need.positive, made)
        # `every` counts five results for each u, but u = 0 has four.
        zero += count * (2 * extra - all_of) + 2 * extra * rest.zero
        # u * 0 and 0 / u make 0. For u > 0 and w > 0 there are five results, for any u and 0 four.
        every = 2 * extra * rest.zero + all_of * (5 * count + 4 * rest.zero)
        return zero, every

    def _ways(self, need: Weights, a: Weights, b: Weights) -> int:
        """Return the weighted number of ways in which two tables make the needed values."""
        ways = join(need.positive, a.positive, b.positive)
        for one, other in ((a, b), (b, a)):
            if other.zero:
                ways += 2 * other.zero * dot(need.positive, one.positive)
        if need.zero:
            ways += need.zero * self._ways_to_zero(a, b)
        if need.every:
            ways += need.every * self._ways_to_anything(a, b)
        return ways

    def _pairs(self, a: Weights, b: Weights) -> tuple[int, int, int, int]:
        """Return the number of pairs of equal values, with one zero, with two, and with none."""
        one, other = total(a.positive), total(b.positive)
        equal = dot(a.positive, b.positive)
        return equal, one * b.zero + a.zero * other, a.zero * b.zero, one * other

    def _ways_to_zero(self, a: Weights, b: Weights) -> int:
        """Return the count of u-w and w-u for u = w, u*0 and 0/u, and 0+0, 0-0 twice and 0*0."""
        equal, one_zero, zeros, _ = self._pairs(a, b)
        return 2 * equal + 2 * one_zero + 4 * zeros

    def _ways_to_anything(self, a: Weights, b: Weights) -> int:
        """Return the count of all results.

        These are u+w, u*w, u/w, w/u and one difference, or two differences for u = w; with a zero
        there are four results.
        """
        equal, one_zero, zeros, others = self._pairs(a, b)
        return 5 * others + equal + 4 * one_zero + 4 * zeros
