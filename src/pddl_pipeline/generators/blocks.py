"""Uniformly distributed random states of blocksworld."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import comb, factorial
from random import Random

Stacks = tuple[tuple[str, ...], ...]


def block_names(size: int) -> list[str]:
    """Return b1, b2, …"""
    return [f"b{number}" for number in range(1, size + 1)]


@cache
def _cumulated(size: int) -> list[int]:
    """Return the number of states with one stack, with at most two, at most three and so on.

    States with k stacks: all orders of the blocks, cut into k pieces; every state occurs k! times.
    Their number is the Lah number n!/k! C(n-1, k-1). Slaney and Thiebaux (Blocks World revisited,
    2001) place one block after the other; the distribution is the same.
    """
    orders = factorial(size)
    return list(
        accumulate(orders // factorial(k) * comb(size - 1, k - 1) for k in range(1, size + 1))
    )


def number_of_states(size: int) -> int:
    """Return the number of states of `size` blocks with an empty hand."""
    return _cumulated(size)[-1] if size else 1


def random_stacks(random: Random, blocks: Sequence[str]) -> Stacks:
    """Draw a state, uniformly over all states with an empty hand; stacks list the bottom first."""
    size = len(blocks)
    draw = random.randrange(number_of_states(size))
    # The number of stacks first, by how many states have it; then any order, and any cuts.
    cuts = next(k for k, states in enumerate(_cumulated(size)) if draw < states)
    order = list(blocks)
    random.shuffle(order)
    ends = [0, *sorted(random.sample(range(1, size), cuts)), size]
    return tuple(tuple(order[begin:end]) for begin, end in pairwise(ends))


def on_facts(stacks: Stacks) -> set[tuple[str, str, str]]:
    """Return the ``on`` facts: which block is on which."""
    return {("on", above, below) for stack in stacks for below, above in pairwise(stack)}


def random_pair(seed: int, size: int) -> tuple[Stacks, tuple[tuple[str, ...], ...]] | None:
    """Draw the stacks of the initial state, and the ``on`` facts of a goal from a second state.

    Return None if the goal holds in the initial state: its facts are part of it, or it is empty.
    """
    if size < 1:
        return None
    random = Random(seed)
    blocks = block_names(size)
    init, goal = random_stacks(random, blocks), on_facts(random_stacks(random, blocks))
    return None if goal <= on_facts(init) else (init, tuple(sorted(goal)))
