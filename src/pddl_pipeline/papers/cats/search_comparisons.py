"""Comparisons with the statements of CATS on searches, and consistency checks of its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from pddl_pipeline.papers.cats.cells import TASKS, Cell, average, of_cells
from pddl_pipeline.papers.cats.published import (
    ALL,
    BUDGETS,
    MARGINS,
    METRICS,
    PUBLISHED,
    SEARCHES,
    Cells,
)
from pddl_pipeline.papers.cats.search_scores import Method, Scored, paired_success
from pddl_pipeline.papers.cats.search_tables import Methods
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import AllOf, Evidence, Fact, Ordered, Same, ordered
from pddl_pipeline.statistics.mean_difference import (
    difference_from_published_mean,
    difference_of_means,
    mean_of_differences,
)
from pddl_pipeline.statistics.share_differences import ShareDifference
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS

_BOTH: Final = 0.5
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
        *_of_averages(found, trees),
        *_of_distance(found, omegas[0.0]),
        *_of_first_meeting(found, trees["CATS"]),
        *_of_order(found, trees),
        *_of_omega(found, omegas),
        *_of_horizons(found, trees["CATS"]),
        _of_paper_averages(),
        _of_paper_optimality(),
    )


def _averages(scores: Mapping[str, Cells]) -> tuple[Quantity, ...]:
    return tuple(Quantity(cells.get(ALL), metric) for metric, cells in scores.items())


def _of_averages(found: Methods, trees: Mapping[str, str]) -> Iterator[Comparison]:
    for budget in BUDGETS:
        for name, planner in trees.items():
            yield Comparison(
                what=f"{name}, {budget} budget, compared with {planner}",
                paper=_averages(SEARCHES[budget][name]),
                ours=_averages(found[budget, planner].scores),
            )


def _of_distance(found: Methods, planner: str) -> Iterator[Comparison]:
    """Compare the paper's CATS with the distance reward alone, which requires no model."""
    for budget in BUDGETS:
        method = found[budget, planner]
        ours = method.scores
        # Without a solved task there is no efficiency.
        known = [metric for metric in METRICS if ALL in ours[metric]]
        paper = SEARCHES[budget]["CATS"]
        yield Comparison(
            what=f"CATS, {budget} budget, compared with the distance alone ({planner})",
            paper=_averages({metric: paper[metric] for metric in known}),
            ours=_averages({metric: ours[metric] for metric in known}),
            decision=decide(AllOf((*same_success(method, paper["success"]),
                                   *_same_means(method, paper)))),
            remark="tested by horizon: success, and the means of optimality and efficiency, for "
            "which the paper states no spread",
        )  # fmt: skip


def same_success(method: Method, paper: Cells, margin: float = math.inf) -> Iterator[Evidence]:
    """Yield the evidence, by horizon, on whether a method solves as many tasks as the paper's.

    Args:
        method: the method.
        paper: the paper's shares.
        margin: the largest excess of a cost that counts as success.
    """
    for name in HORIZONS:
        if name in method.runs:
            own, tasks = method.solved(name, margin), TASKS[name]
            count, solved = int(own.value or 0), round(paper[name] * tasks)
            yield Same(ShareDifference(count, own.of or 0, solved, tasks), MARGINS.share)


def _same_means(method: Method, paper: Mapping[str, Cells]) -> Iterator[Evidence]:
    """Yield the evidence, by horizon, on means of which the paper states no spread."""
    efficiencies = method.efficiencies()
    for name, runs in method.runs.items():
        solved = round(paper["success"][name] * TASKS[name])
        optimality = [run.optimality for run in runs]
        for metric, values, number in (
            ("optimality", optimality, TASKS[name]), ("efficiency", efficiencies[name], solved),
        ):  # fmt: skip
            mean, known = paper[metric].get(name), number if number > 1 else None
            if mean is None:
                continue
            difference = difference_from_published_mean(values, mean, known)
            if difference is not None:
                yield Same(difference, MARGINS.share)


