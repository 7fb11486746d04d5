"""The plan that uniform-cost search keeps among several cheapest plans.

Uniform-cost search (Dijkstra 1959) takes the cheapest state from its queue and keeps one path to
each state. Ties are broken by the order of the queue, by the treatment of paths with equal cost,
and by the order of a state's actions. States and paths outside the cheapest plans do not influence
which plan is kept, so the search runs only on the graph of the cheapest plans.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple

from pddl_pipeline.search.blocks_states import CheapestPlans, Move


@dataclass(frozen=True, slots=True)
class TieRule:
    """The rules that break ties."""

    order: Callable[[Move], Any]
    """Sort key for the actions of a state."""
    newest_first: bool = False
    """Whether the queue returns the newest of the states with equal cost first."""
    keep_last: bool = False
    """Whether a path replaces another path of equal cost to the same queued state."""


class _Kept(NamedTuple):
    cost: int
    parent: int | None
    action: int


def first_path(plans: CheapestPlans, order: Callable[[Move], Any]) -> tuple[int, ...]:
    """Return the action types of the plan that always takes the first cheapest action."""
    state, types = plans.start, []
    while plans.moves[state]:
        move = min(plans.moves[state], key=order)
        types.append(move.action)
        state = move.target
    return tuple(types)


def retained_path(plans: CheapestPlans, costs: Sequence[int], rule: TieRule) -> tuple[int, ...]:
    """Return the action types of the plan that uniform-cost search keeps.

    Args:
        plans: the cheapest plans under the costs.
        costs: the costs of picking up, unstacking, putting down and stacking.
        rule: the rule that breaks ties.
    """
    kept = {plans.start: _Kept(0, None, 0)}
    queue, done, came = [(0, 0, plans.start)], set[int](), 0
    while queue:
        cost, _, state = heappop(queue)
        if not plans.moves[state]:
            return _types(kept, state)
        if state in done:
            continue
        done.add(state)
        for move in sorted(plans.moves[state], key=rule.order):
            # All paths to a state of this graph have the same cost; otherwise, not all of its plans
            # would be cheapest.
            if move.target not in kept or (rule.keep_last and move.target not in done):
                kept[move.target] = _Kept(cost + costs[move.action], state, move.action)
                came += 1
                place = -came if rule.newest_first else came
                heappush(queue, (kept[move.target].cost, place, move.target))
    raise AssertionError("a graph of plans has an end")


def _types(kept: dict[int, _Kept], state: int) -> tuple[int, ...]:
    types = []
    while (step := kept[state]).parent is not None:
        types.append(step.action)
        state = step.parent
    return tuple(reversed(types))
