"""Left-to-right chains and the search for targets, each by its own rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

from hypothesis import given
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
    assert (steps[-1][3] if steps else numbers[0]) == made.value
    assert len({move.first for move in made.moves}) <= 1
    value = numbers[0]
    rest = Counter(numbers[1:])
    for x, _, y, result in steps:
        assert x == value
        assert rest[y] > 0
        rest[y] -= 1
        value = result


def test_chains_take_numbers_in_order_but_for_divisors() -> None:
    for seed in range(300):
        numbers = [97, 89, 83, 79, 73]
        made = chain(numbers, Random(seed))
        taken = [y for _, _, y, _ in played(made.numbers, list(made.moves))]
        if all(move.operator != "/" for move in made.moves):
            assert taken == numbers[1:]


def test_all_operators_are_used_in_chains_and_equally_often_where_all_fit() -> None:
    """The running value is large, and divided by all."""
    counts = Counter(chain([2**40, 2], Random(seed)).moves[0].operator for seed in range(4000))
    assert all(850 < counts[operator] < 1150 for operator in "+-*/")


def test_a_quotient_that_is_not_whole_becomes_a_difference() -> None:
    counts = Counter(chain([97, 89], Random(seed)).moves[0].operator for seed in range(4000))
    assert 1850 < counts["-"] < 2150
    assert counts["/"] == 0


def test_chains_are_listed_in_random_order() -> None:
    places = Counter(chain([1, 2, 3, 4], Random(s)).numbers.index(1) for s in range(4000))
    assert all(850 < places[place] < 1150 for place in range(4))


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


@given(numbers=st.lists(st.one_of(st.integers(0, 4), st.integers(1, 99)), min_size=1, max_size=4))
def test_search_finds_all_that_small_sets_reach(numbers: list[int]) -> None:
    expected = everything(tuple(numbers), {})
    for target in [*range(120), *expected]:
        moves = Reach(numbers).moves(target)
        assert (moves is not None) == (target in expected)
        if moves:
            check_rules(numbers, moves, target)


@given(numbers=st.lists(st.one_of(st.integers(0, 9), st.integers(1, 99)), min_size=5, max_size=5))
def test_search_finds_all_that_larger_sets_reach(numbers: list[int]) -> None:
    """Larger sets have no table: they are split."""
    expected = everything(tuple(numbers), {})
    reach = Reach(numbers)
    for target in [*range(120), *sorted(expected)[::97]]:
        moves = reach.moves(target)
        assert (moves is not None) == (target in expected)
        if moves:
            check_rules(numbers, moves, target)


def test_search_is_exact_on_six_numbers() -> None:
    sets = ((3, 3, 5, 8, 8, 12), (0, 1, 1, 2, 90, 91), (0, 97, 89, 83, 79, 73))
    for first, numbers in enumerate(sets):
        expected, reach = everything(numbers, {}), Reach(numbers)
        for target in range(first, 1500, 5):
            assert (reach.moves(target) is not None) == (target in expected)


def check_rules(numbers: list[int], moves: list[Move], target: int) -> None:
    steps = played(tuple(numbers), moves)
    assert len(moves) == len(numbers) - 1
    assert steps[-1][3] == target
    for x, operator, y, _ in steps:
        assert operator in "+*" or x >= y
        assert operator != "/" or y > 0
