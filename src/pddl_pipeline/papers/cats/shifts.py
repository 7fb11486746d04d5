"""Shifted solutions: how a schedule of costs changes the action types of cheapest plans.

CATS counts a task as shifted if the sequence of action types of its cheapest plan differs from that
of its cheapest plan under uniform costs (section 3, Table 1). Most tasks have several cheapest
plans under either schedule, so the count depends on which plans are compared. A rule for choosing
them is called a reading.

Let a, b, c, d be the costs of picking up, unstacking, putting down and stacking. A cheapest plan
ends with an empty hand. Let it lift k blocks, u of them from another block, and let the table end
with t blocks more than it had. It picks up k - u blocks, puts down k - u + t and stacks u - t, so
it costs

    k (a + c) + u (b + d - a - c) + t (c - d).

If the goal is complete, t is given. There is a plan with both the least k and the least u: in any
shortest plan, a block that is stacked on a block that is not its place can be put on the table
instead, after which every block leaves a block at most once. If a + c = b + d, u does not count:
the cheapest plans are all plans with the least k, as under uniform costs. If a + c < b + d, the
plan with the least k and u is cheapest under both costs. Only if a + c > b + d can a longer plan be
cheaper. If the goal says only which block is on which, t is free; `all_tasks_table` then checks all
tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.benchmark import ALL, TABLE1, UNIFORM, Costs, costs_text
from pddl_pipeline.papers.study import NamedTable
from pddl_pipeline.search.blocks_states import CheapestPlans, Move, cheapest_lengths, cheapest_plans
from pddl_pipeline.search.cheapest_sequences import (
    Label,
    TieRule,
    by_type,
    chance_of_equal_walks,
    count,
    count_common,
    first_path,
    retained_path,
    spelling,
)
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS, horizon

FIRST_ACTION: Final = "first action"
FIRST_PATH: Final = "search keeps first path"
LAST_PATH: Final = "search keeps last path"
PROCESSES: Final = "search, each schedule a process"


def by_rules(
    plans: Sequence[CheapestPlans], uniform: Sequence[CheapestPlans], costs: Costs
) -> dict[str, list[float]]:
    """Return the readings in which the same deterministic rule chooses both plans."""
    takers: dict[str, Callable[[CheapestPlans, Costs], Any]] = {
        FIRST_ACTION: lambda graph, _: first_path(graph, partial(_by_name, graph)),
        FIRST_PATH: partial(_kept, keep_last=False),
        LAST_PATH: partial(_kept, keep_last=True),
    }
    return {
        name: [
            float(take(a, costs) != take(b, UNIFORM)) for a, b in zip(plans, uniform, strict=True)
        ]
        for name, take in takers.items()
    }


def _by_name(plans: CheapestPlans, move: Move) -> tuple[int, str, str]:
    return move.action, plans.names[move.block], plans.names[move.under] if move.under >= 0 else ""


def _kept(plans: CheapestPlans, costs: Costs, *, keep_last: bool) -> tuple[int, ...]:
    return retained_path(plans, costs, TieRule(partial(_by_name, plans), keep_last=keep_last))


def paths_of_process(
    plans: Sequence[CheapestPlans], costs: Costs, process: int
) -> list[tuple[int, ...]]:
    """Return the path that uniform-cost search keeps for each task, the first of equal cost.

    The order of the actions of a state is arbitrary but fixed within a process: PDDLGym, the
    paper's world model, returns them as a Python set, whose order depends on string hashes that
    differ between processes.
    """
    largest = max(plans, key=lambda each: len(each.names))
    ranks = _ranks(largest.names, Random(f"{costs} {process}"))  # noqa: S311 -- no secret

    def rank(graph: CheapestPlans, move: Move) -> int:
        return ranks[_by_name(graph, move)]

    return [retained_path(each, costs, TieRule(partial(rank, each))) for each in plans]


def _ranks(names: Iterable[str], random: Random) -> dict[tuple[int, str, str], int]:
    blocks = sorted(names)
    actions = [
        (action, block, under)
        for action in range(len(ACTIONS)) for block in blocks for under in ("", *blocks)
    ]  # fmt: skip
    random.shuffle(actions)
    return {action: rank for rank, action in enumerate(actions)}


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


class AllTasks(NamedTuple):
    """The tasks of all start states and all goals, but for names of blocks."""

    number: int
    shifted: int
    """The number of tasks in which no plan is cheapest under both costs."""


def goals(blocks: int) -> list[tuple[int, ...]]:
    """Return the heights of the towers of every goal with a block on another."""
    return [towers for towers in _partitions(blocks, blocks) if towers[0] > 1]


def _partitions(number: int, largest: int) -> Iterator[tuple[int, ...]]:
    if number == 0:
        yield ()
    for first in range(min(number, largest), 0, -1):
        for rest in _partitions(number - first, first):
            yield (first, *rest)


def shifted_of_all(costs: Costs, blocks: int, *, complete: bool) -> AllTasks:
    """Count the tasks that must shift under a schedule.

    A plan is cheapest under both costs exactly if a cheapest plan under the schedule has as few
    steps as a shortest plan.
    """
    number = shifted = 0
    for towers in goals(blocks):
        ours = cheapest_lengths(towers, costs, complete=complete)
        uniform = cheapest_lengths(towers, UNIFORM, complete=complete)
        number += len(ours)
        shifted += sum(one != other for one, other in zip(ours, uniform, strict=True))
    return AllTasks(number, shifted)


def all_tasks_table(blocks: int) -> NamedTable:
    """Return the table of the tasks that must shift, of all tasks."""
    rows = []
    for costs in TABLE1:
        table, other = costs[0] + costs[2], costs[1] + costs[3]
        sign = "=" if table == other else "<" if table < other else ">"
        partial, whole = (
            shifted_of_all(costs, blocks, complete=complete) for complete in (False, True)
        )
        cells = (str(partial.shifted), str(whole.shifted), str(partial.number))
        rows.append((costs_text(costs), f"{table} {sign} {other}", *cells))
    headings = (
        "costs (pu,un,pd,st)", "pu + pd, un + st", "must shift, on-facts",
        "must shift, complete goals", "tasks",
    )  # fmt: skip
    caption = f"All tasks of {blocks} blocks: no plan is cheapest under both costs"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))
