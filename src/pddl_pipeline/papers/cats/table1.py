"""Table 1 of CATS: how schedules of costs change the action types of cheapest plans.

CATS counts a task as shifted if the sequence of action types of its cheapest plan differs from that
of its cheapest plan under uniform costs (section 3, Table 1). Most tasks have several cheapest
plans under either schedule, so the count depends on which plans are compared. A rule for choosing
them is called a reading.

Let a, b, c, d be the costs of picking up, unstacking, putting down and stacking. A cheapest plan
ends with an empty hand. Let it lift k blocks, u of them from another block, and let the table end
with t blocks more than it had. It picks up k - u blocks, puts down k - u + t and stacks u - t, so
it costs

    k (a + c) + u (b + d - a - c) + t (c - d).

If the goal is complete, t is given. There is a plan with both the least k and the least u: in any
shortest plan, a block that is stacked on a block that is not its place can be put on the table
instead, after which every block leaves a block at most once. If a + c = b + d, u does not count:
the cheapest plans are all plans with the least k, as under uniform costs. If a + c < b + d, the
plan with the least k and u is cheapest under both costs. Only if a + c > b + d can a longer plan be
cheaper. If the goal says only which block is on which, t is free.

The sets of sequences are compared exactly and without listing them: each is converted to a
deterministic automaton (Rabin and Scott 1959), and two automata are traversed in parallel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import fmean
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.benchmark import (
    ALL,
    CARD,
    CHOSEN,
    MARGINS,
    PUBLISHED,
    TABLE1,
    UNIFORM,
    Cell,
    Costs,
    blocks_text,
    costs_text,
    graphs,
    of_cells,
    tasks_of,
)
from pddl_pipeline.papers.comparison import AllOf, Comparison, Decision, Quantity, Region, decide
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.search.blocks_states import CheapestPlans
from pddl_pipeline.statistics.differences import share_difference
from pddl_pipeline.statistics.intervals import wilson
from pddl_pipeline.tables.text_table import TextTable, rounded
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, horizon

LOWEST: Final = "lowest possible"
HIGHEST: Final = "highest possible"
SEQUENCES: Final = "a sequence at random"
READINGS: Final = (LOWEST, SEQUENCES, HIGHEST)
"""Equal sequences of action types where possible, drawn at random, different where possible."""


@dataclass(frozen=True, slots=True)
class ActionAutomaton:
    """The sequences of action types of all cheapest plans of a task."""

    arrows: list[dict[int, int]]
    """By node of the automaton: the next node for each type of action. The first is the start."""
    ends: list[bool]
    """By node: whether a sequence may end there."""

    def count_common(self, other: ActionAutomaton) -> int:
        """Return how many sequences are in both sets."""

        # Both automata are deterministic: a common sequence is exactly one path of pairs.
        @cache
        def from_nodes(a: int, b: int) -> int:
            both = self.arrows[a].keys() & other.arrows[b].keys()
            further = (from_nodes(self.arrows[a][each], other.arrows[b][each]) for each in both)
            return sum(further, start=int(self.ends[a] and other.ends[b]))

        return from_nodes(0, 0)


def automaton(plans: CheapestPlans) -> ActionAutomaton:
    """Return the sequences of action types of all cheapest plans."""
    first = frozenset([plans.start])
    nodes, numbers, arrows = [first], {first: 0}, []
    for node in nodes:  # which grows
        targets = defaultdict[int, set[int]](set)
        for state in node:
            for move in plans.moves[state]:
                targets[move.action].add(move.target)
        leads = {each: frozenset(states) for each, states in targets.items()}
        for states in leads.values():
            # Sets of states are the nodes, numbered when they are first reached.
            if states not in numbers:
                numbers[states] = len(nodes)
                nodes.append(states)
        arrows.append({each: numbers[states] for each, states in leads.items()})
    # Only cheapest plans have moves here, so a state without moves is a goal.
    return ActionAutomaton(arrows, [any(not plans.moves[state] for state in n) for n in nodes])


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """The results of each task under a schedule."""

    costs: Costs
    steps: Sequence[int]
    """The length of each task's cheapest plan."""
    readings: Mapping[str, Sequence[float]]
    """By reading, the probability that each task counts as shifted."""

    def number(self, name: str = ALL) -> int:
        """Return the number of tasks of a horizon, by their cheapest plans, or of all tasks."""
        return sum(name in {ALL, horizon(n)} for n in self.steps)

    def rate(self, reading: str, name: str = ALL) -> float | None:
        """Return the percentage of shifted tasks of a horizon; None without tasks."""
        pairs = zip(self.readings[reading], self.steps, strict=True)
        values = [value for value, n in pairs if name in {ALL, horizon(n)}]
        return 100 * (sum(values) / len(values)) if values else None


