"""Exact numbers of plans by cost for small tasks, the reference for top-k and top-quality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pddl_pipeline.model.errors import InputError, NotJudged
from pddl_pipeline.search.state_graph import StateGraph
from pddl_pipeline.search.world import world_of
from pddl_pipeline.validation.task import Task


class _Edge(NamedTuple):
    state: int
    cost: int


class PlanCounts:
    """The state space of a task, over which plans are counted by cost.

    A plan is any sequence of actions after which the goal holds, as in top-k planning: it may visit
    a state twice and continue after it reached the goal.
    """

    def __init__(self, task: Task, most_states: int = 50_000) -> None:
        """Explore all states.

        Args:
            task: a task whose actions have positive whole costs; the default cost is 1.
            most_states: the largest number of states to accept.

        Raises:
            InputError: the task has more states, or the cost of an action is not a positive whole
                number.
        """
        world = world_of(task)
        try:
            self._graph = StateGraph(world, most_states)
        except NotJudged as error:
            raise InputError(str(error)) from error
        states = self._graph.states
        self._goals = {number for number, state in enumerate(states) if world.is_goal(state)}
        self._edges = [list(self._next(number)) for number in range(len(states))]

    def by_cost(self) -> Iterator[tuple[int, int]]:
        """Yield the cost and the number of plans for the costs 0, 1, 2 and so on.

        The iteration ends when no state is left. The number of paths to a state at a cost is
        computed from the numbers at lower costs.
        """
        ways: dict[int, Counter[int]] = {0: Counter({0: 1})}
        cost = 0
        while ways:
            here = ways.pop(cost, Counter[int]())
            yield cost, sum(here[state] for state in here.keys() & self._goals)
            for state, number in here.items():
                for edge in self._edges[state]:
                    ways.setdefault(cost + edge.cost, Counter())[edge.state] += number
            cost += 1

    def least(self, number: int) -> list[int]:
        """Return the costs of the `number` cheapest plans, in ascending order."""
        if not self._goals:
            return []
        found: list[int] = []
        for cost, plans in self.by_cost():
            found += [cost] * min(plans, number - len(found))
            if len(found) >= number:
                break
        return found

    def best(self) -> tuple[int, int] | None:
        """Return the least cost of a plan and the number of such plans; None without a plan."""
        if not self._goals:
            return None
        return next((cost, plans) for cost, plans in self.by_cost() if plans)

    def _next(self, number: int) -> Iterator[_Edge]:
        graph, state = self._graph, self._graph.states[number]
        found = graph.world.successors(state)
        for after, (step, _) in zip(graph.after[number], found, strict=True):
            cost = graph.world.cost(step, state)
            if cost != int(cost) or cost < 1:
                raise InputError(f"an action costs {cost}; expected a positive whole number")
            yield _Edge(after, int(cost))
