"""Tables and charts of Table 1: by schedule, by horizon, by reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from pddl_pipeline.scoring.intervals import wilson
from pddl_pipeline.scoring.rank_correlation import kendall, spearman
from pddl_pipeline.studies.cats.published import (
    CHOSEN,
    HORIZONS,
    LENGTHS,
    TABLE1,
    TOTAL,
    costs_text,
    horizon,
)
from pddl_pipeline.studies.cats.shift_sample import Sample
from pddl_pipeline.studies.cats.shifts import HIGHEST, LOWEST, ShiftRow
from pddl_pipeline.studies.cats.tie_rules import PROCESSES
from pddl_pipeline.studies.study_result import Chart, NamedTable, Point, Series
from pddl_pipeline.tables.text_table import TextTable, rounded

_SCHEDULE: Final = "costs (pu,un,pd,st)"


def percent(share: float | None) -> str:
    """Return a share in percent, to one decimal."""
    return rounded(None if share is None else 100 * share, 1)


def paper_totals() -> list[int]:
    """Return the totals of Table 1, its last column, in percent."""
    return [row.total for row in TABLE1.values()]


def totals(sample: Sample, reading: str) -> list[float]:
    """Return the reproduced totals under a reading, in percent."""
    return [100 * (row.rate(reading) or 0.0) for row in sample.rows.values()]


def total_table(sample: Sample) -> NamedTable:
    """Return the rates over all tasks under every reading."""
    readings = list(next(iter(sample.rows.values())).readings)
    rows = []
    for costs, row in sample.rows.items():
        found = sample.processes[costs]
        rows.append((
            costs_text(costs), str(TABLE1[costs].total),
            *(percent(row.rate(reading)) for reading in readings),
            percent(min(found)), percent(max(found)), str(sum(row.same)),
        ))  # fmt: skip
    headings = (
        _SCHEDULE, "paper (%)", *(f"{reading} (%)" for reading in readings),
        "least of a process (%)", "most of a process (%)", "tasks with the same set as uniform",
    )  # fmt: skip
    return NamedTable(
        f"Solution shift rate, n={sample.tasks} tasks", TextTable(headings, tuple(rows), names=1)
    )


def horizon_table(sample: Sample) -> NamedTable:
    """Return the cells of Table 1, each with the lowest and highest rate that ties allow."""
    rows = []
    for costs, row in sample.rows.items():
        for name in HORIZONS:
            number = sum(horizon(steps) == name for steps in row.steps)
            low, high = (row.rate(reading, row.steps, name) for reading in (LOWEST, HIGHEST))
            reach = reach_of(low, high, number)
            paper = getattr(TABLE1[costs], name)
            rows.append((
                costs_text(costs), name, str(number), str(paper), percent(low), percent(high),
                percent(row.rate(PROCESSES, row.steps, name)), percent(reach[0]), percent(reach[1]),
            ))  # fmt: skip
    headings = (
        _SCHEDULE, "horizon", "tasks", "paper (%)", "lowest possible (%)", "highest possible (%)",
        f"{PROCESSES} (%)", "lowest, 95 % (%)", "highest, 95 % (%)",
    )  # fmt: skip
    caption = "By horizon: steps of the cheapest plan under the row's own costs"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))


def reach_of(low: float | None, high: float | None, number: int) -> tuple[float, float]:
    """Return the range of the rates of other samples of `number` tasks, by Wilson's intervals."""
    if low is None or high is None:
        return 0.0, 1.0
    ends = [wilson(round(share * number), number) for share in (low, high)]
    return ends[0].low, ends[1].high