def _of_first_meeting(found: Methods, planner: str) -> Iterator[Comparison]:
    """Compare with a search that ends when the trees first meet, as Algorithm 1 does."""
    method = found["unlimited", planner]
    for budget, margin in (("tight", 0), ("loose", PUBLISHED.benchmark.loose_margin)):
        paper = SEARCHES[budget]["CATS"]["success"]
        names = [name for name in HORIZONS if name in method.runs]
        yield Comparison(
            what=f"CATS, {budget} budget: success if the search ends when the trees first meet",
            paper=tuple(Quantity(paper[name], name) for name in names),
            ours=tuple(method.solved(name, margin) for name in names),
            decision=decide(AllOf(tuple(same_success(method, paper, margin)))),
            remark=f"plans of {planner} without a budget that cost at most {margin} more than the "
            f"least; on average {method.success(margin).get(ALL, 0.0):.2f}, paper {paper[ALL]:.2f}",
        )


def _of_order(found: Methods, trees: Mapping[str, str]) -> Iterator[Comparison]:
    for budget in BUDGETS:
        names = sorted(trees, key=lambda name: name != "CATS")
        rates = {name: found[budget, trees[name]].success() for name in names}
        methods = [found[budget, trees[name]] for name in names]
        pairs = [paired_success(methods[0], other) for other in methods[1:]]
        yield Comparison(
            what=f"CATS solves most, with the same reward and limit, {budget} budget",
            paper=tuple(Quantity(SEARCHES[budget][name]["success"][ALL], name) for name in rates),
            ours=tuple(Quantity(cells.get(ALL), trees[name]) for name, cells in rates.items()),
            decision=decide(AllOf(tuple(Ordered(each, 1, MARGINS.share) for each in pairs))),
        )


def _of_omega(found: Methods, omegas: Mapping[float, str]) -> Iterator[Comparison]:
    """Compare the three observations on Figure 3, right; the paper only plots its numbers."""
    methods = {omega: found["unlimited", planner] for omega, planner in omegas.items()}
    success, optimality, efficiency = (
        {x: Quantity(each.scores[metric].get(ALL, 0.0), f"omega {x:g}:")
         for x, each in methods.items()}
        for metric in METRICS
    )  # fmt: skip
    least, all_tasks = PUBLISHED.figure3.omega_of_success, PUBLISHED.benchmark.tasks
    shares = [methods[x].solved_of_all() for x in omegas if x >= least]
    yield Comparison(
        what=f"Figure 3: success is nearly perfect if omega is at least {least:g}, no budget",
        paper=(Quantity(1),),
        ours=tuple(each for x, each in success.items() if x >= least),
        decision=decide(AllOf(tuple(
            Same(ShareDifference(*counts, all_tasks, all_tasks), MARGINS.near_perfect)
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
    both = methods.get(_BOTH)
    parts = [_above(both, each, lambda run: run.efficiency) for each in (first, last)] \
        if both is not None else [None]  # fmt: skip
    yield Comparison(
        what="Figure 3: efficiency is best if both rewards count",
        said="decreases if omega is too large",
        ours=tuple(efficiency[x] for x in (_BOTH, min(omegas), max(omegas)) if x in efficiency),
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
            decision=decide(AllOf(tuple(ordered(each, 1, MARGINS.share)
                                        for each in falls)) if falls else None),
        )  # fmt: skip


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
    """Check the paper's optimality under the tight budget, where every success is optimal."""
    cells = []
    for name, row in SEARCHES["tight"].items():
        for column, value in row["optimality"].items():
            label, half = f"{name}, {column}", row["success"][column] / 2
            most = half + 1.5 * _DIGIT  # both numbers are rounded
            fact = Fact(0 <= value <= most, 1)
            cells.append(Cell(Quantity(value, label), Quantity(half, label, 0.0, most), fact))
    what = "optimality under the tight budget (equation 4): at most half of the success rate"
    return of_cells(what, cells, "between 0 and 0.5")
