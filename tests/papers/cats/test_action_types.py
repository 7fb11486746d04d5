"""Sequences of action types against all cheapest plans of small tasks, listed one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count, pairwise
from random import Random
from typing import Any

import pytest

from pddl_pipeline.generators.blocks import block_names, random_stacks
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.cats.table1 import automaton
from pddl_pipeline.search.blocks_states import CheapestPlans, Move, cheapest_plan, cheapest_plans

PICK_UP, UNSTACK, PUT_DOWN, STACK = range(4)
UNIFORM = (1, 1, 1, 1)
SCHEDULES = ((1, 1, 20, 1), (1, 20, 1, 20), (3, 7, 2, 5), (2, 1, 1, 1))
Stacks = tuple[tuple[str, ...], ...]
Facts = frozenset[tuple[str, str]]
State = tuple[frozenset[tuple[str, ...]], str]
Plan = tuple[tuple[Any, ...], ...]


def facts(stacks: Any, *, table: bool) -> Facts:
    on = {(above, below) for stack in stacks for below, above in pairwise(stack)}
    return frozenset(on | {(stack[0], "table") for stack in stacks} if table else on)


def successors(state: State) -> Iterator[tuple[tuple[Any, ...], State]]:
    """Yield successors as stacks and a hand, with the action's type, block and block below."""
    stacks, hand = state
    for stack in stacks:
        rest = stacks - {stack}
        if hand:
            yield (STACK, hand, stack[-1]), (rest | {(*stack, hand)}, "")
        elif len(stack) == 1:
            yield (PICK_UP, stack[0], None), (rest, stack[0])
        else:
            yield (UNSTACK, stack[-1], stack[-2]), (rest | {stack[:-1]}, stack[-1])
    if hand:
        yield (PUT_DOWN, hand, None), (stacks | {(hand,)}, "")


def all_cheapest(init: Stacks, goal: Facts, costs: tuple[int, ...], *, table: bool) -> set[Plan]:
    """Return every plan with the lowest cost."""
    start: State = (frozenset(init), "")
    least, waiting, numbers = {start: 0}, [(0, 0, start)], count(1)
    while waiting:
        cost, _, state = heappop(waiting)
        for action, after in successors(state):
            further = cost + costs[action[0]]
            if further < least.get(after, further + 1):
                least[after] = further
                heappush(waiting, (further, next(numbers), after))
    ends = {state for state in least if goal <= facts(state[0], table=table)}
    best = min(least[state] for state in ends)
    found, paths = set(), [((), start)]
    while paths:
        plan, state = paths.pop()
        cost = sum(costs[action[0]] for action in plan)
        if cost > least[state] or cost > best:
            continue
        if state in ends:
            found.add(plan)
        else:
            paths += [((*plan, action), after) for action, after in successors(state)]
    return found


def tasks(size: int, number: int) -> Iterator[tuple[Stacks, Facts]]:
    random = Random(size)
    for _ in range(number):
        init, target = (random_stacks(random, block_names(size)) for _ in range(2))
        yield init, facts(target, table=False)


def types(plans: set[Plan]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(action[0] for action in plan) for plan in plans)


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("costs", SCHEDULES)
def test_counts_are_those_of_a_list(size: int, costs: tuple[int, ...]) -> None:
    for init, goal in tasks(size, 20):
        listed = [all_cheapest(init, goal, each, table=False) for each in (UNIFORM, costs)]
        graphs = [cheapest_plans(init, goal, each) for each in (UNIFORM, costs)]
        spelled = [types(plans) for plans in listed]
        one, other = map(automaton, graphs)
        assert [each.count_common(each) for each in (one, other)] == [*map(len, spelled)]
        assert one.count_common(other) == len(spelled[0].keys() & spelled[1].keys())
        assert [number_of_plans(each, each.start) for each in graphs] == [*map(len, listed)]


def number_of_plans(graph: CheapestPlans, state: int) -> int:
    """Return the number of paths from a state to an end."""
    return sum(number_of_plans(graph, move.target) for move in graph.moves[state]) or 1


@pytest.mark.parametrize("costs", SCHEDULES)
def test_complete_goals_say_what_is_on_the_table(costs: tuple[int, ...]) -> None:
    """The goal (b1 on b2) is complete if b3 is on the table; otherwise, b3 may stay on b1."""
    differ = 0
    for init, goal in tasks(3, 25):
        whole = goal | {(name, "table") for name in block_names(3) if name not in dict(goal)}
        listed = all_cheapest(init, whole, costs, table=True)
        graph = cheapest_plans(init, goal, costs, complete=True)
        assert number_of_plans(graph, graph.start) == len(listed)
        assert {sum(costs[action[0]] for action in plan) for plan in listed} == {graph.cost}
        differ += graph.cost > cheapest_plan(init, goal, costs).cost
    assert differ


def chain(*types: int) -> CheapestPlans:
    """Return the graph of a single plan."""
    moves = {state: (Move(each, 0, -1, state + 1),) for state, each in enumerate(types)}
    return CheapestPlans(0, {**moves, len(types): ()}, len(types), len(types))


def test_a_beginning_of_a_sequence_is_another_sequence() -> None:
    one, other = automaton(chain(0, 1)), automaton(chain(0, 1, 2))
    assert [a.count_common(b) for a, b in ((one, one), (other, other), (one, other))] == [1, 1, 0]


def test_actions_that_cost_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="each above 0"):
        cheapest_plans([["b1", "b2"]], [], (1, 0, 1, 1))
