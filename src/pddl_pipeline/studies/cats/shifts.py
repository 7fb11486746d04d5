"""Shifted solutions: what a schedule of costs changes in the types of action of cheapest plans.

CATS counts a task as shifted if the sequence of action types of its cheapest plan is not that of
its cheapest plan under uniform costs (section 3, Table 1). Most tasks have several cheapest plans
under either, so the count depends on which are compared. Each rule for that is a reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.search.action_automaton import (
    Label,
    by_type,
    chance_of_equal_walks,
    count,
    count_common,
    spelling,
)
from pddl_pipeline.search.blocks_states import CheapestPlans, Move, cheapest_plans
from pddl_pipeline.studies.cats.published import Costs, horizon

LOWEST: Final = "lowest possible"
HIGHEST: Final = "highest possible"
SEQUENCES: Final = "a sequence at random"
WALKS: Final = "actions at random"

Rates = Mapping[str, Sequence[float]]
"""By reading: of each task, how likely it is counted as shifted, 0 or 1 where nothing is random."""


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """A schedule: what became of each task."""

    costs: Costs
    steps: tuple[int, ...]
    """This and the following: by task. Of the cheapest plans under the schedule."""
    uniform_steps: tuple[int, ...]
    same: tuple[bool, ...]
    """Whether the set of sequences is the same as under uniform costs."""
    readings: Rates

    def rate(self, reading: str, steps: Sequence[int] = (), name: str = "") -> float | None:
        """Return the share of shifted tasks, None of none.

        Args:
            reading: its name.
            steps: by task, what it is sorted by into horizons; none for all tasks.
            name: of the horizon.
        """
        values = self.readings[reading]
        if steps:
            values = [v for v, n in zip(values, steps, strict=True) if horizon(n) == name]
        return sum(values) / len(values) if values else None


def graphs(
    tasks: Iterable[Instance[Any]], costs: Costs, *, complete: bool = False
) -> list[CheapestPlans]:
    """Return all cheapest plans of each task under a schedule, which is not the task's own.

    Args:
        tasks: of Budget-Blocksworld; their goals say which block is to be on which.
        costs: the schedule.
        complete: whether every other block is to be on the table.
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
) -> ShiftRow:
    """Return a row with the readings that do not depend on a search."""
    found: dict[str, list[float]] = {name: [] for name in (LOWEST, HIGHEST, SEQUENCES, WALKS)}
    same = []
    for one, other in zip(plans, uniform, strict=True):
        left, right = spelling(one, label), spelling(other, label)
        numbers, common = (count(left), count(right)), count_common(left, right)
        found[LOWEST].append(common == 0)
        found[HIGHEST].append(numbers != (1, 1) or common == 0)
        found[SEQUENCES].append(float(1 - Fraction(common, numbers[0] * numbers[1])))
        found[WALKS].append(float(1 - chance_of_equal_walks(left, right)))
        same.append(numbers == (common, common))
    lengths = [tuple(each.steps for each in graph) for graph in (plans, uniform)]
    return ShiftRow(costs, lengths[0], lengths[1], tuple(same), found)
