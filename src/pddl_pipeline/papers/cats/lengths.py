"""Tables and charts of the lengths of cheapest plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.cells import mean_and_range
from pddl_pipeline.papers.cats.published import LENGTHS, PUBLISHED
from pddl_pipeline.papers.cats.tasks import horizon_of
from pddl_pipeline.papers.study_result import Chart, NamedTable, Point, Series
from pddl_pipeline.statistics.significance import same_distribution
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, horizon

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


def length_table(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> NamedTable:
    """Return the table of the number of tasks of each length."""
    rows = []
    for steps in sorted({*LENGTHS, *pooled(samples), *others["shortest plans"]}):
        ours = [each.get(steps, 0) for each in samples]
        rows.append((
            str(steps), horizon(steps), str(LENGTHS.get(steps, 0)), str(ours[0]),
            rounded(sum(ours) / len(ours), 1), str(min(ours)), str(max(ours)),
            *(str(each.get(steps, 0)) for each in others.values()),
        ))  # fmt: skip
    headings = (
        "steps", "horizon", "paper", "seed 0", "mean of samples", "least", "most",
        *(f"seed 0, {name}" for name in others),
    )  # fmt: skip
    caption = "Tasks by steps of the cheapest plan"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))


def chi_square_table(samples: Sequence[Lengths], others: Mapping[str, Lengths]) -> NamedTable:
    """Return the table of tests of each sample against the paper's lengths."""
    named: dict[str, Lengths] = {f"seed {seed}": each for seed, each in enumerate(samples)}
    rows = []
    for name, counts in {"all samples": pooled(samples), **named, **others}.items():
        test = same_distribution(LENGTHS, counts)
        cells = [NO_NUMBER] * 3
        if test is not None:
            cells = [rounded(test.statistic, 1), str(test.degrees), rounded(test.p, 4)]
        rows.append((name, rounded(mean_length(counts)), str(max(counts)), *cells))
    headings = ("tasks", "mean steps", "longest", "chi-square", "degrees of freedom", "p")
    caption = "Chi-square tests against Appendix A"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=1))


def budget_table(tight: Sequence[Instance[Any]]) -> NamedTable:
    """Return the table of tight budgets (the least costs) and loose budgets, by horizon."""
    margin = PUBLISHED.benchmark.loose_margin
    rows = []
    for name in HORIZONS:
        costs = [each.extras["optimal_cost"] for each in tight if horizon_of(each) == name]
        cells = [NO_NUMBER] * 5
        if costs:
            mean = sum(costs) / len(costs)
            cells = [str(min(costs)), rounded(mean, 1), str(max(costs)),
                     rounded(mean + margin, 1), rounded(margin / mean)]  # fmt: skip
        rows.append((name, str(len(costs)), *cells))
    headings = (
        "horizon", "tasks", "least cost: least", "mean (= tight budget)", "most",
        "mean loose budget", "margin / mean cost",
    )  # fmt: skip
    caption = "Least cost and budgets by horizon"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=1))


def length_chart(samples: Sequence[Lengths], others: Mapping[str, Lengths], number: int) -> Chart:
    """Return the bar chart of the lengths of samples of `number` tasks."""
    lengths = sorted({*LENGTHS, *pooled(samples)})
    spread = {n: mean_and_range([each.get(n, 0) for each in samples]) for n in lengths}
    ours = tuple(Point(str(n), q.value or 0.0, q.low, q.high) for n, q in spread.items())
    return Chart(
        "Budget-BlocksWorld: steps of the cheapest plans",
        f"plan length (steps), n={number} tasks a sample, {len(samples)} samples",
        "tasks",
        (
            Series("paper, Appendix A", _counts(lengths, LENGTHS), from_paper=True),
            Series("cheapest plans: mean, least and most of the samples", ours),
            Series("shortest plans, seed 0", _counts(lengths, others["shortest plans"])),
        ),
        bottom=0,
    )


def _counts(lengths: Sequence[int], counts: Lengths) -> tuple[Point, ...]:
    return tuple(Point(str(steps), counts.get(steps, 0)) for steps in lengths)