Sample = Mapping[Costs, ShiftRow]
"""The results of the same tasks under each schedule, in the order of Table 1."""


def sample(tasks: Sequence[Instance[Any]]) -> Sample:
    """Return the rates of tasks of Budget-Blocksworld under every schedule of Table 1."""
    uniform = [automaton(graph) for graph in graphs(tasks, UNIFORM)]
    rows = {}
    for costs in TABLE1:
        plans = graphs(tasks, costs)
        found: dict[str, list[float]] = {name: [] for name in READINGS}
        for one, other in zip(map(automaton, plans), uniform, strict=True):
            numbers = one.count_common(one), other.count_common(other)
            common = one.count_common(other)
            found[LOWEST].append(common == 0)
            found[SEQUENCES].append(float(1 - Fraction(common, numbers[0] * numbers[1])))
            # With more than one sequence, different ones can be chosen.
            found[HIGHEST].append(numbers != (1, 1) or common == 0)
        rows[costs] = ShiftRow(costs, [plan.steps for plan in plans], found)
    return rows


PAPER_TOTALS: Final[Mapping[Costs, float]] = {costs: row[ALL] for costs, row in TABLE1.items()}
"""The last column of Table 1, in percent."""
_SCHEDULE: Final = "costs (pu,un,pd,st)"


def totals(sample: Sample, reading: str) -> dict[Costs, float]:
    """Return the reproduced totals under a reading, in percent."""
    return {costs: row.rate(reading) or 0.0 for costs, row in sample.items()}


def possible(row: ShiftRow, name: str = ALL, label: str = "") -> Quantity:
    """Return the rate of a random sequence with the range that ties and sampling allow.

    The range is of other samples of the same size, by Wilson's intervals of the lowest and the
    highest possible rate, in percent.
    """
    number, low, high = row.number(name), 0.0, 1.0
    if number:
        ends = [
            wilson(round((row.rate(r, name) or 0.0) * number / 100), number)
            for r in (LOWEST, HIGHEST)
        ]
        low, high = ends[0].low, ends[1].high
    return Quantity(row.rate(SEQUENCES, name), label, 100 * low, 100 * high)


def _percent(value: float | None) -> str:
    return rounded(value, 1)


def sample_table(samples: Sequence[Sample]) -> NamedTable:
    """Return the totals of the first sample, and their means over all samples."""
    first = samples[0]
    rows = [
        (
            costs_text(costs),
            str(PAPER_TOTALS[costs]),
            *(_percent(row.rate(reading)) for reading in READINGS),
            *(_percent(fmean(each[costs].rate(r) or 0.0 for each in samples)) for r in READINGS),
        )
        for costs, row in first.items()
    ]
    headings = (
        _SCHEDULE,
        "paper (%)",
        *(f"{reading} (%)" for reading in READINGS),
        *(f"{reading}, mean of samples (%)" for reading in READINGS),
    )
    number, count = first[CHOSEN].number(), len(samples)
    caption = f"Solution shift rate, n={number} tasks, and means of {count} samples"
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
        f"{SEQUENCES} (%)", "lowest, 95 % (%)", "highest, 95 % (%)",
    )  # fmt: skip
    caption = "By horizon: steps of the cheapest plan under the row's own costs"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=2))


DEAR_TABLE: Final = tuple(c for c in TABLE1 if c[0] + c[2] > c[1] + c[3])
"""Schedules under which picking up and putting down cost more than unstacking and stacking."""
OTHERS: Final = tuple(c for c in TABLE1 if c not in DEAR_TABLE)


