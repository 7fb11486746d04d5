"""Comparisons with the numbers and statements of Table 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from statistics import fmean, pstdev
from typing import Final

from pddl_pipeline.scoring.rank_correlation import kendall, spearman
from pddl_pipeline.studies.cats.published import (
    CHOSEN,
    HORIZONS,
    TABLE1,
    Costs,
    costs_text,
    horizon,
)
from pddl_pipeline.studies.cats.shift_sample import Sample
from pddl_pipeline.studies.cats.shift_tables import (
    implied,
    paper_totals,
    percent,
    reach_of,
    totals,
)
from pddl_pipeline.studies.cats.shifts import HIGHEST, LOWEST, SEQUENCES
from pddl_pipeline.studies.cats.tie_rules import PROCESSES
from pddl_pipeline.studies.study_result import Comparison

DEAR_TABLE: Final = tuple(c for c in TABLE1 if c[0] + c[2] > c[1] + c[3])
"""Schedules under which picking up and putting down cost more than unstacking and stacking."""
OTHERS: Final = tuple(c for c in TABLE1 if c not in DEAR_TABLE)
BALANCED: Final = tuple(c for c in TABLE1 if c[0] + c[2] == c[1] + c[3])
_SECOND: Final = (20, 1, 20, 1)
_ROUNDING: Final = 1.5
"""A tolerance in percentage points: cells and totals are rounded, and the horizons have other
shares in the paper's tasks.
"""

_SIGNIFICANT: Final = 0.648
"""The critical value of Spearman's rho for ten pairs at the 5 % level, two-sided."""


def comparisons(sample: Sample) -> tuple[Comparison, ...]:
    """Return the comparisons with all of Table 1."""
    return (
        *_of_totals(sample),
        _of_level(sample),
        _of_cells(sample),
        _of_groups(sample),
        _of_highest(sample),
        _of_others(sample),
        _of_ranks(sample),
        _of_columns(sample),
        _of_horizons(sample),
    )


def _of_totals(sample: Sample) -> Iterator[Comparison]:
    for costs, row in sample.rows.items():
        low, high = (row.rate(reading) or 0.0 for reading in (LOWEST, HIGHEST))
        reach = reach_of(low, high, sample.tasks)
        total, found = TABLE1[costs].total, sample.processes[costs]
        yield Comparison(
            f"shift rate under [{costs_text(costs)}], total",
            f"{total} %",
            f"{percent(low)} to {percent(high)} %, by which optimal plans are compared "
            f"(with sampling, {percent(reach[0])} to {percent(reach[1])} %)",
            "matched" if reach[0] <= total / 100 <= reach[1] else "differs",
            f"{PROCESSES}: mean {percent(fmean(found))} %, {percent(min(found))} to "
            f"{percent(max(found))} %",
        )


def _of_level(sample: Sample) -> Comparison:
    ours = totals(sample, PROCESSES)
    by_horizon = []
    for name in HORIZONS:
        off = [
            getattr(TABLE1[costs], name) - 100 * share
            for costs, row in sample.rows.items()
            if (share := row.rate(PROCESSES, row.steps, name)) is not None
        ]
        by_horizon.append(f"{name} {fmean(off):+.1f}" if off else f"{name} -")
    above = sum(TABLE1[c].total > 100 * max(sample.processes[c]) for c in TABLE1)
    mean = fmean(paper_totals()) - fmean(ours)
    return Comparison(
        "level of the totals",
        f"{fmean(paper_totals()):.1f} % on average",
        f"{PROCESSES}: {fmean(ours):.1f} % on average",
        "matched" if abs(mean) <= _ROUNDING else "differs",
        f"points that the paper has more, by horizon: {', '.join(by_horizon)}; {above} of "
        f"{len(TABLE1)} totals are above those of every process. Most of it is not explained; "
        "counts of whole actions instead of their types come nearer (see other counts)",
    )


