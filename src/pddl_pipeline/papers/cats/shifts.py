"""Shifted solutions: how a schedule of costs changes the action types of cheapest plans.

CATS counts a task as shifted if the sequence of action types of its cheapest plan differs from that
of its cheapest plan under uniform costs (section 3, Table 1). Most tasks have several cheapest
plans under either schedule, so the count depends on which plans are compared. A rule for choosing
them is called a reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.published import ALL, TABLE1, UNIFORM, Costs
from pddl_pipeline.papers.cats.tie_rules import PROCESSES, by_rules, paths_of_process
from pddl_pipeline.search.action_automaton import (
    Label,
    by_type,
    chance_of_equal_walks,
    count,
    count_common,
    spelling,
)
from pddl_pipeline.search.blocks_states import CheapestPlans, Move, cheapest_plans
from pddl_pipeline.translators.domains.budget_blocksworld import horizon

LOWEST: Final = "lowest possible"
HIGHEST: Final = "highest possible"
SEQUENCES: Final = "a sequence at random"
WALKS: Final = "actions at random"

Rates = Mapping[str, Sequence[float]]
"""By reading, the probability that each task counts as shifted; 0 or 1 without randomness."""


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """The results of each task under a schedule."""

    costs: Costs
    steps: tuple[int, ...]
    """The length of each task's cheapest plan. The following fields are by task, too."""
    uniform_steps: tuple[int, ...]
    same: tuple[bool, ...]
    """Whether the set of sequences of action types equals the one under uniform costs."""
    readings: Rates
    processes: Sequence[float] = ()
    """The percentage of shifted tasks by simulated process."""

    def number(self, name: str = ALL) -> int:
        """Return the number of tasks of a horizon, by their cheapest plans, or of all tasks."""
        return sum(name in {ALL, horizon(n)} for n in self.steps)

    def rate(self, reading: str, name: str = ALL) -> float | None:
        """Return the percentage of shifted tasks of a horizon; None without tasks."""
        pairs = zip(self.readings[reading], self.steps, strict=True)
        values = [value for value, n in pairs if name in {ALL, horizon(n)}]
        return 100 * (sum(values) / len(values)) if values else None


Sample = Mapping[Costs, ShiftRow]
"""The results of the same tasks under each schedule, in the order of Table 1."""


def graphs(
    tasks: Iterable[Instance[Any]], costs: Costs, *, complete: bool = False
) -> list[CheapestPlans]:
    """Return all cheapest plans of each task under a schedule that replaces the task's costs.

    Args:
        tasks: tasks of Budget-Blocksworld, whose goals state which block is on which.
        costs: the schedule.
        complete: whether the goal requires all other blocks to be on the table.
    """
    return [
        cheapest_plans(
            each.record.init,
            [(upper, lower) for _, upper, lower in each.record.goal],
            costs,
            complete=complete,
        )
        for each in tasks
    ]


def bounds(
    plans: Sequence[CheapestPlans],
    uniform: Sequence[CheapestPlans],
    costs: Costs,
    label: Callable[[Move], Label] = by_type,
    *,
    brief: bool = False,
) -> ShiftRow:
    """Return the row of a schedule with the rates that do not depend on a search.

    Args:
        plans: the cheapest plans of each task under the schedule.
        uniform: the same under uniform costs.
        costs: the schedule.
        label: what is compared of an action.
        brief: whether to leave out `WALKS`, which takes most of the time.
    """
    names = (LOWEST, HIGHEST, SEQUENCES, *(() if brief else (WALKS,)))
    found: dict[str, list[float]] = {name: [] for name in names}
    same = []
    for one, other in zip(plans, uniform, strict=True):
        left, right = spelling(one, label), spelling(other, label)
        numbers, common = (count(left), count(right)), count_common(left, right)
        found[LOWEST].append(common == 0)
        found[HIGHEST].append(numbers != (1, 1) or common == 0)
        found[SEQUENCES].append(float(1 - Fraction(common, numbers[0] * numbers[1])))
        if not brief:
            found[WALKS].append(float(1 - chance_of_equal_walks(left, right)))
        same.append(numbers == (common, common))
    lengths = [tuple(each.steps for each in graph) for graph in (plans, uniform)]
    return ShiftRow(costs, lengths[0], lengths[1], tuple(same), found)


def sample(
    tasks: Sequence[Instance[Any]], processes: int, *, first: int = 0, brief: bool = False
) -> Sample:
    """Return all readings of tasks; the last reading simulates `processes` processes.

    Args:
        tasks: tasks of Budget-Blocksworld.
        processes: the number of simulated processes, one or more.
        first: the number of the first process, which determines its order of actions.
        brief: whether to leave out the readings by rules and `WALKS`.
    """
    uniform, numbers = graphs(tasks, UNIFORM), range(first, first + processes)
    kept = [paths_of_process(uniform, UNIFORM, number) for number in numbers]
    rows = {}
    for costs in TABLE1:
        plans = graphs(tasks, costs)
        row = bounds(plans, uniform, costs, brief=brief)
        shifted = [
            [
                one != other
                for one, other in zip(paths_of_process(plans, costs, n), old, strict=True)
            ]
            for n, old in zip(numbers, kept, strict=True)
        ]
        means = [sum(of_task) / processes for of_task in zip(*shifted, strict=True)]
        rules = {} if brief else by_rules(plans, uniform, costs)
        readings = {**row.readings, **rules, PROCESSES: means}
        percent = [100 * (sum(of_process) / len(tasks)) for of_process in shifted]
        rows[costs] = replace(row, readings=readings, processes=percent)
    return rows
