"""The numbers that CATS publishes on Budget-BlocksWorld, from ``published.toml``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import msgspec

from pddl_pipeline.papers.published import Margins, Sourced, published
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS

Costs = tuple[int, int, int, int]
"""The costs of picking up, unstacking, putting down and stacking, in the order of Table 1."""
Row = tuple[float, float, float, float]
"""The numbers of a table for each horizon and for all tasks; nan where the paper has none."""
Cells = Mapping[str, float]
"""The known numbers of a row by horizon, and that for all tasks with the key `ALL`."""
ALL: Final = "all"


class Benchmark(Sourced, frozen=True):
    """The tasks."""

    tasks: int
    blocks: int
    costs: Costs
    loose_margin: int
    """The difference between the loose budget and the least cost."""


class PlanLengths(Sourced, frozen=True):
    """The lengths of the tasks' plans."""

    tasks: dict[int, int]
    """The number of tasks by the number of steps."""


class PromptExamples(Sourced, frozen=True):
    """The examples of the prompts."""

    budgets: dict[int, int]
    """The budget by the cost of the plan."""


class ShiftRates(msgspec.Struct, frozen=True):
    """The percentages of shifted tasks under a schedule of costs."""

    costs: Costs
    percent: tuple[int, int, int, int]


class ShiftTable(Sourced, frozen=True):
    """The percentages of shifted tasks."""

    rows: tuple[ShiftRates, ...]


class SearchTable(Sourced, frozen=True):
    """The results of searches."""

    rows: dict[str, dict[str, dict[str, Row]]]
    """By budget, method and metric."""
    model: str = ""
    """The language model of the tree searches."""


class OmegaFigure(Sourced, frozen=True):
    """The effect of the weight of confidence."""

    omega_of_success: float
    """The weight from which on success is nearly perfect."""


class SearchMargins(Margins, frozen=True):
    """The margins, with those of lengths and of Figure 3."""

    steps: float
    """Of two mean lengths."""
    near_perfect: float
    """Of success, which Figure 3 shows as nearly perfect."""


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the paper."""

    benchmark: Benchmark
    margins: SearchMargins
    lengths: PlanLengths
    prompt_examples: PromptExamples
    table1: ShiftTable
    table2: SearchTable
    table3: SearchTable
    figure3: OmegaFigure


def _cells(row: Row) -> Cells:
    named = zip((*HORIZONS, ALL), row, strict=True)
    return {name: value for name, value in named if not math.isnan(value)}


PUBLISHED: Final = published(__package__, Published)
MARGINS: Final = PUBLISHED.margins
UNIFORM: Final[Costs] = (1, 1, 1, 1)
CHOSEN: Final = PUBLISHED.benchmark.costs
"""The schedule of costs of the benchmark."""
LENGTHS: Final = PUBLISHED.lengths.tasks
TABLE1: Final = {row.costs: _cells(row.percent) for row in PUBLISHED.table1.rows}
BUDGETS: Final = tuple(PUBLISHED.table2.rows)
METRICS: Final = ("success", "optimality", "efficiency")
SEARCHES: Final = {
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
