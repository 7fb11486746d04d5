"""Tables and charts of the lengths of cheapest plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.chi_square import compare_counts
from pddl_pipeline.studies.cats.published import HORIZONS, LENGTHS, horizon
from pddl_pipeline.studies.study_result import Chart, Point, Series
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

MARGIN: Final = 42
"""The margin of the loose budget: two rounds of picking up or unstacking, then putting down,
2 (1 + 20).
"""
Lengths = Mapping[int, int]
"""The number of tasks by the length of the cheapest plan."""


def mean_length(counts: Lengths) -> float:
    """Return the mean number of steps."""
    return sum(steps * number for steps, number in counts.items()) / sum(counts.values())


def pooled(samples: Sequence[Lengths]) -> Counter[int]:
    """Return the sum of all samples."""
    total = Counter[int]()
    for each in samples:
        total.update(each)
    return total


def length_table(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> TextTable:
    """Return the table of the number of tasks of each length."""
    rows = []
    for steps in sorted({*LENGTHS, *pooled(samples), *others["shortest plans"]}):
        ours = [each.get(steps, 0) for each in samples]
        rows.append((
            str(steps), horizon(steps), str(LENGTHS.get(steps, 0)), str(ours[0]),
            rounded(fmean(ours), 1), str(min(ours)), str(max(ours)),
            *(str(each.get(steps, 0)) for each in others.values()),
        ))  # fmt: skip
    headings = (
        "steps", "horizon", "paper", "seed 0", "mean of samples", "least", "most",
        *(f"seed 0, {name}" for name in others),
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


def chi_square_table(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> TextTable:
    """Return the table of tests of each sample against the paper's lengths."""
    named: dict[str, Lengths] = {f"seed {seed}": each for seed, each in enumerate(samples)}
    rows = []
    for name, counts in {"all samples": pooled(samples), **named, **others}.items():
        test = compare_counts(LENGTHS, counts)
        cells = [NO_NUMBER] * 3
        if test is not None:
            cells = [rounded(test.statistic, 1), str(test.degrees), rounded(test.p, 4)]
        rows.append((name, rounded(mean_length(counts)), str(max(counts)), *cells))
    headings = ("tasks", "mean steps", "longest", "chi-square", "degrees of freedom", "p")
    return TextTable(headings, tuple(rows), names=1)


def budget_table(tight: Sequence[Instance[Any]]) -> TextTable:
    """Return the table of tight budgets (the least costs) and loose budgets, by horizon."""
    rows = []
    for name in HORIZONS:
        costs = [
            each.extras["optimal_cost"]
            for each in tight
            if horizon(len(each.extras["witness"])) == name
        ]
        cells = [NO_NUMBER] * 5
        if costs:
            mean = fmean(costs)
            cells = [str(min(costs)), rounded(mean, 1), str(max(costs)),
                     rounded(mean + MARGIN, 1), rounded(MARGIN / mean, 2)]  # fmt: skip
        rows.append((name, str(len(costs)), *cells))
    headings = (
        "horizon", "tasks", "least cost: least", "mean (= tight budget)", "most",
        "mean loose budget", "margin / mean cost",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=1)


def length_chart(samples: Sequence[Lengths], others: Mapping[str, Lengths], number: int) -> Chart:
    """Return the bar chart of the lengths of samples of `number` tasks."""
    lengths = sorted({*LENGTHS, *pooled(samples)})
    ours = [[each.get(steps, 0) for each in samples] for steps in lengths]
    shortest = others["shortest plans"]
    return Chart(
        "Budget-BlocksWorld: steps of the cheapest plans",
        f"plan length (steps), n={number} tasks a sample, {len(samples)} samples",
        "tasks",
        (
            Series(
                "paper, Appendix A",
                tuple(Point(str(n), LENGTHS.get(n, 0)) for n in lengths),
                from_paper=True,
            ),
            Series(
                "cheapest plans: mean, least and most of the samples",
                tuple(
                    Point(str(n), fmean(counts), min(counts), max(counts))
                    for n, counts in zip(lengths, ours, strict=True)
                ),
            ),
            Series(
                "shortest plans, seed 0",
                tuple(Point(str(n), shortest.get(n, 0)) for n in lengths),
            ),
        ),
        bottom=0,
    )
