"""Table 1 of CATS: the number of cheapest plans that shift under ten schedules of costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from random import Random
from statistics import fmean, pstdev
from typing import Any, Final

from pddl_pipeline.generators.blocks import Stacks, on_facts
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.benchmark import (
    ALL,
    CARD,
    CHOSEN,
    LENGTHS,
    MARGINS,
    PUBLISHED,
    TABLE1,
    UNIFORM,
    Cell,
    Costs,
    blocks_text,
    costs_text,
    mean_and_range,
    of_cells,
    tasks_of,
)
from pddl_pipeline.papers.cats.shifts import (
    HIGHEST,
    LOWEST,
    PROCESSES,
    SEQUENCES,
    Sample,
    ShiftRow,
    all_tasks_table,
    bounds,
    graphs,
    sample,
)
from pddl_pipeline.papers.comparison import (
    AllOf,
    Comparison,
    Evidence,
    Fact,
    Quantity,
    Region,
    decide,
    ordered,
    same,
)
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.search.blocks_states import Move
from pddl_pipeline.search.cheapest_sequences import Label, by_action, by_type
from pddl_pipeline.statistics.differences import (
    difference_from_published_mean,
    mean_of_differences,
    share_difference,
)
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
        share_difference(paper, number, round((row.rate(x, name) or 0.0) / 100 * number), number)
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


def kinds_table(bench: Workbench, tasks: Sequence[Instance[Any]]) -> NamedTable:
    """Return the rates of other samples, of complete goals, and with whole actions compared."""
    kinds: dict[str, Callable[[], Sample]] = {
        "this sample": partial(_rows, tasks),
        "whole actions compared, not types": partial(_rows, tasks, whole=True),
        "complete goals": partial(_rows, tasks, complete=True),
        "each block on the table or a random stack": partial(_rows, _stacked(tasks)),
    }
    for seed in range(1, bench.pick(quick=2, paper=6)):
        kinds[f"another sample ({seed})"] = partial(_rows, tasks_of(bench, len(tasks), seed))
    rows = tuple((name, *_kind(make())) for name, make in kinds.items())
    dear = " ".join(f"[{costs_text(costs)}]" for costs in DEAR_TABLE)
    headings = (
        "tasks", f"mean steps under {costs_text(CHOSEN)}", f"lowest possible: {dear} (%)",
        "lowest: other seven (%)", f"{SEQUENCES}: {dear} (%)", f"{SEQUENCES}: other seven (%)",
        f"highest possible: {dear} (%)", "highest: other seven (%)", "Spearman's rho",
        "mean difference (points)",
    )  # fmt: skip
    return NamedTable("Other tasks and other counts", TextTable(headings, rows, names=1))


def _rows(tasks: Sequence[Instance[Any]], *, whole: bool = False, complete: bool = False) -> Sample:
    uniform = graphs(tasks, UNIFORM, complete=complete)
    label: Callable[[Move], Label] = by_action if whole else by_type
    return {
        costs: bounds(graphs(tasks, costs, complete=complete), uniform, costs, label)
        for costs in TABLE1
    }


def _kind(rows: Sample) -> tuple[str, ...]:
    cells = []
    for reading in (LOWEST, SEQUENCES, HIGHEST):
        cells.append(" ".join(rounded(rows[costs].rate(reading), 1) for costs in DEAR_TABLE))
        others = {rows[costs].rate(reading) or 0.0 for costs in OTHERS}
        cells.append("-".join(rounded(rate, 1) for rate in sorted({min(others), max(others)})))
    ours = totals(rows, SEQUENCES)
    test, difference = ranking(spearman, ours), rounded(fmean(differences(ours)), 1)
    rho = rounded(test.statistic if test else None)
    return rounded(fmean(rows[CHOSEN].steps)), *cells, rho, difference


def _stacked(tasks: Sequence[Instance[Any]]) -> list[Instance[Any]]:
    """Return as many tasks with states that are not uniform: they have fewer and higher stacks."""
    random, made = Random(0), list[Instance[Any]]()  # noqa: S311 -- no secret
    for each in tasks:
        init = goal = _pile(random, each.record.blocks)
        while on_facts(goal) <= on_facts(init):
            goal = _pile(random, each.record.blocks)
        record = replace(each.record, init=init, goal=tuple(sorted(on_facts(goal))))
        made.append(replace(each, record=record))
    return made


def _pile(random: Random, blocks: Iterable[str]) -> Stacks:
    """Return random stacks: each block goes to the table or to a stack with equal probability."""
    stacks: list[tuple[str, ...]] = []
    for block in random.sample(sorted(blocks), len(list(blocks))):
        place = random.randrange(len(stacks) + 1)
        if place == len(stacks):
            stacks.append((block,))
        else:
            stacks[place] += (block,)
    return tuple(stacks)


_FREE: Final = ((20, 20, 1, 1), (1, 1, 20, 20))
"""Schedules under which the cost of a path follows from its number of steps."""
_TIED: Final = [PAPER_TOTALS[costs] for costs in BALANCED]
_NOTES: Final = (
    (
        "Lowest possible: a task is shifted if no sequence of action types is that of a cheapest "
        "plan under both costs. Highest possible: if any two of those sequences differ. Both are "
        "exact, over all cheapest plans. No choice between cheapest plans explains a cell above "
        "the highest possible rate: in the other tasks, all cheapest plans under both costs have "
        "the same sequence."
    ),
    (
        "Why so few tasks must shift: let a plan lift k blocks, u of them from another block, and "
        "let the table end with t blocks more than it had. With costs (a, b, c, d) of (pick-up, "
        "unstack, put-down, stack) it costs k (a + c) + u (b + d - a - c) + t (c - d). If goals "
        "are complete, t is given, and one plan has both the least k and the least u. So if "
        "a + c <= b + d, as in seven of the ten schedules, a plan is cheapest under both costs; "
        "if a + c = b + d, as in four of them, the cheapest plans are all those with the fewest "
        "steps. For goals of on-facts, the last table counts all tasks: none must shift under "
        f"these seven. Table 1 has {min(_TIED)} to {max(_TIED)} % for the four."
    ),
    (
        f"Under {' and '.join(f'[{costs_text(costs)}]' for costs in _FREE)} this holds for any "
        "goal, and the cost of a path is a function of its number of steps: a search that uses "
        "costs and a fixed order of actions takes the same states in the same order as under "
        "uniform costs, and shifts 0 %. The paper's "
        f"{' and '.join(str(PAPER_TOTALS[costs]) for costs in _FREE)} % therefore result from ties "
        "that are decided differently from run to run, or from plans that are not cheapest. Its "
        "world model does the former: PDDLGym returns the actions of a state as a Python set of "
        "hashed strings, whose order changes from process to process."
    ),
    (
        "The schedules other than the three with an expensive table have no order to match: under "
        "each of them, every task has a plan that is cheapest under uniform costs as well, and "
        "the highest possible rate is the same."
    ),
)


def _run(bench: Workbench) -> StudyResult:
    all_tasks = PUBLISHED.benchmark.tasks
    number = bench.count(quick=all_tasks, paper=all_tasks)
    processes = bench.pick(quick=8, paper=50)
    tasks = tasks_of(bench, number)
    found = sample(tasks, processes)
    further = [
        sample(tasks_of(bench, number, seed), 1, first=seed, brief=True)
        for seed in range(1, bench.pick(quick=2, paper=20))
    ]
    return StudyResult(
        conditions=f"{len(tasks)} tasks of {blocks_text(tasks)}, two uniform states each, goals of "
        "on-facts, none true at the start (the paper's tasks are not public). All cheapest plans "
        f"under each schedule, exactly; uniform-cost search in {processes} simulated processes; "
        f"{1 + len(further)} samples (seeds 0 to {len(further)}), the first one compared.",
        comparisons=comparisons(found),
        tables=(
            total_table(found),
            horizon_table(found),
            reading_table(found),
            implied_table(implied(found)),
            kinds_table(bench, tasks),
            sample_table([found, *further]),
            all_tasks_table(max(task.size for task in tasks)),
        ),
        notes=_NOTES,
    )


STUDIES: Final = (
    Study("cats-table1", "Table 1: shifted solutions under ten schedules of costs", _run, (CARD,)),
)
