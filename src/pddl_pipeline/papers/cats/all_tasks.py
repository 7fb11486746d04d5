"""Which schedules of costs make a task shift, over all tasks of a number of blocks.

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
cheaper. If the goal says only which block is on which, t is free; this module then checks all
tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pddl_pipeline.papers.cats.published import TABLE1, UNIFORM, Costs, costs_text
from pddl_pipeline.papers.study_result import NamedTable
from pddl_pipeline.search.blocks_states import cheapest_lengths
from pddl_pipeline.tables.text_table import TextTable


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
