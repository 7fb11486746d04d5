"""Table 1 on other tasks and by other counts, to test whether its ranking depends on the tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from statistics import fmean
from typing import Any

from pddl_pipeline.generators.blocks import Stacks, on_facts
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.published import CHOSEN, TABLE1, UNIFORM, costs_text
from pddl_pipeline.papers.cats.shift_comparisons import DEAR_TABLE, OTHERS
from pddl_pipeline.papers.cats.shift_tables import differences, ranking, totals
from pddl_pipeline.papers.cats.shifts import HIGHEST, LOWEST, SEQUENCES, Sample, bounds, graphs
from pddl_pipeline.papers.cats.tasks import tasks_of
from pddl_pipeline.papers.study_result import NamedTable
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.search.action_automaton import Label, by_action, by_type
from pddl_pipeline.search.blocks_states import Move
from pddl_pipeline.statistics.significance import spearman
from pddl_pipeline.tables.text_table import TextTable, rounded


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
