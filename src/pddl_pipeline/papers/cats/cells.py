"""Cells of tables: averages over samples and horizons, and one comparison of many cells."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

from pddl_pipeline.papers.cats.published import LENGTHS, Cells
from pddl_pipeline.papers.cats.tasks import count_by_horizon
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import AllOf, Evidence
from pddl_pipeline.statistics.difference import LEVEL

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
