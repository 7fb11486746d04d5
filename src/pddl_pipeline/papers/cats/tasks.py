"""The tasks of Budget-BlocksWorld and their horizons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.published import BUDGETS, PUBLISHED
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, horizon

CARD: Final = "data/budget-blocksworld.toml"
"""The card of the first sample of tasks, with every budget."""


def tasks_of(
    bench: Workbench, number: int, seed: int = 0, budgets: Sequence[str] = ("unlimited",)
) -> list[Instance[Any]]:
    """Return tasks of Budget-BlocksWorld; each task is repeated with every one of the budgets."""
    sizes = bench.sizes(quick=[PUBLISHED.benchmark.blocks], paper=[PUBLISHED.benchmark.blocks])
    settings = {"budget": ",".join(budgets)}
    return list(bench.generated("budget-blocksworld", sizes, number, settings=settings, seed=seed))


def blocks_text(tasks: Sequence[Instance[Any]]) -> str:
    """Return the number of blocks of the tasks, such as ``6 blocks`` or ``4 to 6 blocks``."""
    sizes = sorted({task.size for task in tasks})
    return f"{sizes[0]} to {sizes[-1]} blocks" if len(sizes) > 1 else f"{sizes[0]} blocks"


def by_task(instances: Sequence[Instance[Any]]) -> list[Sequence[Instance[Any]]]:
    """Return the instances of each task, one for each budget of the paper."""
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
