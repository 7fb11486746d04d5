"""Tables and charts of Table 1: by schedule, by horizon, by reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Final

from pddl_pipeline.papers.cats.cells import mean_and_range
from pddl_pipeline.papers.cats.published import ALL, CHOSEN, LENGTHS, TABLE1, Costs, costs_text
from pddl_pipeline.papers.cats.shifts import HIGHEST, LOWEST, Sample, ShiftRow
from pddl_pipeline.papers.cats.tie_rules import PROCESSES
from pddl_pipeline.papers.comparison import Quantity
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series
from pddl_pipeline.statistics.intervals import wilson
from pddl_pipeline.statistics.significance import Significance, kendall, spearman
from pddl_pipeline.tables.text_table import TextTable, rounded
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, horizon

PAPER_TOTALS: Final[Mapping[Costs, float]] = {costs: row[ALL] for costs, row in TABLE1.items()}
"""The last column of Table 1, in percent."""
_SCHEDULE: Final = "costs (pu,un,pd,st)"


def totals(sample: Sample, reading: str) -> dict[Costs, float]:
    """Return the reproduced totals under a reading, in percent."""
    return {costs: row.rate(reading) or 0.0 for costs, row in sample.items()}


def differences(ours: Mapping[Costs, float]) -> list[float]:
    """Return the absolute differences between totals and the paper's, in points."""
    return [abs(paper - ours[costs]) for costs, paper in PAPER_TOTALS.items()]


def ranking(
    test: Callable[[Sequence[float], Sequence[float]], Significance | None],
    ours: Mapping[Costs, float],
) -> Significance | None:
    """Return a test of the correlation between totals and the paper's."""
    return test([*PAPER_TOTALS.values()], [ours[costs] for costs in PAPER_TOTALS])


def possible(row: ShiftRow, name: str = ALL, label: str = "") -> Quantity:
    """Return the simulated rate of a horizon with the range that ties and sampling allow.

    The range is of other samples of the same size, by Wilson's intervals of the lowest and the
    highest possible rate, in percent.
    """
    number, low, high = row.number(name), 0.0, 1.0
    if number:
        ends = [wilson(round((row.rate(r, name) or 0.0) * number / 100), number)
                for r in (LOWEST, HIGHEST)]  # fmt: skip
        low, high = ends[0].low, ends[1].high
    return Quantity(row.rate(PROCESSES, name), label, 100 * low, 100 * high)


def total_table(sample: Sample) -> NamedTable:
    """Return the rates over all tasks under every reading."""
    rows = []
    for costs, row in sample.items():
        rates = [*map(row.rate, row.readings), min(row.processes), max(row.processes)]
        paper = str(PAPER_TOTALS[costs])
        rows.append((costs_text(costs), paper, *map(_percent, rates), str(sum(row.same))))
    headings = (
        _SCHEDULE, "paper (%)", *(f"{reading} (%)" for reading in sample[CHOSEN].readings),
        "least of a process (%)", "most of a process (%)", "tasks with the same set as uniform",
    )  # fmt: skip
    caption = f"Solution shift rate, n={sample[CHOSEN].number()} tasks"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=1))


def _percent(value: float | None) -> str:
    return rounded(value, 1)


def sample_table(samples: Sequence[Sample]) -> NamedTable:
    """Return the means, least and most rates over samples of tasks, each in other processes."""
    rows = []
    for costs in TABLE1:
        cells = []
        for reading in (LOWEST, PROCESSES, HIGHEST):
            rates = [each[costs].rate(reading) or 0.0 for each in samples]
            ends = f"{_percent(min(rates))} to {_percent(max(rates))}"
            cells += [_percent(fmean(rates)), ends]
        rows.append((costs_text(costs), str(PAPER_TOTALS[costs]), *cells))
    headings = (
        _SCHEDULE, "paper (%)",
        *(heading for reading in (LOWEST, PROCESSES, HIGHEST)
          for heading in (f"{reading}: mean (%)", "least to most (%)")),
    )  # fmt: skip
    number = len(samples)
    caption = f"{number} samples of {samples[0][CHOSEN].number()} tasks: totals, mean and range"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=1))


