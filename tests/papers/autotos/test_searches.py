"""Breadth-first and depth-first search on spaces that are known otherwise."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
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
    def key(state: int) -> Hashable:
        return state

    return Space(0, lambda state: graph.get(state, []), lambda state: state == goal, key)


def distance(graph: Graph, goal: int) -> int | None:
    """Of a goal from 0, by relaxing all edges again and again."""
    far = {0: 0}
    for _ in range(len(graph) + 1):
        for node, others in graph.items():
            for other in others:
                if node in far:
                    far[other] = min(far.get(other, 99), far[node] + 1)
    return far.get(goal)


def is_way(found: Searched, graph: Graph, goal: int) -> bool:
    path = found.path or ()
    return (
        path[0] == 0
        and path[-1] == goal
        and all(after in graph[before] for before, after in pairwise(path))
    )


@given(graphs, st.integers(0, 9))
def test_breadth_first_finds_the_shortest_way(graph: Graph, goal: int) -> None:
    steps = distance(graph, goal)
    for late_test in (False, True):
        found = breadth_first(graph_space(graph, goal), MANY, SearchEffort(), late_test=late_test)
        if steps is None:
            assert (found.path, found.exhausted) == (None, True)
        else:
            assert found.path
            assert len(found.path) == steps + 1
            assert is_way(found, graph, goal)


def test_a_late_test_looks_at_all_that_comes_before_the_goal() -> None:
    graph = {0: [1, 2], 1: [5], 2: [3], 5: [6]}
    early, late = SearchEffort(), SearchEffort()
    breadth_first(graph_space(graph, 5), MANY, early)
    breadth_first(graph_space(graph, 5), MANY, late, late_test=True)
    assert (early.expanded, late.expanded) == (2, 3)


@given(graphs, st.integers(0, 9), st.integers(1, 12), st.sampled_from(["first", "last"]))
def test_depth_first_finds_a_way_however_little_it_remembers(
    graph: Graph, goal: int, states: int, order: str
) -> None:
    space, last = graph_space(graph, goal), order == "last"
    found = depth_first(space, Bounds(states), SearchEffort(), last_first=last)
    if distance(graph, goal) is None:
        assert (found.path, found.exhausted) == (None, True)
    else:
        assert is_way(found, graph, goal)
        assert len(set(found.path or ())) == len(found.path or ())


def test_the_successor_that_comes_first() -> None:
    graph = {0: [1, 2], 1: [3], 2: [3]}
    space = graph_space(graph, 3)
    assert depth_first(space, MANY, SearchEffort()).path == (0, 1, 3)
    assert depth_first(space, MANY, SearchEffort(), last_first=True).path == (0, 2, 3)


@pytest.mark.parametrize("search", [breadth_first, depth_first])
def test_a_long_path_needs_no_recursion(search: Any) -> None:
    steps = 100_000
    assert steps > sys.getrecursionlimit()
    space = Space(0, lambda state: [state + 1], lambda state: state == steps, lambda state: state)
    effort = SearchEffort()
    assert search(space, MANY, effort).path == tuple(range(steps + 1))
    assert (effort.expanded, effort.generated) == (steps, steps)


def endless() -> Space:
    """A tree of binary numbers, without a goal."""
    return Space(1, lambda state: [2 * state, 2 * state + 1], lambda _: False, lambda state: state)


def test_breadth_first_gives_up_when_it_may_remember_no_more() -> None:
    effort = SearchEffort()
    found = breadth_first(endless(), Bounds(100), effort)
    assert (found.path, found.exhausted, found.late) == (None, False, False)
    assert found.reason == "no goal among 100 states, the most to remember"
    assert effort.generated == 100


def test_depth_first_goes_on_without_remembering() -> None:
    """In a lattice: 12 states remembered of 121, so that many are expanded again."""

    def succ(state: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = state
        return [(a, b) for a, b in ((x + 1, y), (x, y + 1), (x - 1, y)) if 0 <= a < 4 and b < 4]

    space = Space((0, 0), succ, lambda _: False, lambda state: state)
    few, many = SearchEffort(), SearchEffort()
    assert depth_first(space, Bounds(3), few).exhausted
    assert depth_first(space, MANY, many).exhausted
    assert many.expanded == 16
    assert few.expanded > 100


@pytest.mark.parametrize("search", [breadth_first, depth_first])
def test_the_clock_ends_a_search(search: Any) -> None:
    found = search(endless(), Bounds(10**9, 0.05), SearchEffort())
    assert (found.path, found.late, found.reason) == (None, True, "no goal within 0.05 s")


def test_depth_first_makes_successors_one_by_one() -> None:
    made = 0

    def succ(state: int) -> Iterator[int]:
        nonlocal made
        for number in range(10**9):
            made += 1
            yield state + number + 1

    space = Space(0, succ, lambda state: state == 50, lambda state: state)
    assert depth_first(space, MANY, SearchEffort()).path
    assert made == 50


@pytest.mark.parametrize("search", [breadth_first, depth_first])
def test_a_start_that_is_a_goal(search: Any) -> None:
    effort = SearchEffort()
    assert search(graph_space({}, 0), MANY, effort).path == (0,)
    assert effort.expanded == 0


def test_functions_that_change_their_mind_are_found_out() -> None:
    calls: list[int] = []

    def succ(state: int) -> list[int]:
        calls.append(state)
        return [state + len(calls)]

    space = Space(0, succ, lambda state: state > 3, lambda state: state)
    with pytest.raises(NonDeterministic):
        breadth_first(space, MANY, SearchEffort())
