"""Tables 2 and 3 of CATS and the weights of Figure 3, with rewards without a language model."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.cats.benchmark import (
    ALL,
    BUDGETS,
    CARD,
    MARGINS,
    METRICS,
    PUBLISHED,
    SEARCHES,
    Cell,
    Cells,
    average,
    by_task,
    horizon_of,
    of_cells,
    tasks_of,
)
from pddl_pipeline.papers.comparison import (
    AllOf,
    Comparison,
    Evidence,
    Fact,
    Ordered,
    Quantity,
    Same,
    decide,
    ordered,
    withdrawn,
)
from pddl_pipeline.papers.study import (
    Chart,
    NamedTable,
    Point,
    Series,
    Study,
    StudyResult,
    Workbench,
    spread,
)
from pddl_pipeline.scoring.metrics import NODE_LIMIT, efficiency, optimal_cost, optimality
from pddl_pipeline.statistics.differences import (
    Difference,
    difference_of_means,
    mean_of_differences,
    paired_difference,
    share_difference,
)
from pddl_pipeline.tables.text_table import TextTable, rounded
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS


class Scored(NamedTuple):
    """The scores of one run."""

    optimality: float
    """By equation 4, above 0 with success and 0 without.

    The paper's averages imply the 0: under the tight budget each success counts 0.5, and the rows
    of its trees are half of their success rates.
    """
    efficiency: float | None
    """By equation 4; None without success (Table 3: n/a)."""


def _is_solved(run: Scored) -> bool:
    return run.optimality > 0


@dataclass(frozen=True, slots=True)
class Method:
    """The scores of a planner under a budget."""

    runs: Mapping[str, Sequence[Scored]]
    """By horizon."""

    @property
    def scores(self) -> dict[str, Cells]:
        """The averages of Tables 2 and 3 by metric; those of efficiency are over solved tasks."""
        success = self._means(_is_solved)
        return {
            "success": success,
            "optimality": self._means(lambda run: run.optimality),
            "efficiency": self._means(lambda run: run.efficiency, success),
        }

    def solved_of_all(self) -> tuple[int, int]:
        """Return the number of tasks of all horizons with a plan, and of all tasks."""
        solved = [_is_solved(run) for runs in self.runs.values() for run in runs]
        return sum(solved), len(solved)

    def efficiencies(self) -> dict[str, list[float]]:
        """Return the efficiency of each solved task by horizon."""
        return {
            name: [run.efficiency for run in runs if run.efficiency is not None]
            for name, runs in self.runs.items()
        }

    def _means(
        self, value: Callable[[Scored], float | None], success: Cells | None = None
    ) -> Cells:
        """Return the means of the known values by horizon, and their average as in `average`."""
        cells = {}
        for name in HORIZONS:
            values = [each for run in self.runs.get(name, ()) if (each := value(run)) is not None]
            if values:
                cells[name] = fmean(values)
        mean = average(cells, success)
        return cells if mean is None else {**cells, ALL: mean}


def paired_success(one: Method, other: Method) -> Difference:
    """Return the difference of the success rates of two methods on the same tasks."""
    pairs = [
        (_is_solved(first), _is_solved(second))
        for name in one.runs
        for first, second in zip(one.runs[name], other.runs[name], strict=True)
    ]
    return paired_difference(pairs.count((True, False)), pairs.count((False, True)), len(pairs))


def scored(instance: Instance[Any], run: RunResult) -> Scored:
    """Return the scores of a run."""
    best = optimal_cost(instance)
    if not run.solved or run.cost is None or best is None:
        return Scored(optimality=0.0, efficiency=None)
    return Scored(
        optimality=float(optimality(run.cost, best)),
        efficiency=None if run.expanded is None else float(efficiency(run.expanded)),
    )


def methods(
    instances: Iterable[Instance[Any]], runs: Iterable[RunResult]
) -> dict[tuple[str, str], Method]:
    """Return the methods by budget and planner; an instance's id ends with the budget's name."""
    known = {each.id: each for each in instances}
    found = defaultdict[tuple[str, str], defaultdict[str, list[Scored]]](lambda: defaultdict(list))
    for run in runs:
        instance = known[run.id]
        of_method = found[run.id.rpartition("-")[2], run.planner]
        of_method[horizon_of(instance)].append(scored(instance, run))
    return {key: Method(dict(by_horizon)) for key, by_horizon in found.items()}


Methods = Mapping[tuple[str, str], Method]
"""The methods by budget and planner."""


def table2(found: Methods, planners: Sequence[str]) -> NamedTable:
    """Return success and optimality, with the paper's rows above the reproduced ones."""
    caption = (
        f"Table 2. The paper's ToT, RAP and CATS use {PUBLISHED.table2.model}; ours use built-in "
        "rewards. Averages are weighted by the paper's shares of horizons"
    )
    return NamedTable(caption, _table(found, planners, ("success", "optimality")))


