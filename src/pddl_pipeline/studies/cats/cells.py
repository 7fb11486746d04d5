"""Cells of tables: averages over samples and horizons, and one comparison of many cells."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from pddl_pipeline.studies.cats.published import LENGTHS, Cells
from pddl_pipeline.studies.cats.tasks import count_by_horizon
from pddl_pipeline.studies.comparison import Comparison, Quantity, Rule

_TASKS: Final = count_by_horizon(LENGTHS)


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
        for name, tasks in _TASKS.items()
        if name in cells
    }
    total = sum(weights.values())
    return sum(weight * cells[name] for name, weight in weights.items()) / total if total else None


def of_cells(what: str, cells: Sequence[Comparison], said: str = "", unit: str = "") -> Comparison:
    """Return one comparison of many cells: the number that match, and the cells that differ."""
    differing = [cell for cell in cells if cell.result == "differs"]
    matching = Quantity(len(cells) - len(differing), "matching cells", of=len(cells))
    return Comparison(
        what=what,
        said=said,
        paper=tuple(quantity for cell in differing for quantity in cell.paper),
        ours=(matching, *(quantity for cell in differing for quantity in cell.ours)),
        rule=Rule.ALL,
        unit=unit,
    )
