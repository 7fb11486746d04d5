"""A sample of tasks under all schedules of Table 1, in every reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.studies.cats.published import BLOCKS, TABLE1, UNIFORM, Costs
from pddl_pipeline.studies.cats.shifts import ShiftRow, bounds, graphs
from pddl_pipeline.studies.cats.tie_rules import (
    PROCESSES,
    by_rules,
    paths_of_process,
)
from pddl_pipeline.studies.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Sample:
    """The data of the study's tables and comparisons."""

    rows: Mapping[Costs, ShiftRow]
    """In the order of Table 1."""
    processes: Mapping[Costs, Sequence[float]]
    """The share of shifted tasks under each schedule, by process."""

    @property
    def tasks(self) -> int:
        """The number of tasks."""
        return len(next(iter(self.rows.values())).steps)


def tasks_of(bench: Workbench, number: int, seed: int = 0) -> list[Instance[Any]]:
    """Return tasks of Budget-Blocksworld without a budget, each once."""
    sizes = bench.sizes(quick=[BLOCKS], paper=[BLOCKS])
    settings = {"budget": "unlimited"}
    return list(bench.generated("budget-blocksworld", sizes, number, settings=settings, seed=seed))


def sample(tasks: Sequence[Instance[Any]], processes: int) -> Sample:
    """Return all readings of tasks; the last reading simulates `processes` processes."""
    uniform = graphs(tasks, UNIFORM)
    kept = [paths_of_process(uniform, UNIFORM, number) for number in range(processes)]
    rows, shares = {}, {}
    for costs in TABLE1:
        plans = graphs(tasks, costs)
        row = bounds(plans, uniform, costs)
        shifted = [
            [
                one != other
                for one, other in zip(paths_of_process(plans, costs, n), old, strict=True)
            ]
            for n, old in enumerate(kept)
        ]
        means = [sum(of_task) / processes for of_task in zip(*shifted, strict=True)]
        readings = {**row.readings, **by_rules(plans, uniform, costs), PROCESSES: means}
        rows[costs] = replace(row, readings=readings)
        shares[costs] = [sum(of_process) / len(tasks) for of_process in shifted]
    return Sample(rows, shares)
