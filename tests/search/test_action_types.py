"""Sequences of action types against all cheapest plans of small tasks, listed one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from pddl_pipeline.generators.blocks import block_names, random_stacks
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.search.blocks_states import CheapestPlans, Move, cheapest_plan, cheapest_plans
from pddl_pipeline.search.cheapest_sequences import (
    TieRule,
    by_action,
    chance_of_equal_walks,
    count,
    count_common,
    first_path,
    retained_path,
    spelling,
)

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
    least, waiting, number = {start: 0}, [(0, 0, start)], 0
    while waiting:
        cost, _, state = heappop(waiting)
        for action, after in successors(state):
            further = cost + costs[action[0]]
            if further < least.get(after, further + 1):
                least[after] = further
                number += 1
                heappush(waiting, (further, number, after))
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
        ours = [spelling(graph) for graph in graphs]
        assert [count(each) for each in ours] == [len(each) for each in spelled]
        assert count_common(*ours) == len(spelled[0].keys() & spelled[1].keys())
        whole = [spelling(graph, by_action) for graph in graphs]
        assert [count(each) for each in whole] == [len(plans) for plans in listed]
        assert count_common(*whole) == len(listed[0] & listed[1])


def walks(graph: CheapestPlans) -> dict[tuple[int, ...], Fraction]:
    """Return the probability of each sequence of types, by following every walk."""
    found = Counter[tuple[int, ...]]()
    paths: list[tuple[tuple[int, ...], int, Fraction]] = [((), graph.start, Fraction(1))]
    while paths:
        sequence, state, chance = paths.pop()
        moves = graph.moves[state]
        if not moves:
            found[sequence] += chance  # type: ignore[assignment]
        share = chance / max(1, len(moves))
        paths += [((*sequence, move.action), move.target, share) for move in moves]
    return dict(found)  # type: ignore[arg-type]


def test_chances_are_those_of_all_walks() -> None:
    some = 0
    for init, goal in tasks(4, 30):
        graphs = [cheapest_plans(init, goal, each) for each in (UNIFORM, (1, 1, 20, 1))]
        one, other = map(walks, graphs)
        expected = sum(one[each] * other.get(each, 0) for each in one)
        assert chance_of_equal_walks(*map(spelling, graphs)) == expected
        some += 0 < expected < 1
    assert some > 5


@pytest.mark.parametrize("costs", SCHEDULES)
def test_complete_goals_say_what_is_on_the_table(costs: tuple[int, ...]) -> None:
    """The goal (b1 on b2) is complete if b3 is on the table; otherwise, b3 may stay on b1."""
    differ = 0
    for init, goal in tasks(3, 25):
        names = block_names(3)
        whole = goal | {(name, "table") for name in names if name not in dict(goal)}
        listed = all_cheapest(init, whole, costs, table=True)
        graph = cheapest_plans(init, goal, costs, complete=True)
        assert count(spelling(graph, by_action)) == len(listed)
        assert {sum(costs[action[0]] for action in plan) for plan in listed} == {graph.cost}
        differ += graph.cost > cheapest_plan(init, goal, costs).cost
    assert differ


def chain(*types: int) -> CheapestPlans:
    """Return the graph of a single plan."""
    moves = {state: (Move(each, 0, -1, state + 1),) for state, each in enumerate(types)}
    return CheapestPlans(0, {**moves, len(types): ()}, len(types), len(types), ("b1",))


def test_a_beginning_of_a_sequence_is_another_sequence() -> None:
    one, other = spelling(chain(0, 1)), spelling(chain(0, 1, 2))
    assert (count(one), count(other), count_common(one, other)) == (1, 1, 0)
    assert chance_of_equal_walks(one, other) == 0
    assert chance_of_equal_walks(one, one) == 1


def test_actions_that_cost_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="each above 0"):
        cheapest_plans([["b1", "b2"]], [], (1, 0, 1, 1))


def order(move: Move) -> tuple[int, int, int]:
    return move.action, move.block, move.under


RULES = [
    TieRule(order, newest_first=newest, keep_last=last)
    for newest, last in product((False, True), repeat=2)
]
TOWER = tuple(block_names(4))
"""A goal in which the blocks are numbered by their names."""


def numbered(action: tuple[Any, ...]) -> tuple[int, int, int]:
    kind, block, under = action
    return kind, TOWER.index(block), -1 if under is None else TOWER.index(under)


def whole_search(init: Stacks, costs: tuple[int, ...], rule: TieRule) -> tuple[int, ...]:
    """Textbook uniform-cost search over all states; the goal is tested when a state is expanded."""
    start: State = (frozenset(init), "")
    best: dict[State, tuple[int, tuple[int, ...]]] = {start: (0, ())}
    waiting, done, number = [(0, 0, start)], set(), 0
    while waiting:
        cost, _, state = heappop(waiting)
        if state in done or cost > best[state][0]:
            continue
        done.add(state)
        if state[0] == {TOWER}:
            return best[state][1]
        for action, after in sorted(successors(state), key=lambda pair: numbered(pair[0])):
            further = cost + costs[action[0]]
            old = best.get(after, (further + 1, ()))[0]
            if further < old or (rule.keep_last and further == old and after not in done):
                best[after] = (further, (*best[state][1], action[0]))
                number += 1
                heappush(waiting, (further, -number if rule.newest_first else number, after))
    raise AssertionError("no plan")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("costs", SCHEDULES)
def test_a_search_of_all_states_keeps_the_same_plan(costs: tuple[int, ...], rule: TieRule) -> None:
    random = Random(7)
    for _ in range(25):
        init = random_stacks(random, TOWER)
        plans = cheapest_plans(init, facts([TOWER], table=False), costs)
        assert retained_path(plans, costs, rule) == whole_search(init, costs, rule)


def test_rules_differ() -> None:
    random = Random(8)
    kept = [
        [retained_path(cheapest_plans(init, facts([TOWER], table=False), UNIFORM), UNIFORM, rule)
         for rule in RULES]
        for init in (random_stacks(random, TOWER) for _ in range(25))
    ]  # fmt: skip
    assert len(set(zip(*kept, strict=True))) == len(RULES)


def test_the_first_path_is_the_first_by_its_order() -> None:
    for init, goal in tasks(4, 15):
        graph = cheapest_plans(init, goal, UNIFORM)
        first = first_path(graph, order)
        assert first == min(walks(graph), default=())
