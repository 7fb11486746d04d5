"""Countdown without the project's search code: all states, step by step, in fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from random import Random

State = tuple[Fraction, ...]


def all_counts(numbers: list[int]) -> Counter[Fraction]:
    """Return the number of sequences that end at each value, from the paths to each state."""
    layer: Counter[State] = Counter([tuple(sorted(map(Fraction, numbers)))])
    for _ in numbers[1:]:
        following: Counter[State] = Counter()
        for state, ways in layer.items():
            for after in steps(state):
                following[after] += ways
        layer = following
    return Counter({state[0]: ways for state, ways in layer.items()})


def steps(state: State) -> Iterator[State]:
    for i, j in permutations(range(len(state)), 2):
        x, y = state[i], state[j]
        rest = [state[k] for k in range(len(state)) if k not in (i, j)]
        made = [x + y, x * y] if i < j else []
        if x >= y:
            made.append(x - y)
        if y:
            made.append(x / y)
        for value in made:
            yield tuple(sorted([*rest, value]))


def walked(size: int, rng: Random, top: int = 99) -> tuple[list[int], int]:
    """Return random numbers from 1 to `top`, and a whole number at which a random walk ends."""
    while True:
        numbers = [rng.randint(1, top) for _ in range(size)]
        state: State = tuple(map(Fraction, numbers))
        while len(state) > 1:
            x, y, *rest = rng.sample(state, len(state))
            state = rng.choice(list(steps((x, y)))) + tuple(rest)
        if state[0].denominator == 1:
            return numbers, int(state[0])
