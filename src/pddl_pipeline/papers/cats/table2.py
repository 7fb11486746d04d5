"""Tables 2 and 3 of CATS and the weights of Figure 3, with rewards without a language model."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.cats.published import BUDGETS, PUBLISHED
from pddl_pipeline.papers.cats.search_comparisons import comparisons
from pddl_pipeline.papers.cats.search_scores import methods
from pddl_pipeline.papers.cats.search_tables import omega_chart, success_chart, table2, table3
from pddl_pipeline.papers.cats.tasks import CARD, by_task, horizon_of, tasks_of
from pddl_pipeline.papers.choosing import spread
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, NODE_LIMIT

_POOL: Final = 12
"""The number of tasks generated per selected one, since short ones are rare."""
_DISTANCE: Final = "cats:reward=none"
_BOTH: Final = "cats:omega=0.5,reward=goal-count"
_CONFIDENCE: Final = "cats:omega=1,reward=goal-count"
_TREES: Final = {"ToT": "tot:reward=goal-count", "RAP": "rap:reward=goal-count", "CATS": _BOTH}
_PLANNERS: Final = (
    _DISTANCE,
    "cats:omega=0.5,reward=uniform",
    _BOTH,
    _CONFIDENCE,
    "tot:reward=uniform",
    _TREES["ToT"],
    "tot:search=dfs,reward=goal-count",
    "rap:reward=uniform",
    _TREES["RAP"],
)
_CHARTED: Final = (_DISTANCE, _BOTH, _CONFIDENCE, _TREES["RAP"], _TREES["ToT"])
_NOTES: Final = (
    (
        f"In the paper, confidence is that of {PUBLISHED.table2.model}; here, it is computed from "
        "the goals that hold. The rates show what search and distance achieve without a model."
    ),
    (
        "Equation 4 is at most 0.5. Failures count as 0 in optimality and are excluded from "
        "efficiency, as the paper's averages imply. Efficiency counts the expansions of both trees."
    ),
    (
        "Algorithm 1 ends when the trees first meet. Our search continues until the budget allows "
        "a plan, so it solves more tasks under the tight and loose budgets, even without a model."
    ),
    (
        "Goals are some on-facts, so our backward tree contains partial states; the paper's starts "
        "from one goal state, which the paper does not specify."
    ),
)


def _run(bench: Workbench) -> StudyResult:
    number = bench.count(quick=24, paper=PUBLISHED.benchmark.tasks)
    tasks = _tasks(bench, number)
    limits = bench.limits(quick_s=60, paper_s=600)
    runs = bench.solve("search", tasks, _PLANNERS, limits)
    omegas = {0.0: _DISTANCE, 0.5: _BOTH, 1.0: _CONFIDENCE}
    for tenth in bench.pick(quick=(3, 7), paper=(1, 2, 3, 4, 6, 7, 8, 9)):
        omegas[tenth / 10] = f"cats:omega={tenth / 10:g},reward=goal-count"
    more = [planner for planner in omegas.values() if planner not in _PLANNERS]
    unlimited = [each for each in tasks if each.budget is None]
    runs += bench.solve("search", unlimited, more, limits)
    found = methods(tasks, runs)
    ordered = dict(sorted(omegas.items()))
    numbers = Counter(map(horizon_of, unlimited))
    counted = {name: numbers[name] for name in HORIZONS}
    return StudyResult(
        conditions=f"{len(unlimited)} tasks ("
        + ", ".join(f"{count} {name}" for name, count in counted.items())
        + f"), each under three budgets; {NODE_LIMIT} expanded nodes, {limits.time_s:g} s and "
        f"{limits.memory_bytes / 2**30:.1f} GiB; each plan is judged by the validator and against "
        "the budget. The paper's tasks and its model's answers are not public.",
        comparisons=comparisons(found, _TREES, ordered),
        tables=(table2(found, _PLANNERS), table3(found, (*_PLANNERS, *more))),
        charts=(
            *(success_chart(found, _CHARTED, budget, counted) for budget in BUDGETS),
            omega_chart(found, ordered, len(unlimited)),
        ),
        notes=_NOTES,
        unexplained=sum(run.unexplained for run in runs),
    )


def _tasks(bench: Workbench, number: int) -> list[Instance[Any]]:
    """Return the instances of `number` tasks, one per budget.

    Each horizon has the same number of tasks unless all tasks are requested.
    """
    pool = min(PUBLISHED.benchmark.tasks, _POOL * number)
    trios = by_task(tasks_of(bench, pool, budgets=BUDGETS))
    if number < len(trios):
        of_horizons = [[trio for trio in trios if horizon_of(trio[0]) == name] for name in HORIZONS]
        each_number = -(-number // len(HORIZONS))
        trios = [trio for found in of_horizons for trio in spread(found, each_number)]
    return [each for trio in trios for each in trio]


STUDIES: Final = (
    Study(
        "cats-table2", "Tables 2 and 3, Figure 3: searches within a budget, no model", _run, (CARD,)
    ),
)
