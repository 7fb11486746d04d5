"""Breadth-first and depth-first search on spaces that are known otherwise."""

from __future__ import annotations

from itertools import count, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.space import (
    Bounds,
    NonDeterministic,
    Searched,
    Space,
    breadth_first,
    depth_first,
)

MANY = Bounds(10**6)
Graph = dict[int, list[int]]

graphs = st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 9), max_size=4), max_size=10)


def graph_space(graph: Graph, goal: int) -> Space:
    return Space(0, lambda state: graph.get(state, []), lambda state: state == goal, lambda s: s)


def distance(graph: Graph, goal: int) -> int | None:
    """Of a goal from 0, by relaxing all edges again and again."""
    far = {0: 0}
    for _ in range(len(graph) + 1):
        for node, others in graph.items():
            for other in others if node in far else ():
                far[other] = min(far.get(other, 99), far[node] + 1)
    return far.get(goal)


@settings(max_examples=100)
@given(graphs, st.integers(0, 9), st.integers(1, 12))
def test_searches_find_a_way_if_there_is_one(graph: Graph, goal: int, states: int) -> None:
    """Breadth-first search finds a shortest one; depth-first search may remember few states."""
    space, steps, effort = graph_space(graph, goal), distance(graph, goal), SearchEffort()
    found = [breadth_first(space, MANY, effort, late_test=late) for late in (False, True)]
    found += [depth_first(space, Bounds(states), effort, last_first=last) for last in (False, True)]
    paths = [each.path for each in found if each.path]
    assert len(paths) == (0 if steps is None else 4)
    assert all(each.exhausted for each in found if each.path is None)
    assert {len(path) for path in paths[:2]} <= {(steps or 0) + 1}
    for path in paths:
        assert (path[0], path[-1], len(set(path))) == (0, goal, len(path))
        assert all(after in graph[before] for before, after in pairwise(path))


def test_a_late_test_looks_at_all_that_comes_before_the_goal() -> None:
    space = graph_space({0: [1, 2], 1: [5], 2: [3], 5: [6]}, 5)
    early, late = SearchEffort(), SearchEffort()
    breadth_first(space, MANY, early)
    breadth_first(space, MANY, late, late_test=True)
    assert (early.expanded, late.expanded) == (2, 3)


def test_the_successor_that_comes_first() -> None:
    space = graph_space({0: [1, 2], 1: [3], 2: [3]}, 3)
    assert depth_first(space, MANY, SearchEffort()).path == (0, 1, 3)
    assert depth_first(space, MANY, SearchEffort(), last_first=True).path == (0, 2, 3)


@pytest.mark.parametrize("steps", [0, 100_000])
@pytest.mark.parametrize("search", [breadth_first, depth_first])
def test_a_path_of_any_length_needs_no_recursion(search: Any, steps: int) -> None:
    space = Space(0, lambda state: [state + 1], lambda state: state == steps, lambda state: state)
    effort = SearchEffort()
    assert search(space, MANY, effort).path == tuple(range(steps + 1))
    assert (effort.expanded, effort.generated) == (steps, steps)


# A tree of binary numbers, without a goal.
ENDLESS = Space(1, lambda state: [2 * state, 2 * state + 1], lambda _: False, lambda state: state)


def test_breadth_first_gives_up_when_it_may_remember_no_more() -> None:
    effort = SearchEffort()
    found = breadth_first(ENDLESS, Bounds(100), effort)
    assert found == Searched(None, "no goal among 100 states, the most to remember")
    assert effort.generated == 100


@pytest.mark.parametrize("search", [breadth_first, depth_first])
def test_the_clock_ends_a_search(search: Any) -> None:
    found = search(ENDLESS, Bounds(10**9, 0.05), SearchEffort())
    assert (found.path, found.late, found.reason) == (None, True, "no goal within 0.05 s")


def test_depth_first_goes_on_without_remembering() -> None:
    """In a lattice of 16 states: with 3 remembered, many are expanded again."""

    def succ(state: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = state
        return [(a, b) for a, b in ((x + 1, y), (x, y + 1), (x - 1, y)) if 0 <= a < 4 and b < 4]

    space = Space((0, 0), succ, lambda _: False, lambda state: state)
    few, many = SearchEffort(), SearchEffort()
    for bounds, effort in ((Bounds(3), few), (MANY, many)):
        assert depth_first(space, bounds, effort).exhausted
    assert many.expanded == 16
    assert few.expanded > 100


def test_functions_that_change_their_mind_are_an_error() -> None:
    calls = count(1)
    space = Space(0, lambda n: [n + next(calls)], lambda n: n > 3, lambda n: n)
    with pytest.raises(NonDeterministic):
        breadth_first(space, MANY, SearchEffort())
