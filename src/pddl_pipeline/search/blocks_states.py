"""Cheapest blocksworld plans, from sweeps over all states of a few blocks.

A sweep goes backwards from all states that satisfy a goal and computes the cheapest path from every
state, for given action costs. Goals that differ only in the names of blocks share a sweep: blocks
are numbered by their place in the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.domains.blocksworld import stacks_of
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS

MOST_BLOCKS: Final = 7
"""Seven blocks have 65,990 states; each further block multiplies them by more than ten."""

_PICK_UP, _UNSTACK, _PUT_DOWN, _STACK = range(4)
# By action, the one that undoes it.
_BACK: Final = (_PUT_DOWN, _STACK, _PICK_UP, _UNSTACK)

_TABLE, _HAND = -1, -2
BlocksState = tuple[int, ...]
"""What is below each block: another block, the table, or the hand."""

# Paths are compared by cost, then by steps. One number encodes both: no path has 2^32 steps.
_STEP: Final = 1
_COST: Final = 1 << 32


class Move(NamedTuple):
    """An action in a state."""

    action: int
    """Its index in `ACTIONS`."""
    block: int
    under: int
    """The other block, or the table if there is none."""
    target: int
    """The state after it."""


class CheapestPlan(NamedTuple):
    """A plan with the lowest cost and, among those, the fewest steps."""

    steps: tuple[Step, ...]
    cost: int


class CheapestPlans(NamedTuple):
    """All plans with the lowest cost, as a graph: every path from its start to an end is a plan."""

    start: int
    moves: dict[int, tuple[Move, ...]]
    """The next moves by state, for each state on a cheapest plan; empty if the goal holds."""
    cost: int
    steps: int
    """Number of steps of the shortest of these plans."""


def cheapest_plan(
    stacks: Sequence[Sequence[str]], goal: Iterable[tuple[str, str]], costs: Sequence[int]
) -> CheapestPlan:
    """Return a cheapest plan, deterministically: of equally cheap actions, it takes the first.

    Args:
        stacks: all blocks, each stack from the bottom up; the hand is empty.
        goal: pairs of a block and the block below it.
        costs: the costs of picking up, unstacking, putting down and stacking.

    Raises:
        InputError: there are more than `MOST_BLOCKS` blocks, or no state satisfies the goal.
    """
    names, heights, state = _placed(stacks, goal)
    left, space = _sweep(heights, tuple(costs)), _space(len(names))
    number, steps = space.numbers[state], list[Step]()
    cost = left[number] // _COST
    while left[number]:
        move = next(
            move
            for move in space.moves[number]
            if left[move.target] + costs[move.action] * _COST + _STEP == left[number]
        )
        blocks = [move.block] if move.under == _TABLE else [move.block, move.under]
        steps.append(Step(ACTIONS[move.action], tuple(names[block] for block in blocks)))
        number = move.target
    return CheapestPlan(tuple(steps), cost)


def cheapest_plans(
    stacks: Sequence[Sequence[str]],
    goal: Iterable[tuple[str, str]],
    costs: Sequence[int],
    *,
    complete: bool = False,
) -> CheapestPlans:
    """Return all cheapest plans, up to the first state in which the goal holds.

    Args:
        stacks: as for `cheapest_plan`.
        goal: as for `cheapest_plan`; the numbers of blocks depend only on the goal.
        costs: as for `cheapest_plan`, each above 0, since free actions allow infinitely many plans.
        complete: whether blocks without a block below them in the goal must be on the table.

    Raises:
        InputError: as for `cheapest_plan`, or an action costs nothing.
    """
    if min(costs) < 1:
        raise InputError(f"costs {tuple(costs)}: expected each above 0")
    names, heights, state = _placed(stacks, goal)
    left, space = _sweep(heights, tuple(costs), complete=complete), _space(len(names))
    start, moves = space.numbers[state], dict[int, tuple[Move, ...]]()
    waiting = [start]
    while waiting:
        number = waiting.pop()
        if number not in moves:
            moves[number] = tuple(
                move
                for move in space.moves[number]
                if left[move.target] // _COST + costs[move.action] == left[number] // _COST
            )
            waiting += [move.target for move in moves[number]]
    cost, steps = divmod(left[start], _COST)
    return CheapestPlans(start, moves, cost, steps)


def _placed(
    stacks: Sequence[Sequence[str]], goal: Iterable[tuple[str, str]]
) -> tuple[list[str], tuple[int, ...], BlocksState]:
    """Return blocks in the order of the goal's towers, the towers' heights, and the state.

    The highest tower is the first; a block that the goal does not name is a tower alone.
    """
    blocks, below = sorted({block for stack in stacks for block in stack}), dict(goal)
    if len(blocks) > MOST_BLOCKS:
        raise InputError(
            f"{len(blocks)} blocks: expected at most {MOST_BLOCKS} for an exhaustive search"
        )
    towers = stacks_of(below.items(), [block for block in blocks if block not in below])
    if len(set(below.values())) < len(below) or sum(map(len, towers)) != len(blocks):
        raise InputError("the goal is impossible: no state has these blocks on each other")
    towers = tuple(sorted(towers, key=lambda tower: (-len(tower), tower)))
    names = [block for tower in towers for block in tower]
    under = {upper: names.index(lower) for s in stacks for lower, upper in pairwise(s)}
    return names, tuple(map(len, towers)), tuple(under.get(name, _TABLE) for name in names)


class _Space(NamedTuple):
    """All states of a number of blocks, and the moves between them."""

    numbers: dict[BlocksState, int]
    """The number of each state, ascending."""
    moves: list[list[Move]]


@cache
def _space(size: int) -> _Space:
    """Return the reachable states, which are all states."""
    states = [(_TABLE,) * size]
    index, moves = {states[0]: 0}, []
    for state in states:  # which grows
        found = []
        for action, block, under, target in _moves(state):
            if target not in index:
                index[target] = len(states)
                states.append(target)
            found.append(Move(action, block, under, index[target]))
        moves.append(found)
    return _Space(index, moves)


def _moves(state: BlocksState) -> Iterator[tuple[int, int, int, BlocksState]]:
    covered = set(state)
    if _HAND in covered:
        held = state.index(_HAND)
        yield _PUT_DOWN, held, _TABLE, _with(state, held, _TABLE)
        for under in range(len(state)):
            if under != held and under not in covered:
                yield _STACK, held, under, _with(state, held, under)
        return
    for block, under in enumerate(state):
        if block not in covered:
            action = _PICK_UP if under == _TABLE else _UNSTACK
            yield action, block, under, _with(state, block, _HAND)


def _with(state: BlocksState, block: int, below: int) -> BlocksState:
    return (*state[:block], below, *state[block + 1 :])


@lru_cache(maxsize=128)
def _sweep(towers: tuple[int, ...], costs: tuple[int, ...], *, complete: bool = False) -> list[int]:
    """Return, for each state, the remaining cost times `_COST` plus the remaining steps."""
    space = _space(sum(towers))
    goal, first = list[tuple[int, int]](), 0
    for height in towers:
        goal += [(first, _TABLE)] if complete else []
        goal += [(block, block - 1) for block in range(first + 1, first + height)]
        first += height
    # Above the cost of any path.
    far = _COST * _COST
    left = [
        0 if all(state[upper] == lower for upper, lower in goal) else far for state in space.numbers
    ]
    # Every action can be undone, so the moves of a state lead to all of its predecessors.
    price = [costs[back] * _COST + _STEP for back in _BACK]
    # Dijkstra's algorithm, from all goal states at once.
    queue = [(0, number) for number, value in enumerate(left) if value == 0]
    heapify(queue)
    while queue:
        value, number = heappop(queue)
        # A cheaper path was found after this one was queued.
        if value > left[number]:
            continue
        for move in space.moves[number]:
            further = value + price[move.action]
            if further < left[move.target]:
                left[move.target] = further
                heappush(queue, (further, move.target))
    return left
