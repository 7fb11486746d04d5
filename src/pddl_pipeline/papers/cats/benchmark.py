"""Budget-BlocksWorld: the numbers that CATS publishes, its tasks, and cells of its tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.comparison import AllOf, Comparison, Evidence, Quantity, decide
from pddl_pipeline.papers.data import published
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.search.blocks_states import CheapestPlans, cheapest_plans
from pddl_pipeline.statistics.differences import LEVEL
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, horizon

Costs = tuple[int, int, int, int]
"""The costs of picking up, unstacking, putting down and stacking, in the order of Table 1."""
Row = tuple[float, float, float, float]
"""The numbers of a table for each horizon and for all tasks; nan where the paper has none."""
Cells = Mapping[str, float]
"""The known numbers of a row by horizon, and that for all tasks with the key `ALL`."""
ALL: Final = "all"


def _cells(row: Row) -> Cells:
    named = zip((*HORIZONS, ALL), row, strict=True)
    return {name: value for name, value in named if not math.isnan(value)}


PUBLISHED: Final = published(__package__)
MARGINS: Final = PUBLISHED.margins
UNIFORM: Final[Costs] = (1, 1, 1, 1)
CHOSEN: Final[Costs] = PUBLISHED.benchmark.costs
"""The schedule of costs of the benchmark."""
LENGTHS: Final[Mapping[int, int]] = PUBLISHED.lengths.tasks
TABLE1: Final[Mapping[Costs, Cells]] = {
    row.costs: _cells(row.percent) for row in PUBLISHED.table1.rows
}
BUDGETS: Final[tuple[str, ...]] = tuple(PUBLISHED.table2.rows)
METRICS: Final = ("success", "optimality", "efficiency")
SEARCHES: Final[Mapping[str, Mapping[str, Mapping[str, Cells]]]] = {
    budget: {
        name: {
            metric: _cells(row)
            for metric, row in (rows | PUBLISHED.table3.rows[budget].get(name, {})).items()
        }
        for name, rows in methods.items()
    }
    for budget, methods in PUBLISHED.table2.rows.items()
}
"""Tables 2 and 3: the cells by budget, method and metric; only tree searches have efficiency."""


def costs_text(costs: Costs) -> str:
    """Return a schedule as the paper writes it, without the brackets."""
    return ",".join(map(str, costs))


CARD: Final = "data/budget-blocksworld.toml"
"""The card of the first sample of tasks, with every budget."""


def tasks_of(
    bench: Workbench, number: int, seed: int = 0, budgets: Sequence[str] = ("unlimited",)
) -> list[Instance[Any]]:
    """Return tasks of Budget-BlocksWorld; each task is repeated with every one of the budgets."""
    sizes = bench.sizes(quick=[PUBLISHED.benchmark.blocks], paper=[PUBLISHED.benchmark.blocks])
    settings = {"budget": ",".join(budgets)}
    return list(bench.generated("budget-blocksworld", sizes, number, settings=settings, seed=seed))


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
            task.record.init, [pair[1:] for pair in task.record.goal], costs, complete=complete
        )
        for task in tasks
    ]


def blocks_text(tasks: Sequence[Instance[Any]]) -> str:
    """Return the number of blocks of the tasks, such as ``6 blocks`` or ``4 to 6 blocks``."""
    sizes = sorted({task.size for task in tasks})
    return f"{sizes[0]} to {sizes[-1]} blocks" if len(sizes) > 1 else f"{sizes[0]} blocks"


def by_task(instances: Sequence[Instance[Any]]) -> list[Sequence[Instance[Any]]]:
    """Return the instances of each task, one for each budget of the paper."""
    # The generator yields the budgets of a task one after another.
    return [instances[n : n + len(BUDGETS)] for n in range(0, len(instances), len(BUDGETS))]


def horizon_of(instance: Instance[Any]) -> str:
    """Return the horizon of a task by its cheapest plan."""
    return horizon(len(instance.extras["witness"]))


def count_by_horizon(lengths: Mapping[int, int]) -> dict[str, int]:
    """Return the number of tasks of each horizon, given the number by the length of the plan."""
    return {
        name: sum(number for steps, number in lengths.items() if horizon(steps) == name)
        for name in HORIZONS
    }


TASKS: Final = count_by_horizon(LENGTHS)
"""The paper's number of tasks by horizon."""


def mean_and_range(values: Sequence[float], label: str = "") -> Quantity:
    """Return the mean of one or more samples with their range."""
    return Quantity(fmean(values), label, min(values), max(values))


def average(cells: Cells, success: Cells | None = None) -> float | None:
    """Return the mean of the horizons' cells, or None without cells.

    The weights are the paper's numbers of tasks, since the horizons of samples may have other
    shares, such as equal ones.

    Args:
        cells: a number for each horizon.
        success: the success rates, for the mean over the solved tasks; None for all tasks.
    """
    weights = {
        name: tasks * (1.0 if success is None else success.get(name, 0.0))
        for name, tasks in TASKS.items()
        if name in cells
    }
    total = sum(weights.values())
    return sum(weight * cells[name] for name, weight in weights.items()) / total if total else None


class Cell(NamedTuple):
    """A cell of a table: the paper's number, ours, and the evidence on the two."""

    paper: Quantity
    ours: Quantity
    evidence: Evidence


def of_cells(what: str, cells: Sequence[Cell], said: str = "", unit: str = "") -> Comparison:
    """Return one comparison of many cells: those that differ, and the number of the others.

    The level is divided by the number of cells (Bonferroni).
    """
    found = [(cell, decide(cell.evidence, LEVEL / len(cells))) for cell in cells]
    differing = [cell for cell, decision in found if decision.verdict == "differs"]
    others = Quantity(len(cells) - len(differing), "cells that do not differ", of=len(cells))
    return Comparison(
        what=what,
        said=said,
        paper=tuple(cell.paper for cell in differing),
        ours=(others, *(cell.ours for cell in differing)),
        decision=decide(AllOf(tuple(cell.evidence for cell in cells))),
        unit=unit,
    )
