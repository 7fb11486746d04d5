"""Comparisons with the statements of CATS on searches, and consistency checks of its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pddl_pipeline.studies.cats.cells import average, of_cells
from pddl_pipeline.studies.cats.published import ALL, BUDGETS, METRICS, PUBLISHED, SEARCHES, Cells
from pddl_pipeline.studies.cats.search_tables import Methods
from pddl_pipeline.studies.comparison import Comparison, Quantity, Rule
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS

_IMPERFECT: Final = 0.02
"""The largest share of failures of a nearly perfect success rate."""
_SAME: Final = 0.005
"""Averages that differ by less count as equal."""
_NEAR: Final = 0.05
"""A difference of averages that small samples may have."""
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
                rule=Rule.NONE,
            )


def _of_distance(found: Methods, planner: str) -> Iterator[Comparison]:
    """Compare the paper's CATS with the distance reward alone, which requires no model."""
    for budget in BUDGETS:
        ours = found[budget, planner].scores
        # Without a solved task there is no efficiency, and success differs.
        known = [metric for metric in METRICS if ALL in ours[metric]]
        paper = SEARCHES[budget]["CATS"]
        yield Comparison(
            what=f"CATS, {budget} budget, compared with the distance alone ({planner})",
            paper=_averages({metric: paper[metric] for metric in known}),
            ours=_averages({metric: ours[metric] for metric in known}),
            rule=Rule.EQUAL,
            margin=_NEAR,
        )


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
            rule=Rule.INSIDE,
            remark=f"plans of {planner} without a budget that cost at most {margin} more than the "
            f"least; on average {method.success(margin).get(ALL, 0.0):.2f}, paper {paper[ALL]:.2f}",
        )


def _of_order(found: Methods, trees: Mapping[str, str]) -> Iterator[Comparison]:
    for budget in BUDGETS:
        names = sorted(trees, key=lambda name: name != "CATS")
        rates = {name: found[budget, trees[name]].success() for name in names}
        yield Comparison(
            what=f"CATS solves most, with the same reward and limit, {budget} budget",
            paper=tuple(Quantity(SEARCHES[budget][name]["success"][ALL], name) for name in rates),
            ours=tuple(Quantity(cells.get(ALL), trees[name]) for name, cells in rates.items()),
            rule=Rule.LARGEST,
        )


def _of_omega(found: Methods, omegas: Mapping[float, str]) -> Iterator[Comparison]:
    """Compare the three observations on Figure 3, right; the paper only plots its numbers."""
    scores = {omega: found["unlimited", planner].scores for omega, planner in omegas.items()}
    success, optimality, efficiency = (
        [Quantity(each[metric].get(ALL, 0.0), f"omega {x:g}:") for x, each in scores.items()]
        for metric in METRICS
    )
    least = PUBLISHED.figure3.omega_of_success
    yield Comparison(
        what=f"Figure 3: success is nearly perfect if omega is at least {least:g}, no budget",
        paper=(Quantity(1),),
        ours=tuple(each for x, each in zip(omegas, success, strict=True) if x >= least),
        rule=Rule.EQUAL,
        margin=_IMPERFECT,
    )
    yield Comparison(
        what="Figure 3: plans are cheaper with a larger weight of confidence",
        said="optimality rises with omega",
        ours=tuple(optimality),
        rule=Rule.RISES,
        margin=_SAME,
    )
    first, *middle, last = efficiency
    yield Comparison(
        what="Figure 3: efficiency is best if both rewards count",
        said="decreases if omega is too large",
        ours=(max(middle, key=lambda each: each.value or 0.0), first, last),
        rule=Rule.AT_LEAST,
    )


def _of_horizons(found: Methods, planner: str) -> Iterator[Comparison]:
    for budget in BUDGETS:
        ours = found[budget, planner].scores["efficiency"]
        paper = SEARCHES[budget]["CATS"]["efficiency"]
        yield Comparison(
            what=f"efficiency falls with the horizon (section 5.3), {budget} budget",
            paper=tuple(Quantity(paper[name], name) for name in HORIZONS),
            ours=tuple(Quantity(ours[name], name) for name in HORIZONS if name in ours),
            rule=Rule.DESCENDING,
        )


def _of_paper_averages() -> Comparison:
    """Compare the paper's averages with those that follow from its cells and Appendix A."""
    cells = [
        Comparison(
            what=(label := f"{name}, {budget}, {metric}"),
            paper=(Quantity(row[ALL], label),),
            ours=(
                Quantity(average(row, rows["success"] if metric == "efficiency" else None), label),
            ),
            rule=Rule.EQUAL,
            margin=_ROUNDING,
        )
        for budget, methods in SEARCHES.items()
        for name, rows in methods.items()
        if "efficiency" in rows
        for metric, row in rows.items()
    ]
    what = "averages of Tables 2 and 3: means over all tasks; efficiency: over the solved tasks"
    return of_cells(what, cells, "not stated")


def _of_paper_optimality() -> Comparison:
    """Check the paper's optimality under the tight budget, where every success is optimal."""
    cells = []
    for name, row in SEARCHES["tight"].items():
        for column, value in row["optimality"].items():
            label, half = f"{name}, {column}", row["success"][column] / 2
            ours = Quantity(half, label, 0.0, half + 1.5 * _DIGIT)  # both numbers are rounded
            paper = (Quantity(value, label),)
            cells.append(Comparison(what=label, paper=paper, ours=(ours,), rule=Rule.INSIDE))
    what = "optimality under the tight budget (equation 4): at most half of the success rate"
    return of_cells(what, cells, "between 0 and 0.5")