def reading_table(sample: Sample) -> NamedTable:
    """Return the differences between the totals of each reading and the paper's."""
    paper, rows = paper_totals(), []
    for reading in next(iter(sample.rows.values())).readings:
        ours = totals(sample, reading)
        best = max(ours)
        rows.append((
            reading,
            ", ".join(costs_text(c) for c, v in zip(TABLE1, ours, strict=True) if v == best),
            rounded(spearman(paper, ours)), rounded(kendall(paper, ours)),
            rounded(fmean(abs(a - b) for a, b in zip(paper, ours, strict=True)), 1),
        ))  # fmt: skip
    headings = (
        "reading", "highest", "Spearman's rho", "Kendall's tau-b", "mean difference (points)"
    )  # fmt: skip
    return NamedTable(
        "Readings beside the paper's totals", TextTable(headings, tuple(rows), names=2)
    )


def implied(sample: Sample) -> dict[str, list[float]]:
    """Return the totals that follow from the paper's cells, for each way to assign horizons."""
    rows = sample.rows.values()
    of_chosen = sample.rows[CHOSEN].steps
    published = [steps for steps, number in LENGTHS.items() for _ in range(number)]
    return {
        "the row's own cheapest plan": [_weighted(row, row.steps) for row in rows],
        "the shortest plan": [_weighted(row, row.uniform_steps) for row in rows],
        f"the cheapest plan under {costs_text(CHOSEN)}": [_weighted(r, of_chosen) for r in rows],
        "Appendix A's counts": [_weighted(row, published) for row in rows],
    }


def _weighted(row: ShiftRow, steps: Sequence[int]) -> float:
    paper = TABLE1[row.costs]
    return fmean(float(getattr(paper, horizon(number))) for number in steps)


def implied_table(found: Mapping[str, Sequence[float]]) -> NamedTable:
    """Return the table of the implied totals beside the paper's."""
    columns = [paper_totals(), *found.values()]
    rows = [
        (costs_text(costs), str(values[0]), *(rounded(value, 1) for value in values[1:]))
        for costs, values in zip(TABLE1, zip(*columns, strict=True), strict=True)
    ]
    headings = (_SCHEDULE, "paper's total (%)", *(f"by {name} (%)" for name in found))
    caption = "The paper's totals, made anew of its cells: by what were tasks sorted?"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=1))


def charts(sample: Sample) -> tuple[Chart, ...]:
    """Return the charts of the totals with both intervals and of the cells of each horizon."""
    reached = {
        costs: Point(costs_text(costs), 100 * fmean(rates), 100 * min(rates), 100 * max(rates))
        for costs, rates in sample.processes.items()
    }
    number = len(next(iter(sample.processes.values())))
    spread = Chart(
        f"Ties alone: search in {number} processes, mean, least and most",
        f"costs of pick-up, unstack, put-down, stack; n={sample.tasks} tasks",
        "shifted (%)",
        (_of_paper(TOTAL), Series(PROCESSES, tuple(reached.values()))),
        bottom=0, top=100,
    )  # fmt: skip
    return (spread, *(_chart(sample, name) for name in (TOTAL, *HORIZONS)))


def _of_paper(name: str) -> Series:
    points = (Point(costs_text(costs), getattr(row, name)) for costs, row in TABLE1.items())
    return Series("paper, Table 1", tuple(points), from_paper=True)


def _chart(sample: Sample, name: str) -> Chart:
    points, numbers = [], []
    for costs, row in sample.rows.items():
        steps = () if name == TOTAL else row.steps
        numbers.append(sum(horizon(n) == name for n in steps) if steps else sample.tasks)
        found = [row.rate(reading, steps, name) for reading in (PROCESSES, LOWEST, HIGHEST)]
        mean, low, high = (100 * (share or 0.0) for share in found)
        points.append(Point(costs_text(costs), mean, low, high))
    some = f"{min(numbers)} to {max(numbers)}" if len(set(numbers)) > 1 else str(numbers[0])
    return Chart(
        f"Shift rate, {name}: interval of all that ties between cheapest plans leave",
        f"costs of pick-up, unstack, put-down, stack; n={some} tasks",
        "shifted (%)",
        (_of_paper(name), Series(f"{PROCESSES}; lowest to highest possible", tuple(points))),
        bottom=0, top=100,
    )  # fmt: skip
