"""Table 1 of CATS: the number of cheapest plans that shift under ten schedules of costs."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.studies.cats.published import TASKS
from pddl_pipeline.studies.cats.shift_comparisons import comparisons
from pddl_pipeline.studies.cats.shift_kinds import kinds_table
from pddl_pipeline.studies.cats.shift_sample import sample, tasks_of
from pddl_pipeline.studies.cats.shift_tables import (
    charts,
    horizon_table,
    implied,
    implied_table,
    reading_table,
    total_table,
)
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.study_result import StudyResult
from pddl_pipeline.studies.workbench import Workbench

_NOTES: Final = (
    (
        "Lowest possible: a task is shifted where no sequence of action types is that of a "
        "cheapest plan under both costs. Highest possible: where any two of those sequences "
        "differ. Both are exact, over all cheapest plans."
    ),
    (
        "Why so little must shift: a plan that begins and ends with an empty hand lifts as many "
        "blocks as it sets down, say k, p of them from the table; where the goal says what is on "
        "the table, put-downs minus pick-ups are fixed. With costs (a, b, c, d) of (pick-up, "
        "unstack, put-down, stack) a plan costs k (b + d) + p (a + c - b - d) and a constant. "
        "Where a + c = b + d, as in four of the ten schedules, the cheapest plans are those with "
        "the fewest moves, as under uniform costs: all of them. Table 1 has 59 to 69 % for these."
    ),
    (
        "Under [20,20,1,1] and [1,1,20,20] this holds for any goal, and the cost of a path is a "
        "function of its number of steps: a search that goes by costs and a fixed order of actions "
        "takes the same states in the same order as under uniform costs, and shifts 0 %. The "
        "paper's 69 and 67 % are therefore of ties decided otherwise from run to run, or of plans "
        "that are not cheapest. Its world model does the former: PDDLGym gives the actions of a "
        "state as a Python set of hashed strings, whose order changes from process to process."
    ),
)


def _run(bench: Workbench) -> StudyResult:
    number = bench.count(quick=TASKS, paper=TASKS)
    processes = bench.pick(quick=8, paper=50)
    tasks = tasks_of(bench, number)
    found = sample(tasks, processes)
    return StudyResult(
        conditions=f"{len(tasks)} tasks of six blocks, two uniform states each, goals of on-facts, "
        "none true at the start (the paper's tasks are not public). All cheapest plans under each "
        f"schedule, exactly; uniform-cost search in {processes} simulated processes.",
        comparisons=comparisons(found),
        tables=(
            total_table(found),
            horizon_table(found),
            reading_table(found),
            implied_table(implied(found)),
            kinds_table(bench, tasks),
        ),
        charts=charts(found),
        notes=_NOTES,
    )


STUDIES: Final = (
    Study("cats-table1", "Table 1: shifted solutions under ten schedules of costs", _run),
)
