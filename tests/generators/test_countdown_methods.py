"""Left-to-right chains and the search for targets, each by its own rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pddl_pipeline.countdown.left_to_right import chain
from pddl_pipeline.countdown.walks import Move
from pddl_pipeline.countdown.whole_number_reach import Reach


def played(numbers: tuple[int, ...], moves: list[Move]) -> list[tuple[int, str, int, int]]:
    """Play moves on whole numbers; return each with what it is applied to and its result."""
    board, steps = dict(enumerate(numbers)), []
    for move in moves:
        x, y = board[move.first], board.pop(move.second)
        if move.operator == "/":
            assert x % y == 0
        results = {"+": x + y, "-": x - y, "*": x * y, "/": x // (y or 1)}
        board[move.first] = results[move.operator]
        assert board[move.first] >= 0
        steps.append((x, move.operator, y, board[move.first]))
    assert len(board) == 1
    return steps


@given(numbers=st.lists(st.integers(0, 100), min_size=1, max_size=15), seed=st.integers(0, 99))
def test_chains_use_every_number_once_from_left_to_right(numbers: list[int], seed: int) -> None:
    made = chain(numbers, Random(seed))
    assert sorted(made.numbers) == sorted(numbers)
    steps = played(made.numbers, list(made.moves))
    values = [numbers[0], *(result for *_, result in steps)]
    taken = [y for _, _, y, _ in steps]
    assert ([x for x, *_ in steps], made.value) == (values[:-1], values[-1])
    assert Counter(taken) == Counter(numbers[1:])
    # A divisor may come earlier than in the list; the others keep their order.
    assert "/" in {operator for _, operator, *_ in steps} or taken == numbers[1:]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        # The running value is large, and divided by all.
        ([2**40, 2], {"+": 1000, "-": 1000, "*": 1000, "/": 1000}),
        # A quotient that is not whole becomes a difference.
        ([97, 89], {"+": 1000, "-": 2000, "*": 1000}),
    ],
)
def test_operators_are_equally_often(numbers: list[int], expected: dict[str, int]) -> None:
    counts = Counter(chain(numbers, Random(seed)).moves[0].operator for seed in range(4000))
    assert counts == pytest.approx(expected, abs=150)


def test_chains_are_listed_in_random_order() -> None:
    places = Counter(chain([1, 2, 3, 4], Random(s)).numbers.index(1) for s in range(4000))
    assert places == pytest.approx(dict.fromkeys(range(4), 1000), abs=150)


def everything(numbers: tuple[int, ...], known: dict[tuple[int, ...], set[int]]) -> set[int]:
    """Return all that the rules of Stream of Search make of numbers: all pairs, again and again."""
    numbers = tuple(sorted(numbers))
    if len(numbers) == 1:
        return set(numbers)
    if numbers not in known:
        known[numbers] = set()
        for (i, small), (j, large) in combinations(enumerate(numbers), 2):
            rest = tuple(x for k, x in enumerate(numbers) if k not in {i, j})
            results = {small + large, large - small, small * large}
            if small and large % small == 0:
                results.add(large // small)
            for result in results:
                known[numbers] |= everything((*rest, result), known)
    return known[numbers]


SMALL = st.integers(0, 9) | st.integers(1, 99)


@given(numbers=st.lists(SMALL, min_size=1, max_size=4) | st.lists(SMALL, min_size=5, max_size=5))
@example([3, 3, 5, 8, 8, 12])
def test_search_finds_all_that_the_rules_reach(numbers: list[int]) -> None:
    """Sets of five numbers and more have no table: they are split."""
    expected, reach = everything(tuple(numbers), {}), Reach(numbers)
    every = 1 if len(numbers) < 5 else 97
    for target in [*range(120), *sorted(expected)[::every]]:
        moves = reach.moves(target)
        assert (moves is not None) == (target in expected)
        if moves:
            steps = played(tuple(numbers), moves)
            assert (len(moves), steps[-1][3]) == (len(numbers) - 1, target)
            assert all(y > 0 for _, operator, y, _ in steps if operator == "/")
