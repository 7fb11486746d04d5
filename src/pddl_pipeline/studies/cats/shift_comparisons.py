"""Comparisons with the numbers and statements of Table 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from statistics import fmean, pstdev
from typing import Final

from pddl_pipeline.statistics.significance import spearman
from pddl_pipeline.studies.cats.cells import mean_and_range, of_cells
from pddl_pipeline.studies.cats.published import CHOSEN, TABLE1, Costs, costs_text
from pddl_pipeline.studies.cats.shift_tables import (
    PAPER_TOTALS,
    differences,
    implied,
    possible,
    ranking,
    totals,
)
from pddl_pipeline.studies.cats.shifts import HIGHEST, LOWEST, SEQUENCES, Sample
from pddl_pipeline.studies.cats.tie_rules import PROCESSES
from pddl_pipeline.studies.comparison import Comparison, Quantity, Rule
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS

DEAR_TABLE: Final = tuple(c for c in TABLE1 if c[0] + c[2] > c[1] + c[3])
"""Schedules under which picking up and putting down cost more than unstacking and stacking."""
OTHERS: Final = tuple(c for c in TABLE1 if c not in DEAR_TABLE)
BALANCED: Final = tuple(c for c in TABLE1 if c[0] + c[2] == c[1] + c[3])
_STATED: Final = (0, 1, 2, 3)
"""The order of the four costs in the heading of Table 1."""
_ROUNDING: Final = 1.5
"""A tolerance in percentage points: cells and totals are rounded, and the horizons have other
shares in the paper's tasks.
"""


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


def _of_totals(sample: Sample) -> Iterator[Comparison]:
    for costs, row in sample.items():
        yield Comparison(
            what=f"shift rate under {_name(costs)}, total",
            paper=(Quantity(PAPER_TOTALS[costs]),),
            ours=(possible(row),),
            rule=Rule.INSIDE,
            unit="%",
        )


def _of_level(sample: Sample) -> Comparison:
    return Comparison(
        what="mean of the totals",
        paper=(Quantity(fmean(PAPER_TOTALS.values())),),
        ours=(Quantity(fmean(totals(sample, PROCESSES).values()), f"{PROCESSES}:"),),
        rule=Rule.EQUAL,
        margin=_ROUNDING,
        unit="%",
        remark="most of the difference is not explained; counts of whole actions instead of their "
        "types differ less (see other counts)",
    )


def _of_cells(sample: Sample) -> Comparison:
    cells = [
        Comparison(
            what=(label := f"{_name(costs)} {name}"),
            paper=(Quantity(TABLE1[costs][name], label),),
            ours=(possible(row, name, label),),
            rule=Rule.INSIDE,
        )
        for costs, row in sample.items()
        for name in HORIZONS
    ]
    return of_cells(
        "shift rates by horizon, within the range of ties and sampling", cells, unit="%"
    )


def _of_groups(sample: Sample) -> Iterator[Comparison]:
    """Compare the lead of `DEAR_TABLE`: by the lowest possible rates, and by process."""
    labels = f"least of {', '.join(map(_name, DEAR_TABLE))}", "most of the other seven"
    yield Comparison(
        what="schedules under which the table is expensive shift most: lowest possible rates",
        paper=tuple(map(Quantity, _ends(PAPER_TOTALS), labels)),
        ours=tuple(map(Quantity, _ends(totals(sample, LOWEST)), labels)),
        rule=Rule.LARGEST,
        unit="%",
    )
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
        rule=Rule.NONE,
    )


def _ends(rates: Mapping[Costs, float]) -> tuple[float, float]:
    return min(rates[c] for c in DEAR_TABLE), max(rates[c] for c in OTHERS)


def _of_highest(sample: Sample) -> Comparison:
    lowest = totals(sample, LOWEST)
    rivals = [costs for costs in TABLE1 if costs != CHOSEN]
    second, ours_second = (
        max(rivals, key=lambda costs: rates[costs]) for rates in (PAPER_TOTALS, lowest)
    )
    return Comparison(
        what="the highest ratio of shifted plans: lowest possible rates",
        paper=tuple(Quantity(PAPER_TOTALS[costs], _name(costs)) for costs in (CHOSEN, second)),
        ours=tuple(
            Quantity(lowest[costs], _name(costs), lowest[costs], sample[costs].rate(HIGHEST))
            for costs in (CHOSEN, ours_second)
        ),
        rule=Rule.LARGEST,
        unit="%",
        remark="the paper's lead is due to its short tasks: "
        f"{TABLE1[CHOSEN]['short']} against {TABLE1[second]['short']} %",
    )


def _of_others(sample: Sample) -> Iterator[Comparison]:
    first, *_, last = sorted(OTHERS, key=lambda costs: -PAPER_TOTALS[costs])
    yield Comparison(
        what="the order of the other seven schedules, first to last: lowest possible rates",
        paper=tuple(Quantity(PAPER_TOTALS[costs], _name(costs)) for costs in (first, last)),
        ours=tuple(Quantity(sample[costs].rate(LOWEST), _name(costs)) for costs in (first, last)),
        rule=Rule.FALLS,
        unit="%",
        remark="there is no order to match: see the notes",
    )
    by_process = zip(*(sample[costs].processes for costs in OTHERS), strict=True)
    yield Comparison(
        what="standard deviation of the totals of these seven schedules, caused by ties alone",
        paper=(Quantity(pstdev(PAPER_TOTALS[costs] for costs in OTHERS)),),
        ours=(mean_and_range([pstdev(rates) for rates in by_process], f"{PROCESSES}:"),),
        rule=Rule.INSIDE,
        unit="points",
    )


def _of_ranks(sample: Sample) -> Comparison:
    return Comparison(
        what=f"ranking of the ten schedules by their totals, with '{SEQUENCES}'",
        rule=Rule.SIGNIFICANT,
        test=ranking(spearman, totals(sample, SEQUENCES)),
        remark="in two groups; within them it follows from ties",
    )


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
        rule=Rule.AT_MOST,
        unit="points",
    )


def _reordered(costs: Costs, order: Sequence[int]) -> Costs:
    first, second, third, fourth = (costs[order.index(place)] for place in range(4))
    return first, second, third, fourth


def _of_horizons(sample: Sample) -> Comparison:
    own, shortest, *_ = (
        Quantity(max(differences(ours)), f"by {name}:") for name, ours in implied(sample).items()
    )
    return Comparison(
        what="horizons: largest difference between the paper's totals and those from its cells",
        said="horizons by the minimum number of actions (section 3)",
        ours=(shortest, own),
        rule=Rule.AT_MOST,
        unit="points",
        remark="by the row's own cheapest plan, horizons differ between rows, as in our cells",
    )