def _of_cells(sample: Sample) -> Comparison:
    outside, cells, inside = [], 0, 0
    for costs, row in sample.rows.items():
        for name in HORIZONS:
            number = sum(horizon(steps) == name for steps in row.steps)
            low, high = (row.rate(reading, row.steps, name) for reading in (LOWEST, HIGHEST))
            reach, paper = reach_of(low, high, number), getattr(TABLE1[costs], name)
            cells += 1
            inside += reach[0] <= paper / 100 <= reach[1]
            if not reach[0] <= paper / 100 <= reach[1]:
                outside.append(
                    f"[{costs_text(costs)}] {name} {paper} % against at most {percent(high)} % of "
                    f"{number} tasks (95 %: {percent(reach[1])} %)"
                )
    if outside:
        outside.append(
            "no choice between cheapest plans gives so many: in the other tasks all cheapest plans "
            "under both costs have one and the same sequence"
        )
    return Comparison(
        "shift rates by horizon, between the lowest and the highest possible",
        f"{cells} cells",
        f"{inside} inside, with sampling",
        "differs" if outside else "matched",
        "; ".join(outside),
    )


def _of_groups(sample: Sample) -> Comparison:
    number = len(sample.processes[CHOSEN])
    first = sum(
        min(sample.processes[c][n] for c in DEAR_TABLE)
        > max(sample.processes[c][n] for c in OTHERS)
        for n in range(number)
    )
    lowest = {c: sample.rows[c].rate(LOWEST) or 0.0 for c in TABLE1}
    matched = min(lowest[c] for c in DEAR_TABLE) > max(lowest[c] for c in OTHERS)
    return Comparison(
        "schedules under which the table is dear shift most",
        "first three: " + ", ".join(f"{costs_text(c)} ({TABLE1[c].total} %)" for c in DEAR_TABLE),
        "shifted whatever is compared: "
        + ", ".join(f"{costs_text(c)} {percent(lowest[c])} %" for c in DEAR_TABLE)
        + f"; of the other seven at most {percent(max(lowest[c] for c in OTHERS))} %",
        "matched" if matched else "differs",
        f"first three in {first} of {number} processes as well",
    )


def _of_highest(sample: Sample) -> Comparison:
    readings = next(iter(sample.rows.values())).readings
    ours = {reading: totals(sample, reading) for reading in readings}
    order = list(TABLE1)
    highest = [r for r, found in ours.items() if found[order.index(CHOSEN)] == max(found)]
    runner = max(TABLE1, key=lambda c: sample.rows[c].rate(LOWEST) or 0.0)
    number = len(sample.processes[CHOSEN])
    first = sum(
        sample.processes[CHOSEN][n] >= max(sample.processes[c][n] for c in TABLE1)
        for n in range(number)
    )
    rates = {c: [sample.rows[c].rate(r) for r in (LOWEST, HIGHEST)] for c in (CHOSEN, runner)}
    capped = {c: _capped(sample, c) for c in (CHOSEN, runner)}
    return Comparison(
        "the highest ratio of shifted plans",
        f"[{costs_text(CHOSEN)}] {TABLE1[CHOSEN].total} %, then "
        f"[{costs_text(_SECOND)}] {TABLE1[_SECOND].total} %",
        "; ".join(
            f"[{costs_text(c)}] {percent(low)} to {percent(high)} %"
            for c, (low, high) in rates.items()
        )
        + f"; [{costs_text(CHOSEN)}] is first in {len(highest)} of {len(ours)} readings and in "
        f"{first} of {number} processes",
        "matched" if runner == CHOSEN else "differs",
        f"the paper's lead comes of short tasks ({TABLE1[CHOSEN].short} against "
        f"{TABLE1[_SECOND].short} %); with what is possible there, its other cells give "
        + " and ".join(f"{value:.1f} % for [{costs_text(c)}]" for c, value in capped.items()),
    )


def _capped(sample: Sample, costs: Costs) -> float:
    """Return the total, in percent, of the paper's cells, each capped at the highest rate."""
    row = sample.rows[costs]
    names = [horizon(steps) for steps in row.steps]
    cells = {
        name: min(getattr(TABLE1[costs], name), 100 * (row.rate(HIGHEST, row.steps, name) or 0.0))
        for name in HORIZONS
    }
    return fmean(cells[name] for name in names)