def comparisons(sample: Sample) -> tuple[Comparison, ...]:
    """Return the comparisons with all of Table 1."""
    return (
        *_of_totals(sample),
        _of_cells(sample),
        _of_groups(sample),
        _of_highest(sample),
        _of_others(sample),
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


def _of_groups(sample: Sample) -> Comparison:
    """Compare the lead of `DEAR_TABLE`."""
    labels = f"least of {', '.join(map(_name, DEAR_TABLE))}", "most of the other seven"
    return Comparison(
        what="schedules under which the table is expensive shift most",
        paper=tuple(map(Quantity, _ends(PAPER_TOTALS), labels)),
        ours=tuple(map(Quantity, _ends(totals(sample, SEQUENCES)), labels)),
        decision=_decide_order(sample, TABLE1),
        unit="%",
        remark="ours: one reading of ties; only under these three a task must shift",
    )


def _decide_order(sample: Sample, schedules: Iterable[Costs]) -> Decision:
    """Decide an order of totals, which is identifiable only if each of the totals is."""
    regions = [region for costs in schedules if (region := _region(sample[costs], ALL)) is not None]
    return decide(AllOf(tuple(regions)))


def _ends(rates: Mapping[Costs, float]) -> tuple[float, float]:
    return min(rates[c] for c in DEAR_TABLE), max(rates[c] for c in OTHERS)


def _of_highest(sample: Sample) -> Comparison:
    ours = totals(sample, SEQUENCES)
    rivals = [costs for costs in TABLE1 if costs != CHOSEN]
    second, our_second = (
        max(rivals, key=lambda costs: rates[costs]) for rates in (PAPER_TOTALS, ours)
    )
    return Comparison(
        what="the highest ratio of shifted plans",
        paper=tuple(Quantity(PAPER_TOTALS[costs], _name(costs)) for costs in (CHOSEN, second)),
        ours=tuple(Quantity(ours[costs], _name(costs)) for costs in (CHOSEN, our_second)),
        decision=_decide_order(sample, TABLE1),
        unit="%",
        remark="ours: one reading of ties; the paper's lead is due to its short tasks: "
        f"{TABLE1[CHOSEN]['short']} against {TABLE1[second]['short']} %",
    )


def _of_others(sample: Sample) -> Comparison:
    first, *_, last = sorted(OTHERS, key=lambda costs: -PAPER_TOTALS[costs])
    return Comparison(
        what="the order of the other seven schedules, first to last: lowest possible rates",
        paper=tuple(Quantity(PAPER_TOTALS[costs], _name(costs)) for costs in (first, last)),
        ours=tuple(Quantity(sample[costs].rate(LOWEST), _name(costs)) for costs in (first, last)),
        decision=_decide_order(sample, OTHERS),
        unit="%",
        remark="each of them may be any share from none: see the notes",
    )


_FREE: Final = ((20, 20, 1, 1), (1, 1, 20, 20))
"""Schedules under which the cost of a path follows from its number of steps."""
_TIED: Final = [rate for c, rate in PAPER_TOTALS.items() if c[0] + c[2] == c[1] + c[3]]
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
        "steps. The goals here are on-facts only, and no task of the samples must shift under "
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
)


def _run(bench: Workbench) -> StudyResult:
    all_tasks = PUBLISHED.benchmark.tasks
    number = bench.count(quick=all_tasks, paper=all_tasks)
    seeds = range(bench.pick(quick=2, paper=20))
    tasks = [tasks_of(bench, number, seed) for seed in seeds]
    samples = [*map(sample, tasks)]
    return StudyResult(
        conditions=f"{len(tasks[0])} tasks of {blocks_text(tasks[0])}, two uniform states each, "
        "goals of on-facts, none true at the start (the paper's tasks are not public). All "
        f"cheapest plans under each schedule, exactly. {len(samples)} samples (seeds 0 to "
        f"{seeds[-1]}), the first one compared.",
        comparisons=comparisons(samples[0]),
        tables=(sample_table(samples), horizon_table(samples[0])),
        notes=_NOTES,
    )


STUDIES: Final = (
    Study("cats-table1", "Table 1: shifted solutions under ten schedules of costs", _run, (CARD,)),
)