def horizon_table(sample: Sample) -> NamedTable:
    """Return the cells of Table 1, each with the lowest and highest rate that ties allow."""
    rows = []
    for costs, row in sample.items():
        for name in HORIZONS:
            found = possible(row, name)
            rates = (row.rate(LOWEST, name), row.rate(HIGHEST, name),
                     found.value, found.low, found.high)  # fmt: skip
            numbers = str(row.number(name)), str(TABLE1[costs][name])
            rows.append((costs_text(costs), name, *numbers, *map(_percent, rates)))
    headings = (
        _SCHEDULE, "horizon", "tasks", "paper (%)", "lowest possible (%)", "highest possible (%)",
        f"{PROCESSES} (%)", "lowest, 95 % (%)", "highest, 95 % (%)",
    )  # fmt: skip
    caption = "By horizon: steps of the cheapest plan under the row's own costs"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))


def reading_table(sample: Sample) -> NamedTable:
    """Return the differences between the totals of each reading and the paper's."""
    rows = []
    for reading in sample[CHOSEN].readings:
        ours = totals(sample, reading)
        best = [costs_text(costs) for costs, rate in ours.items() if rate == max(ours.values())]
        tests = ranking(spearman, ours), ranking(kendall, ours)
        correlations = (rounded(test.statistic if test else None) for test in tests)
        rows.append((reading, ", ".join(best), *correlations, _percent(fmean(differences(ours)))))
    headings = (
        "reading", "highest", "Spearman's rho", "Kendall's tau-b", "mean difference (points)"
    )  # fmt: skip
    caption = "Readings beside the paper's totals"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))


def implied(sample: Sample) -> dict[str, dict[Costs, float]]:
    """Return the totals that follow from the paper's cells, for each way to assign horizons."""
    steps: dict[str, Callable[[ShiftRow], Sequence[int]]] = {
        "the row's own cheapest plan": lambda row: row.steps,
        "the shortest plan": lambda row: row.uniform_steps,
        f"the cheapest plan under {costs_text(CHOSEN)}": lambda _: sample[CHOSEN].steps,
        "Appendix A's counts": lambda _: [*Counter(LENGTHS).elements()],
    }
    return {
        name: {
            costs: fmean(TABLE1[costs][horizon(number)] for number in steps_of(row))
            for costs, row in sample.items()
        }
        for name, steps_of in steps.items()
    }


def implied_table(found: Mapping[str, Mapping[Costs, float]]) -> NamedTable:
    """Return the table of the implied totals beside the paper's."""
    rows = [
        (costs_text(costs), str(paper), *(_percent(ours[costs]) for ours in found.values()))
        for costs, paper in PAPER_TOTALS.items()
    ]
    headings = (_SCHEDULE, "paper's total (%)", *(f"by {name} (%)" for name in found))
    caption = "The paper's totals, recomputed from its cells: how were the tasks sorted?"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=1))


def charts(sample: Sample) -> tuple[Chart, ...]:
    """Return the charts of the totals with both intervals and of the cells of each horizon."""
    number, tasks = len(sample[CHOSEN].processes), str(sample[CHOSEN].number())
    spread = _chart(
        f"Ties alone: search in {number} processes, mean, minimum and maximum", tasks, ALL,
        PROCESSES, {costs: mean_and_range(row.processes) for costs, row in sample.items()},
    )  # fmt: skip
    return (spread, *(_possible_chart(sample, name) for name in (ALL, *HORIZONS)))


def _possible_chart(sample: Sample, name: str) -> Chart:
    numbers = {row.number(name) for row in sample.values()}
    some = " to ".join(str(number) for number in sorted({min(numbers), max(numbers)}))
    found = {
        costs: Quantity(
            row.rate(PROCESSES, name), low=row.rate(LOWEST, name), high=row.rate(HIGHEST, name)
        )
        for costs, row in sample.items()
    }
    title = "total" if name == ALL else name
    return _chart(
        f"Shift rate, {title}: range that ties between cheapest plans allow", some, name,
        f"{PROCESSES}; lowest to highest possible", found,
    )  # fmt: skip


def _chart(
    title: str, tasks: str, name: str, reading: str, found: Mapping[Costs, Quantity]
) -> Chart:
    paper = tuple(Point(costs_text(costs), row[name]) for costs, row in TABLE1.items())
    ours = tuple(
        Point(costs_text(costs), each.value or 0.0, each.low or 0.0, each.high or 0.0)
        for costs, each in found.items()
    )
    return Chart(
        title,
        f"costs of pick-up, unstack, put-down, stack; n={tasks} tasks",
        "shifted (%)",
        (Series("paper, Table 1", paper, from_paper=True), Series(reading, ours)),
        bottom=0,
        top=100,
    )