def _of_others(sample: Sample) -> Comparison:
    rates = [sample.processes[c] for c in OTHERS]
    spreads = [pstdev(of_process) for of_process in zip(*rates, strict=True)]
    paper = [TABLE1[c].total for c in OTHERS]
    same = [sum(sample.rows[c].same) for c in BALANCED]
    return Comparison(
        "the order of the other seven schedules",
        f"{max(paper)} to {min(paper)} %, standard deviation {pstdev(paper):.1f} points",
        "0 % must shift under any of them, and the highest possible is the same; between processes "
        f"their standard deviation is {100 * min(spreads):.1f} to {100 * max(spreads):.1f} points, "
        f"mean {100 * fmean(spreads):.1f}",
        "differs",
        "there is no order to match: under each of them, every task has a plan that is cheapest "
        "under uniform costs as well. Under four of them the cheapest plans are those of uniform "
        "costs, at least where the goal says what is on the table (here: the same set in "
        f"{min(same)} to {max(same)} of {sample.tasks} tasks): these rates are of ties alone",
    )


def _of_ranks(sample: Sample) -> Comparison:
    paper, ours = paper_totals(), totals(sample, PROCESSES)
    chance = totals(sample, SEQUENCES)
    return Comparison(
        "ranking of the ten schedules",
        "total column",
        f"Spearman {_two(spearman(paper, ours))}, Kendall {_two(kendall(paper, ours))} with "
        f"'{PROCESSES}'; {_two(spearman(paper, chance))} and {_two(kendall(paper, chance))} with "
        f"'{SEQUENCES}'",
        "matched" if (spearman(paper, chance) or 0.0) >= _SIGNIFICANT else "differs",
        "in two groups; within them it follows from ties",
    )


def _two(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _of_columns(sample: Sample) -> Comparison:
    """Compare the orders of the four costs, in case the paper's heading names the wrong one."""
    names = ("pu", "un", "pd", "st")
    paper = paper_totals()
    found = {}
    for order in permutations(range(4)):
        schedules = [_reordered(costs, order) for costs in TABLE1]
        ours = [100 * (sample.rows[c].rate(SEQUENCES) or 0.0) for c in schedules]
        found[order] = fmean(abs(a - b) for a, b in zip(paper, ours, strict=True))
    stated = found[0, 1, 2, 3]
    best = [order for order, value in found.items() if value <= min(found.values()) + 1e-9]
    return Comparison(
        "the four costs stand for (pu, un, pd, st)",
        "heading of Table 1",
        f"mean difference of '{SEQUENCES}' {stated:.1f} points; least of all 24 orders: "
        + ", ".join("(" + ", ".join(names[n] for n in order) + ")" for order in best)
        + f" with {min(found.values()):.1f}, most {max(found.values()):.1f}",
        "matched" if (0, 1, 2, 3) in best else "differs",
    )


def _reordered(costs: Costs, order: Sequence[int]) -> Costs:
    first, second, third, fourth = (costs[order.index(place)] for place in range(4))
    return first, second, third, fourth


def _of_horizons(sample: Sample) -> Comparison:
    found: Mapping[str, Sequence[float]] = implied(sample)
    paper = paper_totals()
    worst = {
        name: max(abs(a - b) for a, b in zip(paper, values, strict=True))
        for name, values in found.items()
    }
    own = next(iter(worst))
    return Comparison(
        "horizons: the optimal plan length",
        "minimum number of actions (section 3)",
        "totals made of the paper's cells, largest difference from its totals: "
        + ", ".join(f"{value:.1f} points by {name}" for name, value in worst.items()),
        "differs" if worst[own] <= _ROUNDING and worst[own] == min(worst.values()) else "matched",
        f"the table's own totals fit horizons by {own}: each row sorts the tasks anew, and this "
        "is what our cells do",
    )
