"""Appendix A of CATS: lengths of cheapest plans, budgets, and checks of the least costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.studies.cats.length_comparisons import (
    BUDGETS,
    OPTIMAL_PLANNER,
    of_budgets,
    of_ground_truth,
    of_lengths,
)
from pddl_pipeline.studies.cats.lengths import (
    Lengths,
    budget_table,
    chi_square_table,
    length_chart,
    length_table,
)
from pddl_pipeline.studies.cats.published import (
    BLOCKS,
    CHOSEN,
    TASKS,
    UNIFORM,
)
from pddl_pipeline.studies.cats.shifts import graphs
from pddl_pipeline.studies.choosing import spread
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.study_result import (
    NamedTable,
    StudyResult,
)
from pddl_pipeline.studies.workbench import Workbench


def _run(bench: Workbench) -> StudyResult:
    number = bench.count(quick=TASKS, paper=TASKS)
    samples = bench.pick(quick=3, paper=20)
    first = _tasks(bench, number, 0, "tight,loose,unlimited")
    tight = first[::BUDGETS]
    lengths = [_counts(tight)]
    lengths += [_counts(_tasks(bench, number, seed, "unlimited")) for seed in range(1, samples)]
    others = _other_lengths(tight)
    asked = spread(tight, bench.pick(quick=12, paper=200))
    limits = bench.limits(quick_s=60, paper_s=600)
    runs = bench.solve("optimal", asked, [OPTIMAL_PLANNER], limits)
    return StudyResult(
        conditions=f"{samples} samples of {number} tasks (seeds 0 to {samples - 1}), none of whose "
        "goals holds at the start; the paper's tasks are not public. Costs 1,1,20,1; cheapest "
        f"plans by a sweep over all states. {OPTIMAL_PLANNER} on {len(asked)} of them, "
        f"{limits.time_s:g} s each.",
        comparisons=(
            *of_lengths(lengths, others),
            *of_budgets(first),
            *of_ground_truth(first, runs),
        ),
        tables=(
            NamedTable("Tasks by steps of the cheapest plan", length_table(lengths, others)),
            NamedTable("Chi-square tests against Appendix A", chi_square_table(lengths, others)),
            NamedTable("Least cost and budgets by horizon", budget_table(tight)),
        ),
        charts=(length_chart(lengths, others, number),),
        unexplained=sum(run.unexplained for run in runs),
    )


def _tasks(bench: Workbench, number: int, seed: int, budget: str) -> list[Instance[Any]]:
    sizes = bench.sizes(quick=[BLOCKS], paper=[BLOCKS])
    settings = {"budget": budget}
    return list(bench.generated("budget-blocksworld", sizes, number, settings=settings, seed=seed))


def _counts(tasks: Sequence[Instance[Any]]) -> Lengths:
    return Counter(len(each.extras["witness"]) for each in tasks)


def _other_lengths(tasks: Sequence[Instance[Any]]) -> dict[str, Lengths]:
    """Return the plan lengths of the same tasks under other interpretations of Appendix A."""
    return {
        "shortest plans": Counter(each.steps for each in graphs(tasks, UNIFORM)),
        "complete goals": Counter(each.steps for each in graphs(tasks, CHOSEN, complete=True)),
    }


STUDIES: Final = (
    Study("cats-appendix-a", "Appendix A: lengths of plans, budgets, ground truth", _run),
)
