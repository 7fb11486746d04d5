"""Uniform-cost search: a cheapest plan, within a limit on generated states."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.search.baseline import SearchEffort, SearchResult, UnsupportedTask
from pddl_pipeline.search.best_first import Node
from pddl_pipeline.search.world import World


def cheapest_plan(world: World[Any], most: int, effort: SearchEffort) -> SearchResult | None:
    """Return a cheapest plan with the fewest steps; None if the limit on states is exceeded.

    Args:
        world: the state space.
        most: maximum number of generated states.
        effort: the counters to update.

    Raises:
        UnsupportedTask: a step has a negative cost.
    """
    root = Node(world.start)
    best: dict[Any, tuple[Number, int]] = {root.state: (0, 0)}
    queue: list[tuple[Number, int, int, Node]] = [(0, 0, 0, root)]
    number = 0
    while queue:
        spent, depth, _, node = heappop(queue)
        if best[node.state] != (spent, depth):
            continue
        if world.is_goal(node.state):
            return SearchResult(Plan(node.steps()))
        effort.expanded += 1
        for step, state in world.successors(node.state):
            effort.generated += 1
            cost = world.cost(step, node.state)
            if cost < 0:
                raise UnsupportedTask(f"the step {step} has a negative cost")
            way = (spent + cost, depth + 1)
            if state not in best or way < best[state]:
                best[state] = way
                number += 1
                heappush(queue, (*way, number, Node(state, node, step, depth + 1, way[0])))
        if len(best) > most:
            return None
    return SearchResult.exhausted()
