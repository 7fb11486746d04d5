"""The project's own functions: against the unit tests of AutoToS, and against each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.countdown.counts import count_solutions
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.domain import Puzzle, own_space
from pddl_pipeline.search.black_boxes.domains import blocksworld, countdown, game24, sokoban
from pddl_pipeline.search.space import Bounds, NotAState, breadth_first, depth_first

MANY = Bounds(10**6)
small = st.lists(st.integers(0, 12), min_size=1, max_size=4)


@given(small, st.integers(0, 30))
def test_countdown_reaches_what_the_exact_solver_counts(numbers: list[int], target: int) -> None:
    space = countdown.countdown_space(numbers, target)
    solvable = count_solutions(numbers, target) > 0
    for search in (breadth_first, depth_first):
        found = search(space, MANY, SearchEffort())
        assert (found.path is not None) == solvable
        assert found.exhausted == (not solvable)


def by_hand(numbers: list[Any]) -> set[tuple[Any, ...]]:
    """What countdown's rules make of numbers, by all ordered pairs of positions."""
    made = set()
    for first, second in permutations(range(len(numbers)), 2):
        x, y = numbers[first], numbers[second]
        others = [n for place, n in enumerate(numbers) if place not in (first, second)]
        results = [x + y, x * y]
        results += [x - y] if x >= y else []
        results += [Fraction(x) / y] if y > 0 else []
        made |= {tuple(sorted([*others, result])) for result in results}
    return made


@given(st.lists(st.fractions(0, 3, max_denominator=4), min_size=2, max_size=6))
def test_countdown_has_all_successors_and_no_others(numbers: list[Fraction]) -> None:
    assert {tuple(state) for state in countdown.succ(numbers)} == by_hand(numbers)


def test_no_zero_on_the_way() -> None:
    with_zero = countdown.countdown_space([5, 5, 7], 7)
    without = countdown.countdown_space([5, 5, 7], 7, zeros=False)
    assert [0, 7] in list(with_zero.succ(with_zero.start))
    assert all(0 not in state for state in without.succ(without.start))
    # As the last number it is nothing that others are combined with.
    at_the_end = countdown.countdown_space([5, 5], 0, zeros=False)
    assert breadth_first(at_the_end, MANY, SearchEffort()).path == ([5, 5], [0])


def test_floats_lose_what_fractions_keep() -> None:
    """A tiny quotient added to a large number is lost in doubles."""
    numbers, target = [1, 10**9, 10**9, 10**9], 10**9
    assert breadth_first(countdown.countdown_space(numbers, target), MANY, SearchEffort()).path
    lost = countdown.countdown_space([1, 10**9, 10**9 + 1], 10**9 + 1, floats=True)
    found = breadth_first(lost, MANY, SearchEffort())
    assert found.path
    exact = countdown.countdown_space([1, 10**9, 10**9 + 1], 10**9 + 1)
    assert breadth_first(exact, MANY, SearchEffort()).exhausted


def test_floats_may_miss_the_target_by_the_tolerance() -> None:
    numbers = [3, 3, 8, 8]
    strict = countdown.countdown_space(numbers, 24, floats=True)
    loose = countdown.countdown_space(numbers, 24, floats=True, tolerance=1e-3)
    assert breadth_first(strict, MANY, SearchEffort()).path is None
    assert breadth_first(loose, MANY, SearchEffort()).path


@pytest.mark.parametrize("kind", ["exact", "float"])
def test_fifty_numbers_one_by_one(kind: str) -> None:
    """7,350 successors a state: the first of them must not wait for the last."""
    rng = Random(5)
    numbers = [rng.randint(1, 99) for _ in range(50)]
    effort = SearchEffort()
    space = countdown.countdown_space(numbers, -1, floats=kind == "float")
    depth_first(space, Bounds(100, seconds=0.2), effort)
    assert effort.expanded >= 49
    assert effort.generated < 7350 * 49


def test_24_by_a_quotient_of_floats() -> None:
    found = breadth_first(own_space(game24.DOMAIN, Puzzle([3, 3, 8, 8])), MANY, SearchEffort())
    assert found.path
    assert found.path[-1] != [24]
    assert game24.isgoal(found.path[-1])
    assert [-2] in list(game24.succ([4, 6]))


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        (
            blocksworld.key,
            {"clear": ["a", "b"], "on-table": ["a", "b"], "arm-empty": True, "holding": None,
             "on": []},
            {"on": [], "holding": None, "arm-empty": True, "on-table": ["b", "a"],
             "clear": ["b", "a"]},
        ),
        (
            sokoban.key,
            {"at-player": (1, 2), "at-stone": [(3, 4), (5, 6)]},
            {"at-stone": [[5, 6], [3, 4]], "at-player": [1, 2]},
        ),
        (
            sokoban.key,
            {"at-player": (1, 2), "at-stone": [(3, 400), (5, 6)]},
            {"at-stone": [(5, 6), (3, 400)], "at-player": (1, 2)},
        ),
        (countdown.key, [3, Fraction(1, 2), 3], (Fraction(1, 2), 3, 3.0)),
    ],
)  # fmt: skip
def test_an_order_that_means_nothing(key: Any, one: Any, other: Any) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        (countdown.key, [3, 3], [3]),
        (sokoban.key, {"at-player": (1, 2), "at-stone": []}, {"at-player": (2, 1), "at-stone": []}),
        (
            sokoban.key,
            {"at-player": (3, 4), "at-stone": [(1, 2)]},
            {"at-player": (1, 2), "at-stone": [(3, 4)]},
        ),
        (
            blocksworld.key,
            {"clear": ["a"], "on-table": ["b"], "arm-empty": True, "holding": None,
             "on": [("a", "b")]},
            {"clear": ["a"], "on-table": ["b"], "arm-empty": True, "holding": None,
             "on": [("b", "a")]},
        ),
    ],
)  # fmt: skip
def test_what_tells_states_apart(key: Any, one: Any, other: Any) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (blocksworld.key, {"clear": []}),
        (blocksworld.key, [1]),
        (blocksworld.key, None),
        (sokoban.key, {"at-player": (1, 2)}),
        (sokoban.key, {"at-player": (1, 2, 3), "at-stone": [(1,)]}),
        (sokoban.key, {"at-player": 1, "at-stone": []}),
        (countdown.key, ["1"]),
        (countdown.key, 3),
        (countdown.key, ([1, 2], "add")),
    ],
)
def test_what_is_no_state(key: Any, value: Any) -> None:
    with pytest.raises(NotAState):
        key(value)
