"""States of blocksworld: all of them, each as likely as any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from pddl_pipeline.generators.blocks import (
    block_names,
    number_of_states,
    random_pair,
    random_stacks,
)

# Quantiles of the chi-square distribution at 0.999, by degrees of freedom.
QUANTILES = {2: 13.82, 12: 32.91, 72: 115.6}


def all_states(blocks: list[str]) -> set[frozenset[tuple[str, ...]]]:
    """Return all states: every block is put on the table, or into a stack at any height."""
    if not blocks:
        return {frozenset()}
    *rest, last = blocks
    found = set()
    for state in all_states(rest):
        found.add(state | {(last,)})
        for stack in state:
            for height in range(len(stack) + 1):
                found.add(state - {stack} | {(*stack[:height], last, *stack[height:])})
    return found


@pytest.mark.parametrize(
    ("size", "states"), [(0, 1), (1, 1), (2, 3), (3, 13), (4, 73), (5, 501), (6, 4051), (7, 37633)]
)
def test_number_of_states(size: int, states: int) -> None:
    assert number_of_states(size) == states
    if size < 7:
        assert len(all_states(block_names(size))) == states


@pytest.mark.parametrize("size", [2, 3, 4])
def test_states_are_uniform(size: int) -> None:
    states = all_states(block_names(size))
    random, each = Random(20), 200
    drawn = Counter(
        frozenset(random_stacks(random, block_names(size))) for _ in range(each * len(states))
    )
    assert set(drawn) == states
    statistic = sum((count - each) ** 2 / each for count in drawn.values())
    assert statistic < QUANTILES[len(states) - 1]
    # Too even would be no chance either.
    assert size == 2 or statistic > len(states) / 3


def test_start_and_goal_are_independent() -> None:
    """All pairs of states of three blocks are met, but those whose goal holds at the start."""
    names = block_names(3)
    facts = [frozenset(on(state)) for state in all_states(names)]
    expected = {(a, b) for a in facts for b in facts if not b <= a}
    drawn = Counter[tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]]()
    for seed in range(100 * len(expected)):
        pair = random_pair(seed, 3)
        if pair is not None:
            goal = frozenset((above, below) for _, above, below in pair[1])
            drawn[frozenset(on(frozenset(pair[0]))), goal] += 1
    assert set(drawn) == expected
    mean = drawn.total() / len(expected)
    statistic = sum((count - mean) ** 2 / mean for count in drawn.values())
    degrees = len(expected) - 1
    assert abs(statistic - degrees) < 4 * (2 * degrees) ** 0.5


def on(state: frozenset[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    return ((above, below) for stack in state for below, above in pairwise(stack))


def test_few_and_many_blocks() -> None:
    assert all(random_pair(seed, size) is None for seed in range(20) for size in (0, 1))
    stacks = random_stacks(Random(1), block_names(400))
    assert sorted(block for stack in stacks for block in stack) == sorted(block_names(400))
