"""The size of the state space of a countdown instance (Katz et al., section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial

from pddl_pipeline.countdown.arithmetic import Ratio, results
from pddl_pipeline.countdown.counts import check_numbers


def state_bound(size: int) -> int:
    """Return the paper's bound on the number of states of an instance with `size` numbers."""
    return sum(
        3 ** (layer - 1)
        * factorial(size)
        * factorial(size - 1)
        // (factorial(size - layer) * factorial(size + 1 - layer))
        for layer in range(1, size + 1)
    )


def count_states(numbers: Sequence[int]) -> list[int]:
    """Return the number of states with all numbers, with one number less, and so on.

    A state is a multiset of non-negative rationals, as in the paper: two paths to the same numbers
    lead to one state. Memory and time grow with the count: six numbers have millions of states.

    Raises:
        InputError: a number is negative, or there are no numbers.
    """
    check_numbers(numbers, 0)
    layer = {tuple(sorted((number, 1) for number in numbers))}
    counts = [1]
    for _ in numbers[1:]:
        layer = {after for state in layer for after in _successors(state)}
        counts.append(len(layer))
    return counts


def _successors(state: tuple[Ratio, ...]) -> Iterator[tuple[Ratio, ...]]:
    for second in range(1, len(state)):
        if second > 1 and state[second] == state[second - 1] == state[second - 2]:
            continue  # a third equal number adds no new successors
        for first in range(second):
            rest = state[:first] + state[first + 1 : second] + state[second + 1 :]
            for made in results(state[first], state[second]):
                yield tuple(sorted((*rest, made)))
