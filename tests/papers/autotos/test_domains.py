"""The project's own functions: against the unit tests of AutoToS, and against each other."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from countdown_by_hand import steps
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.papers.autotos import domains as game24
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.domain import Puzzle, own_space
from pddl_pipeline.search.black_boxes.domains import blocksworld, countdown, sokoban
from pddl_pipeline.search.space import Bounds, NotAState, breadth_first, depth_first

MANY = Bounds(10**6)
BIG = 10**9


@given(st.lists(st.integers(0, 12), min_size=1, max_size=4), st.integers(0, 30))
def test_countdown_reaches_what_the_exact_solver_counts(numbers: list[int], target: int) -> None:
    space = countdown.countdown_space(numbers, target)
    solvable = count_solutions(numbers, target) > 0
    for search in (breadth_first, depth_first):
        found = search(space, MANY, SearchEffort())
        assert (found.path is not None, found.exhausted) == (solvable, not solvable)


@given(st.lists(st.fractions(0, 3, max_denominator=4), min_size=2, max_size=6))
def test_countdown_has_all_successors_and_no_others(numbers: list[Fraction]) -> None:
    assert {tuple(state) for state in countdown.succ(numbers)} == set(steps(tuple(numbers)))


def test_no_zero_on_the_way() -> None:
    with_zero = countdown.countdown_space([5, 5, 7], 7)
    without = countdown.countdown_space([5, 5, 7], 7, zeros=False)
    assert [0, 7] in list(with_zero.succ(with_zero.start))
    assert all(0 not in state for state in without.succ(without.start))


@pytest.mark.parametrize(
    ("numbers", "target", "options", "solved"),
    [
        # A last 0 is not combined with other numbers.
        ([5, 5], 0, {"zeros": False}, True),
        # A tiny quotient added to a large number is lost in doubles.
        ([1, BIG, BIG + 1], BIG + 1, {"floats": True}, True),
        ([1, BIG, BIG + 1], BIG + 1, {}, False),
        ([3, 3, 8, 8], 24, {"floats": True}, False),
        ([3, 3, 8, 8], 24, {"floats": True, "tolerance": 1e-3}, True),
    ],
)
def test_zeros_and_floats(
    numbers: list[int], target: int, options: dict[str, Any], *, solved: bool
) -> None:
    space = countdown.countdown_space(numbers, target, **options)
    assert (breadth_first(space, MANY, SearchEffort()).path is not None) == solved


@pytest.mark.parametrize("floats", [False, True])
def test_fifty_numbers_one_by_one(*, floats: bool) -> None:
    """7,350 successors a state: the first of them must not wait for the last."""
    effort = SearchEffort()
    space = countdown.countdown_space(Random(5).choices(range(1, 99), k=50), -1, floats=floats)
    depth_first(space, Bounds(100, seconds=0.2), effort)
    assert effort.expanded >= 49
    assert effort.generated < 7350 * 49


def test_24_by_a_quotient_of_floats() -> None:
    found = breadth_first(own_space(game24.DOMAIN, Puzzle([3, 3, 8, 8])), MANY, SearchEffort())
    assert found.path
    assert found.path[-1] != [24]
    assert game24.isgoal(found.path[-1])
    assert [-2] in list(game24.succ([4, 6]))


def blocks(*on: tuple[str, str], clear: str = "a", table: str = "b") -> dict[str, Any]:
    return {"clear": list(clear), "on-table": list(table), "arm-empty": True, "holding": None,
            "on": list(on)}  # fmt: skip


def stones(player: Any, *stones: Any) -> dict[str, Any]:
    return {"at-player": player, "at-stone": list(stones)}


@pytest.mark.parametrize(
    ("key", "one", "other", "same"),
    [
        (blocksworld.key, blocks(clear="ab", table="ab"), blocks(clear="ba", table="ba"), True),
        (sokoban.key, stones((1, 2), (3, 4), (5, 6)), stones([1, 2], [5, 6], [3, 4]), True),
        (sokoban.key, stones((1, 2), (3, 400), (5, 6)), stones((1, 2), (5, 6), (3, 400)), True),
        (countdown.key, [3, Fraction(1, 2), 3], (Fraction(1, 2), 3, 3.0), True),
        (countdown.key, [3, 3], [3], False),
        (sokoban.key, stones((1, 2)), stones((2, 1)), False),
        (sokoban.key, stones((3, 4), (1, 2)), stones((1, 2), (3, 4)), False),
        (blocksworld.key, blocks(("a", "b")), blocks(("b", "a")), False),
    ],
)
def test_states_are_the_same_in_any_order(key: Any, one: Any, other: Any, *, same: bool) -> None:
    assert (key(one) == key(other)) == same


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (blocksworld.key, {"clear": []}),
        (blocksworld.key, [1]),
        (blocksworld.key, None),
        (sokoban.key, {"at-player": (1, 2)}),
        (sokoban.key, stones((1, 2, 3), (1,))),
        (sokoban.key, stones(1)),
        (countdown.key, ["1"]),
        (countdown.key, 3),
        (countdown.key, ([1, 2], "add")),
    ],
)
def test_other_values_are_no_states(key: Any, value: Any) -> None:
    with pytest.raises(NotAState):
        key(value)