def table3(found: Methods, planners: Sequence[str]) -> NamedTable:
    """Return the efficiency over the solved tasks."""
    return NamedTable("Table 3: efficiency", _table(found, planners, ("efficiency",)))


def _table(found: Methods, planners: Sequence[str], metrics: Sequence[str]) -> TextTable:
    rows = []
    for budget in BUDGETS:
        for name, published in SEARCHES[budget].items():
            if metrics[0] in published:
                cells = [published[metric] for metric in metrics]
                rows.append((budget, f"paper: {name}", *_texts(cells)))
        for planner in planners:
            if (budget, planner) in found:
                scores = found[budget, planner].scores
                rows.append((budget, planner, *_texts([scores[metric] for metric in metrics])))
    columns = (*HORIZONS, "avg.")
    if len(metrics) > 1:
        columns = tuple(f"{metric}, {name}" for metric in metrics for name in columns)
    return TextTable(("budget", "method", *columns), tuple(rows), names=2)


def _texts(rows: Sequence[Cells]) -> list[str]:
    return [rounded(cells.get(name)) for cells in rows for name in (*HORIZONS, ALL)]


def omega_chart(found: Methods, settings: Mapping[float, str], number: int) -> Chart:
    """Return the chart of the effect of omega without a budget.

    Args:
        found: the methods.
        settings: the planner by the value of omega.
        number: the number of tasks.
    """
    scores = {omega: found["unlimited", planner].scores for omega, planner in settings.items()}
    lines = {
        metric: tuple(
            Point(x, each[metric][ALL]) for x, each in scores.items() if ALL in each[metric]
        )
        for metric in METRICS
    }
    return Chart(
        "Figure 3, right: weight of confidence (goal-count here, a model in the paper)",
        f"omega, n={number} tasks, unlimited budget",
        "average (0 to 1)",
        tuple(Series(metric, points) for metric, points in lines.items()),
        bottom=0,
        top=1,
    )


_EVEN: Final = 0.5
"""The weight with which both rewards count alike."""
_DIGIT: Final = 0.005
"""The rounding error of a published number."""
_ROUNDING: Final = 0.011
"""The rounding error of averages of rounded cells."""


def comparisons(
    found: Methods, trees: Mapping[str, str], omegas: Mapping[float, str]
) -> tuple[Comparison, ...]:
    """Return the comparisons with all statements.

    Args:
        found: the methods that were run.
        trees: the planner with the same reward by the name of the paper's method.
        omegas: the planner by the weight of confidence in ascending order, including 0.
    """
    return (
        *_of_order(found, trees),
        *(
            withdrawn(each, "a goal count stands in for the model's confidence")
            for each in (*_of_omega(found, omegas), *_of_horizons(found, trees["CATS"]))
        ),
        _of_paper_averages(),
        _of_paper_optimality(),
    )


def _of_order(found: Methods, trees: Mapping[str, str]) -> Iterator[Comparison]:
    for budget in BUDGETS:
        # CATS first: it is compared with each of the others.
        names = sorted(trees, key=lambda name: name != "CATS")
        rates = {name: found[budget, trees[name]].scores["success"] for name in names}
        methods = [found[budget, trees[name]] for name in names]
        pairs = [paired_success(methods[0], other) for other in methods[1:]]
        yield Comparison(
            what=f"CATS solves most, with the same reward and limit, {budget} budget",
            paper=tuple(Quantity(SEARCHES[budget][name]["success"][ALL], name) for name in rates),
            ours=tuple(Quantity(cells.get(ALL), trees[name]) for name, cells in rates.items()),
            decision=decide(AllOf(tuple(Ordered(pair, 1, MARGINS.share) for pair in pairs))),
        )


