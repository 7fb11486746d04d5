"""Comparisons with the numbers and statements of Table 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from statistics import fmean, pstdev
from typing import Final

from pddl_pipeline.papers.cats.cells import Cell, mean_and_range, of_cells
from pddl_pipeline.papers.cats.published import (
    ALL,
    CHOSEN,
    MARGINS,
    PUBLISHED,
    TABLE1,
    Costs,
    costs_text,
)
from pddl_pipeline.papers.cats.shift_tables import (
    PAPER_TOTALS,
    differences,
    implied,
    possible,
    ranking,
    totals,
)
from pddl_pipeline.papers.cats.shifts import HIGHEST, LOWEST, SEQUENCES, Sample, ShiftRow
from pddl_pipeline.papers.cats.tie_rules import PROCESSES
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import AllOf, Evidence, Fact, Region, ordered, same
from pddl_pipeline.statistics.mean_difference import (
    difference_from_published_mean,
    mean_of_differences,
)
from pddl_pipeline.statistics.share_differences import ShareDifference
from pddl_pipeline.statistics.significance import spearman
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS

DEAR_TABLE: Final = tuple(c for c in TABLE1 if c[0] + c[2] > c[1] + c[3])
"""Schedules under which picking up and putting down cost more than unstacking and stacking."""
OTHERS: Final = tuple(c for c in TABLE1 if c not in DEAR_TABLE)
BALANCED: Final = tuple(c for c in TABLE1 if c[0] + c[2] == c[1] + c[3])
_STATED: Final = (0, 1, 2, 3)
"""The order of the four costs in the heading of Table 1."""


def comparisons(sample: Sample) -> tuple[Comparison, ...]:
    """Return the comparisons with all of Table 1."""
    return (
        *_of_totals(sample),
        _of_level(sample),
        _of_cells(sample),
        *_of_groups(sample),
        _of_highest(sample),
        *_of_others(sample),
        _of_ranks(sample),
        _of_columns(sample),
        _of_horizons(sample),
    )


def _name(costs: Costs) -> str:
    return f"[{costs_text(costs)}]"


def _region(row: ShiftRow, name: str) -> Region | None:
    """Return the paper's cell beside the range that ties allow; None without tasks.

    The paper's number of tasks of a horizon under this row is not known, and ours stands for it.
    """
    number = row.number(name)
    if not number:
        return None
    paper = round(TABLE1[row.costs][name] / 100 * number)
    lowest, highest = (
        ShareDifference(paper, number, round((row.rate(x, name) or 0.0) / 100 * number), number)
        for x in (LOWEST, HIGHEST)
    )
    return Region(lowest, highest, MARGINS.share)


def _of_totals(sample: Sample) -> Iterator[Comparison]:
    for costs, row in sample.items():
        yield Comparison(
            what=f"shift rate under {_name(costs)}, total",
            paper=(Quantity(PAPER_TOTALS[costs]),),
            ours=(possible(row),),
            decision=decide(_region(row, ALL)),
            unit="%",
            remark="in brackets: what the choice between cheapest plans allows, with sampling",
        )


def _of_level(sample: Sample) -> Comparison:
    rates = [row.readings[PROCESSES] for row in sample.values()]
    means = [fmean(of_task) for of_task in zip(*rates, strict=True)]
    level = fmean(PAPER_TOTALS.values())
    found = difference_from_published_mean(means, level / 100, PUBLISHED.benchmark.tasks)
    return Comparison(
        what="mean of the totals",
        paper=(Quantity(level),),
        ours=(Quantity(fmean(totals(sample, PROCESSES).values()), f"{PROCESSES}:"),),
        decision=decide(same(found, MARGINS.share)),
        unit="%",
        remark="under one reading of ties; counts of whole actions instead of their types differ "
        "less (see other counts)",
    )


def _of_cells(sample: Sample) -> Comparison:
    cells = [
        Cell(
            Quantity(TABLE1[costs][name], label := f"{_name(costs)} {name}"),
            possible(row, name, label),
            _region(row, name),
        )
        for costs, row in sample.items()
        for name in HORIZONS
    ]
    return of_cells("shift rates by horizon, beside the range that ties allow", cells, unit="%")


def _of_groups(sample: Sample) -> Iterator[Comparison]:
    """Compare the lead of `DEAR_TABLE`, on average over processes and in each of them."""
    labels = f"least of {', '.join(map(_name, DEAR_TABLE))}", "most of the other seven"
    yield Comparison(
        what="schedules under which the table is expensive shift most",
        paper=tuple(map(Quantity, _ends(PAPER_TOTALS), labels)),
        ours=tuple(map(Quantity, _ends(totals(sample, PROCESSES)), labels)),
        decision=decide(AllOf(tuple(
            _above(sample, first, second) for first in DEAR_TABLE for second in OTHERS
        ))),
        unit="%",
        remark="under one reading of ties, on the same tasks; only under these three a task must "
        "shift",
    )  # fmt: skip
    processes = [
        {costs: row.processes[n] for costs, row in sample.items()}
        for n in range(len(sample[CHOSEN].processes))
    ]
    lead = sum(least > most for least, most in map(_ends, processes))
    first = sum(rates[CHOSEN] == max(rates.values()) for rates in processes)
    yield Comparison(
        what="simulated processes in which these schedules lead",
        ours=(
            Quantity(lead, "the three lead in", of=len(processes)),
            Quantity(first, f"{_name(CHOSEN)} is first in", of=len(processes)),
        ),
    )


def _above(sample: Sample, first: Costs, second: Costs) -> Evidence:
    """Return the evidence on whether more tasks shift under the first schedule."""
    pairs = zip(sample[first].readings[PROCESSES], sample[second].readings[PROCESSES], strict=True)
    found = mean_of_differences([one - other for one, other in pairs])
    return ordered(found, 1, MARGINS.share)


def _ends(rates: Mapping[Costs, float]) -> tuple[float, float]:
    return min(rates[c] for c in DEAR_TABLE), max(rates[c] for c in OTHERS)


def _of_highest(sample: Sample) -> Comparison:
    ours = totals(sample, PROCESSES)
    rivals = [costs for costs in TABLE1 if costs != CHOSEN]
    second, our_second = (
        max(rivals, key=lambda costs: rates[costs]) for rates in (PAPER_TOTALS, ours)
    )
    return Comparison(
        what="the highest ratio of shifted plans",
        paper=tuple(Quantity(PAPER_TOTALS[costs], _name(costs)) for costs in (CHOSEN, second)),
        ours=tuple(Quantity(ours[costs], _name(costs)) for costs in (CHOSEN, our_second)),
        decision=decide(AllOf(tuple(_above(sample, CHOSEN, costs) for costs in rivals))),
        unit="%",
        remark="under one reading of ties; the paper's lead is due to its short tasks: "
        f"{TABLE1[CHOSEN]['short']} against {TABLE1[second]['short']} %",
    )


def _of_others(sample: Sample) -> Iterator[Comparison]:
    first, *_, last = sorted(OTHERS, key=lambda costs: -PAPER_TOTALS[costs])
    regions = [region for costs in OTHERS if (region := _region(sample[costs], ALL)) is not None]
    yield Comparison(
        what="the order of the other seven schedules, first to last: lowest possible rates",
        paper=tuple(Quantity(PAPER_TOTALS[costs], _name(costs)) for costs in (first, last)),
        ours=tuple(Quantity(sample[costs].rate(LOWEST), _name(costs)) for costs in (first, last)),
        decision=decide(AllOf(tuple(regions))),
        unit="%",
        remark="each of them may be any share from none: see the notes",
    )
    by_process = zip(*(sample[costs].processes for costs in OTHERS), strict=True)
    yield Comparison(
        what="standard deviation of the totals of these seven schedules, caused by ties alone",
        paper=(Quantity(pstdev(PAPER_TOTALS[costs] for costs in OTHERS)),),
        ours=(mean_and_range([pstdev(rates) for rates in by_process], f"{PROCESSES}:"),),
        unit="points",
        remark="one number of the paper",
    )


def _of_ranks(sample: Sample) -> Comparison:
    test = ranking(spearman, totals(sample, SEQUENCES))
    return Comparison(
        what=f"ranking of the ten schedules by their totals, with '{SEQUENCES}'",
        ours=(Quantity(test.statistic if test else None, "Spearman's rho"),
              Quantity(test.p if test else None, "p")),
        remark="in two groups; within them it follows from ties",
    )  # fmt: skip


def _of_columns(sample: Sample) -> Comparison:
    """Compare the orders of the four costs, in case the paper's heading names the wrong one."""
    rates = totals(sample, SEQUENCES)
    # Orders that exchange equal costs have equal differences, except for the rounding of sums.
    found = {
        order: round(fmean(differences({c: rates[_reordered(c, order)] for c in TABLE1})), 9)
        for order in permutations(_STATED)
    }
    best = min(found, key=lambda order: found[order])
    names = ("pu", "un", "pd", "st")
    return Comparison(
        what=f"the four costs stand for (pu, un, pd, st): mean difference with '{SEQUENCES}'",
        said="heading of Table 1",
        ours=(
            Quantity(found[_STATED], "as stated"),
            Quantity(found[best], f"best of all 24 orders ({', '.join(names[n] for n in best)})"),
            Quantity(max(found.values()), "worst"),
        ),
        decision=decide(Fact(found[_STATED] <= found[best], len(found))),
        unit="points",
    )


def _reordered(costs: Costs, order: Sequence[int]) -> Costs:
    first, second, third, fourth = (costs[order.index(place)] for place in range(4))
    return first, second, third, fourth


def _of_horizons(sample: Sample) -> Comparison:
    own, shortest, *_ = (max(differences(ours)) for ours in implied(sample).values())
    own_name, shortest_name, *_ = implied(sample)
    return Comparison(
        what="horizons: largest difference between the paper's totals and those from its cells",
        said="horizons by the minimum number of actions (section 3)",
        ours=(Quantity(shortest, f"by {shortest_name}:"), Quantity(own, f"by {own_name}:")),
        decision=decide(Fact(shortest <= own, sample[CHOSEN].number())),
        unit="points",
        remark="by the row's own cheapest plan, horizons differ between rows, as in our cells",
    )
