"""Table 1 of CATS: the number of cheapest plans that shift under ten schedules of costs."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.papers.cats.all_tasks import all_tasks_table
from pddl_pipeline.papers.cats.published import PUBLISHED, costs_text
from pddl_pipeline.papers.cats.shift_comparisons import BALANCED, comparisons
from pddl_pipeline.papers.cats.shift_kinds import kinds_table
from pddl_pipeline.papers.cats.shift_tables import (
    PAPER_TOTALS,
    charts,
    horizon_table,
    implied,
    implied_table,
    reading_table,
    sample_table,
    total_table,
)
from pddl_pipeline.papers.cats.shifts import sample
from pddl_pipeline.papers.cats.tasks import CARD, blocks_text, tasks_of
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import StudyResult
from pddl_pipeline.papers.workbench import Workbench

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
        charts=charts(found),
        notes=_NOTES,
    )


STUDIES: Final = (
    Study("cats-table1", "Table 1: shifted solutions under ten schedules of costs", _run, (CARD,)),
)
