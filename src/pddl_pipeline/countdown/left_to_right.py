"""Countdown as in Reasoning Gym: operations over the numbers from left to right.

The implementation follows the descriptions of the method (Katz et al., section 5; Stojanovski et
al. 2025). It uses whole numbers, so that 50 numbers take milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from pddl_pipeline.countdown.walks import OPERATORS, Move
from pddl_pipeline.model.operations import ACTIONS, combine


class Chain(NamedTuple):
    """Numbers, in the order of the task, with one way to combine them."""

    numbers: tuple[int, ...]
    moves: tuple[Move, ...]
    value: int


def chain(numbers: Sequence[int], random: Random) -> Chain:
    """Apply random operations to the running value and the next number, then shuffle the list.

    A quotient must be whole: the next number is a random one of the remaining numbers that divide
    the value. If there is none, the operation is a difference instead. An operator whose difference
    would be negative is drawn again, since the paper's rules do not allow it.
    """
    numbers = list(numbers)
    value, operators = numbers[0], []
    for position in range(1, len(numbers)):
        operator = _operator(numbers, position, value, random)
        value = int(combine(ACTIONS[operator], value, numbers[position]))
        operators.append(operator)
    # The order of the operations would give the solution away.
    places = list(range(len(numbers)))
    random.shuffle(places)
    listed = dict(zip(places, numbers, strict=True))
    moves = [Move(o, places[0], place) for o, place in zip(operators, places[1:], strict=True)]
    return Chain(tuple(listed[place] for place in range(len(numbers))), tuple(moves), value)


def _operator(numbers: list[int], position: int, value: int, random: Random) -> str:
    """Return a random operator; for a quotient, move a divisor to the position."""
    while True:
        operator = random.choice(OPERATORS)
        if operator == "/":
            rest = range(position, len(numbers))
            divisors = [other for other in rest if numbers[other] and value % numbers[other] == 0]
            if divisors:
                other = random.choice(divisors)
                numbers[position], numbers[other] = numbers[other], numbers[position]
                return operator
            operator = "-"
        if operator != "-" or numbers[position] <= value:
            return operator