def _of_omega(found: Methods, omegas: Mapping[float, str]) -> Iterator[Comparison]:
    """Compare the three observations on Figure 3, right; the paper only plots its numbers."""
    methods = {omega: found["unlimited", planner] for omega, planner in omegas.items()}
    success, optimality, efficiency = (
        {
            x: Quantity(each.scores[metric].get(ALL, 0.0), f"omega {x:g}:")
            for x, each in methods.items()
        }
        for metric in METRICS
    )
    least, all_tasks = PUBLISHED.figure3.omega_of_success, PUBLISHED.benchmark.tasks
    shares = [methods[x].solved_of_all() for x in omegas if x >= least]
    yield Comparison(
        what=f"Figure 3: success is nearly perfect if omega is at least {least:g}, no budget",
        paper=(Quantity(1),),
        ours=tuple(each for x, each in success.items() if x >= least),
        decision=decide(AllOf(tuple(
            Same(share_difference(*counts, all_tasks, all_tasks, is_fixed=True),
                 MARGINS.near_perfect)
            for counts in shares
        ))),
    )  # fmt: skip
    first, last = methods[min(omegas)], methods[max(omegas)]
    yield Comparison(
        what="Figure 3: plans are cheaper with a larger weight of confidence",
        said="optimality rises with omega",
        ours=tuple(optimality.values()),
        decision=decide(_above(last, first, lambda run: run.optimality)),
    )
    both = methods.get(_EVEN)
    parts = (
        [_above(both, each, lambda run: run.efficiency) for each in (first, last)]
        if both is not None
        else [None]
    )
    yield Comparison(
        what="Figure 3: efficiency is best if both rewards count",
        said="decreases if omega is too large",
        ours=tuple(efficiency[x] for x in (_EVEN, min(omegas), max(omegas)) if x in efficiency),
        decision=decide(AllOf(tuple(parts))),
        remark="tasks that both solve",
    )


def _above(one: Method, other: Method, value: Callable[[Scored], float | None]) -> Evidence:
    """Return the evidence on whether a method has the higher value on the same tasks."""
    differences = [
        first - second
        for name in one.runs
        for a, b in zip(one.runs[name], other.runs[name], strict=True)
        if (first := value(a)) is not None and (second := value(b)) is not None
    ]
    found = mean_of_differences(differences)
    return ordered(found, 1, MARGINS.share)


def _of_horizons(found: Methods, planner: str) -> Iterator[Comparison]:
    for budget in BUDGETS:
        method = found[budget, planner]
        ours, values = method.scores["efficiency"], method.efficiencies()
        paper = SEARCHES[budget]["CATS"]["efficiency"]
        known = [values[name] for name in HORIZONS if values.get(name)]
        falls = [difference_of_means(*pair) for pair in pairwise(known)]
        yield Comparison(
            what=f"efficiency falls with the horizon (section 5.3), {budget} budget",
            paper=tuple(Quantity(paper[name], name) for name in HORIZONS),
            ours=tuple(Quantity(ours[name], name) for name in HORIZONS if name in ours),
            decision=decide(
                AllOf(tuple(ordered(fall, 1, MARGINS.share) for fall in falls)) if falls else None
            ),
        )


def _of_paper_averages() -> Comparison:
    """Compare the paper's averages with those that follow from its cells and Appendix A."""
    cells = []
    for budget, methods in SEARCHES.items():
        for name, rows in methods.items():
            for metric, row in rows.items() if "efficiency" in rows else ():
                label = f"{name}, {budget}, {metric}"
                mean = average(row, rows["success"] if metric == "efficiency" else None)
                fact = Fact(mean is not None and abs(mean - row[ALL]) <= _ROUNDING, 1)
                cells.append(Cell(Quantity(row[ALL], label), Quantity(mean, label), fact))
    what = "averages of Tables 2 and 3: means over all tasks; efficiency: over the solved tasks"
    return of_cells(what, cells, "not stated")


def _of_paper_optimality() -> Comparison:
    """Check the paper's optimality without a budget, where every valid plan is a success."""
    cells = []
    for name, row in SEARCHES["unlimited"].items():
        for column, value in row["optimality"].items():
            label, half = f"{name}, {column}", row["success"][column] / 2
            most = half + 1.5 * _DIGIT  # both numbers are rounded
            fact = Fact(0 <= value <= most, 1)
            cells.append(Cell(Quantity(value, label), Quantity(half, label, 0.0, most), fact))
    what = "optimality without a budget (equation 4): at most half of the success rate"
    return of_cells(what, cells, "between 0 and 0.5")


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
    unlimited = [task for task in tasks if task.budget is None]
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
        charts=(omega_chart(found, ordered, len(unlimited)),),
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
