"""Theorem 1 of the Countdown paper: its reduction, and the planners that solve its instances.

The protocol is written in words in ``studies/countdown/protocol-theorem1.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import Final

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.generators.three_partition import reduction
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.comparison import Comparison, Fact, Quantity, decide
from pddl_pipeline.papers.countdown.transition_data import make_runs, store_file
from pddl_pipeline.papers.data import read_dataset, stored_data
from pddl_pipeline.papers.stored_runs import PlannedRun, StoredRuns, read_stored_runs
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable

DATASETS: Final = {"T = 6": "partition-6", "T = 20": "partition-20", "no plan": "partition-none"}
"""The cards by what their instances have in common."""
PLANNERS: Final = ("countdown-exact", "dfs", "enhsp", "enhsp-checked")
LIMITS: Final = Limits(time_s=600, cpu_s=20)
TOTALS: Final = range(3, 11)


def converse(totals: Iterable[int] = TOTALS) -> tuple[int, int]:
    """Return how many multisets of six numbers have no partition, and how many of these a plan.

    Args:
        totals: the sums T of a triple; all numbers are positive and below T.
    """
    tasks = [
        reduction(parts)
        for total in totals
        for parts in combinations_with_replacement(range(1, total), 6)
        if sum(parts) == 2 * total
        and all(sum(combination) != total for combination in combinations(parts, 3))
    ]
    return len(tasks), sum(
        solve_exact(task.numbers, task.target).plan is not None for task in tasks
    )


def _run(bench: Workbench) -> StudyResult:
    planned = {
        name: [
            PlannedRun(instance, planner, LIMITS)
            for instance in read_dataset(stored_data("countdown", "data", f"{card}.toml"))
            for planner in PLANNERS
        ]
        for name, card in DATASETS.items()
    }
    file = store_file("theorem1")
    if bench.continue_runs:
        with StoredRuns(file) as store:
            make_runs(bench, store, list(chain(*planned.values())))
    stored = {run.identity: run.result for run in read_stored_runs(file)}
    return report(
        {
            name: [stored[each.key] for each in own if each.key in stored]
            for name, own in planned.items()
        }
    )


def report(runs: Mapping[str, Sequence[RunResult]]) -> StudyResult:
    """Return the comparison and the table of runs by dataset."""
    every, (without, solved) = list(chain(*runs.values())), converse()
    # The last dataset has no plans; the others are solvable.
    rows = [
        (planner, *map(_reach, own[:-1]), *map(_refutations, (list(chain(*own[:-1])), own[-1])))
        for planner in PLANNERS
        for own in [[[run for run in each if run.planner == planner] for each in runs.values()]]
    ]
    headings = (*list(runs)[:-1], "false claims", "right claims")
    return StudyResult(
        conditions=f"{len(every)} runs, {sum(run.cpu_s for run in every) / 60:.1f} minutes of CPU "
        f"time; {LIMITS.cpu_s:g} s of CPU time and 3.5 GiB per run.",
        comparisons=(
            Comparison(
                what="six numbers without a partition: no plan",
                said="a plan is exactly a 3-partition",
                ours=(Quantity(without - solved, of=without),),
                decision=decide(Fact(not solved, without)),
                remark=f"all multisets of positive numbers below T, T up to {TOTALS[-1]}",
            ),
        ),
        tables=(
            NamedTable(
                "Largest size to which all are solved, and claims that there is no plan",
                TextTable(("planner", *headings), tuple(rows), names=1),
            ),
        ),
        unexplained=sum(run.outcome.unexplained for run in every),
    )


def _reach(runs: Sequence[RunResult]) -> str:
    """Return the size up to which all instances are solved."""
    unsolved = {run.size for run in runs if not run.solved}
    sizes = [size for run in runs if (size := run.size) < min(unsolved, default=size + 1)]
    return str(max(sizes, default=NO_NUMBER))


def _refutations(runs: Sequence[RunResult]) -> str:
    return f"{sum(run.claims_unsolvable for run in runs)} of {len(runs)}"


STUDIES: Final = (
    Study(
        "countdown-theorem1",
        "Theorem 1: planners on the reduction from 3-partition, from stored runs",
        _run,
        cards=tuple(f"data/{card}.toml" for card in DATASETS.values()),
        is_stored=True,
    ),
)
