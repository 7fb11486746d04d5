"""Comparisons with the statements of CATS on searches, and consistency checks of its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pddl_pipeline.studies.cats.lengths import MARGIN
from pddl_pipeline.studies.cats.published import HORIZONS, LENGTHS, horizon
from pddl_pipeline.studies.cats.published_search import (
    BUDGETS,
    TABLE2,
    TABLE3,
    TREES,
    Cells,
)
from pddl_pipeline.studies.cats.search_tables import PAPER_MODEL, Methods
from pddl_pipeline.studies.study_result import Comparison
from pddl_pipeline.tables.text_table import rounded

_NO_MODEL: Final = (
    f"confidence is of {PAPER_MODEL} there, of the goals that hold here: the rate says what search "
    "and distance do without a model"
)
_NEARLY_ALL: Final = 0.98
_SAME: Final = 0.005
"""Averages that differ by less count as equal."""
_NEAR: Final = 0.05
"""A difference of averages that small samples may have."""
_ROUNDING: Final = 0.011
"""The rounding error of averages of rounded cells."""


def comparisons(
    found: Methods, trees: Mapping[str, str], omegas: Mapping[float, str]
) -> tuple[Comparison, ...]:
    """Return the comparisons with all statements.

    Args:
        found: the methods that were run.
        trees: the planner with the same reward by the name of the paper's method.
        omegas: the planner by the weight of confidence, including 0.
    """
    return (
        *_of_success(found, trees),
        *_of_distance(found, omegas[0.0]),
        *_of_first_meeting(found, trees["CATS"]),
        *_of_order(found, trees),
        *_of_omega(found, omegas),
        _of_horizons(found, trees),
        _of_averages(),
        _of_eq4(),
    )


def _of_success(found: Methods, trees: Mapping[str, str]) -> Iterator[Comparison]:
    for budget in BUDGETS:
        for name, planner in trees.items():
            paper, ours = TABLE2[budget][name], found[budget, planner]
            yield Comparison(
                f"{name}, {budget} budget: success; optimality; efficiency (averages)",
                _three(paper.success, paper.optimality, TABLE3[budget][name]),
                f"{planner}: {_three(ours.success, ours.optimality, ours.efficiency)}",
                "not compared",
                _NO_MODEL,
            )


def _three(*cells: Cells) -> str:
    return "; ".join(rounded(each.average) for each in cells)


def _of_distance(found: Methods, planner: str) -> Iterator[Comparison]:
    """Compare the paper's CATS with the distance reward alone, which requires no model."""
    for budget in BUDGETS:
        row, ours = TABLE2[budget]["CATS"], found[budget, planner]
        paper = row.success, row.optimality, TABLE3[budget]["CATS"]
        own = ours.success, ours.optimality, ours.efficiency
        off = [
            abs((a.average or 0.0) - (b.average or 0.0)) for a, b in zip(paper, own, strict=True)
        ]
        yield Comparison(
            f"CATS, {budget} budget, beside the distance alone: success; optimality; efficiency",
            f"{_three(*paper)}, omega 0.5",
            f"{planner}: {_three(*own)}; by horizon "
            + "; ".join(",".join(rounded(value) for value in each[:-1]) for each in own),
            "matched" if max(off) <= _NEAR else "differs",
            "the paper's row needs no model"
            if max(off) <= _NEAR
            else "without a model ours solves as many or more: see the first meeting"
            if (own[0].average or 0.0) >= (paper[0].average or 0.0)
            else "",
        )


def _of_first_meeting(found: Methods, planner: str) -> Iterator[Comparison]:
    """Compare with a search that ends when the trees first meet, as Algorithm 1 does."""
    for budget, margin in (("tight", 0), ("loose", MARGIN)):
        row = TABLE2[budget]["CATS"].success
        method = found["unlimited", planner]
        ours = method.affordable(margin)
        inside = all(
            reach is None or reach.low <= getattr(row, name) <= reach.high
            for name in HORIZONS
            for reach in [method.affordable_interval(name, margin)]
        )
        yield Comparison(
            f"CATS, {budget} budget: success if the first meeting of the trees ends the search",
            ", ".join(rounded(value) for value in row),
            ", ".join(rounded(value) for value in ours),
            "matched" if inside else "differs",
            f"short, mid, long, average; plans of {planner} without a budget that cost at most "
            f"{margin} more than the least; matched: inside our 95 % intervals of all horizons. "
            "Algorithm 1 ends there, ours goes on until the budget allows a plan: "
            + rounded(found[budget, planner].success.average),
        )


def _of_order(found: Methods, trees: Mapping[str, str]) -> Iterator[Comparison]:
    for budget in BUDGETS:
        ours = {name: found[budget, trees[name]].success.average or 0.0 for name in TREES}
        paper = {name: TABLE2[budget][name].success.average or 0.0 for name in TREES}
        yield Comparison(
            f"CATS solves most, with the same reward and limit, {budget} budget",
            ", ".join(f"{name} {value:.2f}" for name, value in paper.items()),
            ", ".join(f"{trees[name]} {value:.2f}" for name, value in ours.items()),
            "matched" if ours["CATS"] > max(ours["ToT"], ours["RAP"]) else "differs",
            f"then {_second(ours)} here, {_second(paper)} there",
        )


