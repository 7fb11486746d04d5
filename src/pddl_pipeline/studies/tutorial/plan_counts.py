"""Exact numbers of plans by cost for small tasks, the reference for top-k and top-quality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.questions.fluents import COST
from pddl_pipeline.questions.question import NoQuestion
from pddl_pipeline.questions.world import World
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_COST: Final = (COST,)


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
        self._world = World(task)
        self._has_costs = "costs" in task_features(task)
        self._edges: list[list[_Edge]] = []
        self._goals = set[int]()
        try:
            self._explore(task, most_states)
        except NoQuestion as error:
            raise InputError(str(error)) from error

    def by_cost(self) -> Iterator[tuple[int, int]]:
        """Yield the cost and the number of plans for the costs 0, 1, 2 and so on.

        The iteration ends only if no state is left. The number of paths to a state at a cost
        follows from the numbers at lower costs.
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

    def _explore(self, task: Task, most_states: int) -> None:
        keys = [self._world.key(self._world.start)]
        numbers = {keys[0]: 0}
        for number, key in enumerate(keys):  # the loop appends to it
            if number >= most_states:
                raise InputError(f"it has more than {most_states:,} states")
            state = self._world.state(key)
            if task.goal_holds(state):
                self._goals.add(number)
            edges = []
            for each in self._world.successors(state):
                after = self._world.key(each.state)
                if after not in numbers:
                    numbers[after] = len(keys)
                    keys.append(after)
                edges.append(_Edge(numbers[after], self._cost(state, each.state)))
            self._edges.append(edges)

    def _cost(self, before: State, after: State) -> int:
        if not self._has_costs:
            return 1
        cost = after.values.get(_COST, 0) - before.values.get(_COST, 0)
        if cost != int(cost) or cost < 1:
            raise InputError(f"an action costs {cost}; expected a positive whole number")
        return int(cost)
