"""States of blocksworld, each as likely as any other."""

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
    """Return how many states have one stack, at most two, at most three and so on.

    States with k stacks: all orders of the blocks, cut into k pieces, and every state is met k!
    times. Their number is the Lah number n!/k! C(n-1, k-1). Slaney and Thiebaux (Blocks World
    revisited, 2001) place one block after the other; the distribution is the same.
    """
    orders = factorial(size)
    return list(
        accumulate(orders // factorial(k) * comb(size - 1, k - 1) for k in range(1, size + 1))
    )


def number_of_states(size: int) -> int:
    """Return how many states of so many blocks there are with an empty hand."""
    return _cumulated(size)[-1] if size else 1


def random_stacks(random: Random, blocks: Sequence[str]) -> Stacks:
    """Draw a state, uniformly over all states with an empty hand; stacks stand bottom first."""
    size = len(blocks)
    draw = random.randrange(number_of_states(size))
    cuts = next(k for k, states in enumerate(_cumulated(size)) if draw < states)
    order = list(blocks)
    random.shuffle(order)
    ends = [0, *sorted(random.sample(range(1, size), cuts)), size]
    return tuple(tuple(order[begin:end]) for begin, end in pairwise(ends))


def on_facts(stacks: Stacks) -> set[tuple[str, str, str]]:
    """Return which block is on which."""
    return {("on", above, below) for stack in stacks for below, above in pairwise(stack)}


def random_pair(seed: int, size: int) -> tuple[Stacks, tuple[tuple[str, ...], ...]] | None:
    """Draw the stacks at the start and, from a state of its own, the ``on`` facts of the goal.

    None where the goal holds at the start: it is part of it, or empty.
    """
    if size < 1:
        return None
    random = Random(seed)  # noqa: S311 -- no secret
    blocks = block_names(size)
    init, goal = random_stacks(random, blocks), on_facts(random_stacks(random, blocks))
    return None if goal <= on_facts(init) else (init, tuple(sorted(goal)))
