"""Reduces a large countdown instance to a small one whose plans extend to the large one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Final

from pddl_pipeline.countdown.arithmetic import Ratio
from pddl_pipeline.model.plan import Step

# Eight numbers of this size make almost all numbers below it.
_EASY_TARGET: Final = 10_000
# Upper limits for the results of sums and products.
_CAPS: Final = (20, 100, 1000)


@dataclass(frozen=True, slots=True)
class Board:
    """Numbers with the names of their objects, and the target."""

    numbers: tuple[tuple[str, Ratio], ...]
    target: int

    @property
    def names(self) -> list[str]:
        """The names of the objects."""
        return [name for name, _ in self.numbers]

    @property
    def values(self) -> list[Ratio]:
        """The numbers."""
        return [value for _, value in self.numbers]


def reduced(
    board: Board, size: int, random: Random
) -> tuple[list[Step], Board, list[tuple[str, str]]]:
    """Reduce a board of whole numbers to a board of `size` numbers.

    Returns:
        The steps that lead to the smaller board; the board; and the actions to apply to its result
        afterwards, each with the object of its second argument.
    """
    after: list[tuple[str, str]] = []
    while board.target > _EASY_TARGET and len(board.numbers) > size + 1:
        chosen = _apart(board, random)
        if chosen is None:
            break
        board, actions = chosen
        after[:0] = actions
    steps: list[Step] = []
    cap = random.choice(_CAPS)
    while len(board.numbers) > size:
        board, step = _merged(board, cap, random)
        steps.append(step)
    return steps, board, after


def _apart(board: Board, random: Random) -> tuple[Board, list[tuple[str, str]]] | None:
    """Return a board without x and y whose target q makes q*x, q*x + y or q*x - y the target.

    Return None if there are no such x and y.
    """
    found = list(_quotients(board))
    if not found:
        return None
    target, actions = random.choice(found)
    used = {name for _, name in actions}
    rest = tuple(number for number in board.numbers if number[0] not in used)
    return Board(rest, target), actions


def _quotients(board: Board) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    for name, (x, _) in board.numbers:
        if x > 1 and board.target % x == 0:
            yield board.target // x, [("multiply", name)]
    for (name, (x, _)), (other, (y, _)) in permutations(board.numbers, 2):
        if x > 1 and y % x:
            if board.target > y and (board.target - y) % x == 0:
                yield (board.target - y) // x, [("multiply", name), ("add", other)]
            if (board.target + y) % x == 0:
                yield (board.target + y) // x, [("multiply", name), ("subtract", other)]


def _merged(board: Board, cap: int, random: Random) -> tuple[Board, Step]:
    """Return a board with two numbers combined to one whole number, and the step that does it."""
    (one, (x, _)), (other, (y, _)) = random.sample(board.numbers, 2)
    if x < y:
        one, x, other, y = other, y, one, x
    ways = [("subtract", x - y)]
    if x + y <= cap:
        ways.append(("add", x + y))
    if x * y <= cap:
        ways.append(("multiply", x * y))
    if y and x % y == 0:
        ways.append(("divide", x // y))
    # Avoid zeros, which are of little use.
    action, value = random.choice([way for way in ways if way[1]] or ways)
    rest = tuple(number for number in board.numbers if number[0] not in (one, other))
    return replace(board, numbers=(*rest, (one, (value, 1)))), Step(action, (one, other))