def _second(rates: Mapping[str, float]) -> str:
    return sorted(TREES, key=lambda name: -rates[name])[1]


def _of_omega(found: Methods, omegas: Mapping[float, str]) -> Iterator[Comparison]:
    """Compare the three observations on Figure 3, right; the paper only plots its numbers."""
    ours = {omega: found["unlimited", planner] for omega, planner in omegas.items()}
    success = {omega: each.success.average or 0.0 for omega, each in ours.items()}
    optimality = {omega: each.optimality.average or 0.0 for omega, each in ours.items()}
    efficiency = {omega: each.efficiency.average or 0.0 for omega, each in ours.items()}
    few, most = min(ours), max(ours)
    high = [value for omega, value in success.items() if omega >= 0.3]
    yield Comparison(
        "Figure 3: success is nearly perfect for omega of 0.3 and more, unlimited budget",
        "nearly 1",
        _by_omega(success),
        "matched" if min(high) >= _NEARLY_ALL else "differs",
        _NO_MODEL,
    )
    yield Comparison(
        "Figure 3: plans are cheaper the more confidence counts",
        "optimality rises with omega",
        _by_omega(optimality),
        "matched" if optimality[most] > optimality[few] + _SAME else "differs",
        _NO_MODEL + "; failures count 0",
    )
    middle = max(value for omega, value in efficiency.items() if omega not in {few, most})
    yield Comparison(
        "Figure 3: efficiency is best where both rewards count",
        "falls where omega is too large",
        _by_omega(efficiency),
        "matched" if middle >= max(efficiency[few], efficiency[most]) else "differs",
        _NO_MODEL,
    )


def _by_omega(values: Mapping[float, float]) -> str:
    return ", ".join(f"{value:.2f} at {omega:g}" for omega, value in values.items())


def _of_horizons(found: Methods, trees: Mapping[str, str]) -> Comparison:
    cells = [found[budget, trees["CATS"]].efficiency for budget in BUDGETS]
    falls = all(
        values == sorted(values, reverse=True)
        for each in cells
        if (values := [value for value in each[:-1] if value is not None])
    )
    return Comparison(
        "efficiency falls with the horizon (section 5.3)",
        "under every budget",
        "; ".join(
            f"{budget} " + ", ".join(rounded(value) for value in each[:-1])
            for budget, each in zip(BUDGETS, cells, strict=True)
        ),
        "matched" if falls else "differs",
        f"of {trees['CATS']}, short, mid, long",
    )


def _of_averages() -> Comparison:
    """Compare the paper's averages with those that follow from its cells and Appendix A."""
    shares = {
        name: sum(n for steps, n in LENGTHS.items() if horizon(steps) == name) for name in HORIZONS
    }
    off = []
    for budget in BUDGETS:
        for name in TREES:
            row, efficiency = TABLE2[budget][name], TABLE3[budget][name]
            for what, cells in (("success", row.success), ("optimality", row.optimality)):
                off += _off(f"{name}, {budget}, {what}", cells, shares)
            solved = {each: shares[each] * (getattr(row.success, each) or 0.0) for each in HORIZONS}
            off += _off(f"{name}, {budget}, efficiency", efficiency, solved)
    return Comparison(
        "the averages are means over all tasks, failures counting 0; efficiency over the solved",
        "not said",
        "follow from the cells and Appendix A" + (f", but for {'; '.join(off)}" if off else ""),
        "differs" if off else "matched",
        "ours are made so" + ("; an average outside its cells is no mean of them" if off else ""),
    )


def _off(name: str, cells: Cells, weights: Mapping[str, float]) -> list[str]:
    known = [
        (weights[each], value)
        for each, value in zip(HORIZONS, cells[:-1], strict=True)
        if value is not None
    ]
    total = sum(weight for weight, _ in known)
    if not total or cells.average is None:
        return []
    mean = sum(weight * value for weight, value in known) / total
    if abs(mean - cells.average) <= _ROUNDING:
        return []
    return [f"{name} ({cells.average:.2f}, by its cells {mean:.2f})"]


def _of_eq4() -> Comparison:
    """Compare optimality with success under the tight budget, where every success is optimal."""
    above = [
        f"{name} {cells} ({row.optimality[place]:.2f} of {row.success[place]:.2f})"
        for name, row in TABLE2["tight"].items()
        for place, cells in enumerate((*HORIZONS, "average"))
        if (row.optimality[place] or 0.0) - 0.005 > 0.5 * ((row.success[place] or 0.0) + 0.005)
    ]
    return Comparison(
        "optimality under the tight budget (equation 4)",
        "between 0 and 0.5",
        "half of the success rate, whatever the planner, since every success costs the least",
        "differs" if above else "matched",
        f"more than half in the paper: {', '.join(above)}" if above else "",
    )
