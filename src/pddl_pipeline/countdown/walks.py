"""A random walk of Algorithm 1 (Katz et al., appendix C), replayed from its number alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.operations import ACTIONS, CHECK, combine, is_defined

# The constants of splitmix64 (Steele, Lea and Flood 2014).
GAMMA: Final = 0x9E3779B97F4A7C15
MIX_1: Final = 0xBF58476D1CE4E5B9
MIX_2: Final = 0x94D049BB133111EB

WORD: Final = 2**64 - 1
_HALF: Final = 2**32 - 1

OPERATORS: Final = "".join(ACTIONS)


def mix(state: int) -> int:
    """Return the output function of splitmix64: a bijection of 64 bits."""
    state = (state ^ (state >> 30)) * MIX_1 & WORD
    state = (state ^ (state >> 27)) * MIX_2 & WORD
    return state ^ (state >> 31)


class Draws:
    """The random draws of one walk, the same in Python and compiled."""

    def __init__(self, seed: int, walk: int) -> None:
        self._state = mix(mix(seed & WORD) ^ walk)

    def below(self, bound: int) -> int:
        """Return a uniform integer from 0 to ``bound - 1``, for ``bound < 2**32`` (Lemire 2019)."""
        while True:
            self._state = (self._state + GAMMA) & WORD
            product = (mix(self._state) >> 32) * bound
            if product & _HALF >= (_HALF + 1) % bound:
                return product >> 32


@dataclass(frozen=True, slots=True)
class Move:
    """A combination of two numbers: the result replaces the first, and the second is removed."""

    operator: str
    first: int
    second: int
    """Positions in the list of numbers."""


def walk(numbers: Sequence[int], seed: int, index: int) -> tuple[list[Move], Number]:
    """Return the moves and the end value of the walk with an index.

    An ordered pair and an operator are drawn together, and drawn again if the rules forbid them.
    """
    draws, moves = Draws(seed, index), []
    values: list[Number] = list(numbers)
    active = list(range(len(numbers)))
    while len(active) > 1:
        count = len(active)
        drawn, operator = divmod(draws.below(len(OPERATORS) * count * (count - 1)), len(OPERATORS))
        first, second = divmod(drawn, count - 1)
        # Drawn among the others: the place of the first number is skipped.
        second += second >= first
        x, y = active[first], active[second]
        action = ACTIONS[OPERATORS[operator]]
        value = combine(action, values[x], values[y]) if is_defined(action, values[y]) else -1
        if value >= 0:
            values[x] = value
            active[second] = active[-1]
            active.pop()
            moves.append(Move(OPERATORS[operator], x, y))
    return moves, values[active[0]]


def witness(moves: Sequence[Move]) -> list[str]:
    """Return moves as a plan of the paper's PDDL (Figure 9)."""
    steps = [f"({ACTIONS[m.operator]} n{m.first + 1} n{m.second + 1})" for m in moves]
    left = moves[-1].first if moves else 0
    return [*steps, f"({CHECK} n{left + 1})"]
