"""Which of several cheapest plans a search keeps that goes through states by their costs.

Uniform-cost search (Dijkstra 1959) takes the cheapest waiting state and keeps one path to each.
Ties are decided by the order in which states wait, by what happens to a path of equal cost, and by
the order of the actions of a state. States and paths off the cheapest plans have no influence on
which of them is kept, so the search runs on the graph of the cheapest plans alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple

from pddl_pipeline.search.blocks_states import CheapestPlans, Move


@dataclass(frozen=True, slots=True)
class TieRule:
    """How ties are decided."""

    order: Callable[[Move], Any]
    """Key by which the actions of a state are sorted."""
    newest_first: bool = False
    """Whether of states of equal cost the one that came last is taken first."""
    keep_last: bool = False
    """Whether a path replaces one of equal cost to the same waiting state."""


class _Kept(NamedTuple):
    cost: int
    parent: int | None
    action: int


def first_path(plans: CheapestPlans, order: Callable[[Move], Any]) -> tuple[int, ...]:
    """Return the types of action of the plan that always takes the first cheapest action."""
    state, types = plans.start, []
    while plans.moves[state]:
        move = min(plans.moves[state], key=order)
        types.append(move.action)
        state = move.target
    return tuple(types)


def retained_path(plans: CheapestPlans, costs: Sequence[int], rule: TieRule) -> tuple[int, ...]:
    """Return the types of action of the plan that uniform-cost search keeps.

    Args:
        plans: the cheapest under the costs.
        costs: of picking up, unstacking, putting down and stacking.
        rule: for ties.
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
            # All paths to a state of this graph cost the same, or they would not be cheapest.
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
