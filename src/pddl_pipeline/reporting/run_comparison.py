"""Comparison of two settings of planners, instance by instance, and its tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import number_fields
from pddl_pipeline.model.suggestion import check_name
from pddl_pipeline.reporting.report import Report, report, store_labels
from pddl_pipeline.reporting.report_tables import Pages, ending
from pddl_pipeline.reporting.row import Repetitions, average, maximised, mean_par_s, plan_cost
from pddl_pipeline.statistics.differences import sign_test
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, p_text, rounded


class RunChange(StrEnum):
    """What the second setting is on an instance, measured by the first."""

    BETTER = "better"
    """Solved, where the first is not, or better; of repetitions, solved in a larger share."""
    EQUAL = "equal"
    """Both solved at the same cost."""
    WORSE = "worse"
    """Both solved, the second at a worse cost."""
    LOST = "lost"
    """Solved by the first only; of repetitions, in a larger share."""
    NEITHER = "neither"
    """Solved by neither."""
    NOT_RUN = "not run"
    """One of the runs, or both, were not made."""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """An instance under the two settings."""

    first: Repetitions
    second: Repetitions
    change: RunChange


def change_of(first: Repetitions, second: Repetitions) -> RunChange:
    """Return how the second setting compares. Times do not decide, since they are never equal."""
    if not (first.results and second.results):
        return RunChange.NOT_RUN
    share, other_share = first.solved_share(), second.solved_share()
    if share != other_share:
        return RunChange.LOST if share > other_share else RunChange.BETTER
    cost, other_cost = mean_cost(first), mean_cost(second)
    if cost is None or other_cost is None or cost == other_cost:
        return RunChange.EQUAL if share else RunChange.NEITHER
    is_better = (other_cost > cost) is maximised(first, second)
    return RunChange.BETTER if is_better else RunChange.WORSE


def mean_cost(each: Repetitions) -> Fraction | None:
    """Return the mean cost of the solved runs, in steps where the cost is not known."""
    mean: Fraction | None = each.mean(lambda run: (cost := plan_cost(run)) and cost.value)
    return mean


class Measure(NamedTuple):
    """A measure of the two settings, over instances, with the sign test."""

    name: str
    pairs: Sequence[tuple[Fraction, Fraction]]
    """The values of each instance."""
    more_is_better: bool = False

    @property
    def means(self) -> tuple[Fraction | None, Fraction | None]:
        """The mean of each setting over the instances; None if there are none."""
        first, second = (average([pair[which] for pair in self.pairs]) for which in (0, 1))
        return first, second

    @property
    def better(self) -> tuple[int, int]:
        """The number of instances on which each setting is better."""
        more = [sum(pair[one] > pair[1 - one] for pair in self.pairs) for one in (0, 1)]
        return (more[0], more[1]) if self.more_is_better else (more[1], more[0])

    @property
    def ratio(self) -> float | None:
        """The geometric mean of the second setting's values divided by the first's.

        None for a measure of which more is better, and if a value is not positive.
        """
        if self.more_is_better or not self.pairs or min(map(min, self.pairs)) <= 0:
            return None
        return math.exp(fmean(_log(second) - _log(first) for first, second in self.pairs))

    @property
    def p(self) -> float:
        """The two-sided p of the sign test: each setting is better equally often."""
        return sign_test(*self.better)


def _log(value: Fraction) -> float:
    """Return the logarithm of a number that may be too large for a float."""
    return math.log(value.numerator) - math.log(value.denominator)


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two settings and the instances that either was to run on."""

    first: str
    """Name of the planner, with its store if two stores are compared."""
    second: str
    runs: tuple[ComparedRun, ...]
    """Sorted by domain, size and id."""

    def counts(self) -> dict[str, Counter[RunChange]]:
        """Return the number of instances by domain and change; ``all`` if there are several."""
        found: dict[str, Counter[RunChange]] = {}
        for run in self.runs:
            found.setdefault(run.first.instance[0], Counter())[run.change] += 1
        if len(found) > 1:
            found["all"] = sum(found.values(), Counter())
        return found

    def measures(self) -> list[Measure]:
        """Return coverage, cost and time, with a sign test each.

        The sign test needs no assumption on how costs and times of instances relate to each other.
        """
        made = [run for run in self.runs if run.change is not RunChange.NOT_RUN]
        either = [run for run in made if run.change is not RunChange.NEITHER]
        costs = [
            Measure(name, _pairs(runs, mean_cost), more)
            for more, name in ((False, "cost"), (True, "maximised cost"))
            for runs in [[run for run in made if maximised(run.first, run.second) is more]]
        ]
        return [
            Measure(
                "coverage (%)", _pairs(made, lambda e: 100 * e.solved_share()), more_is_better=True
            ),
            *(cost for cost in costs if cost.pairs or not cost.more_is_better),
            Measure("PAR-2 (s)", _pairs(either, mean_par_s)),
        ]

    def to_json(self) -> Iterator[dict[str, Any]]:
        """Yield a line for each domain, then one for each measure, then one for each instance."""
        names = {"first": self.first, "second": self.second}
        for domain, counts in self.counts().items():
            numbers = {change.replace(" ", "_"): counts[change] for change in RunChange}
            yield {"table": "comparison", "domain": domain, **names, **numbers}
        for measure in self.measures():
            yield {
                "table": "comparison_tests", "measure": measure.name, **names,
                "instances": len(measure.pairs),
                **number_fields("first_mean", measure.means[0]),
                **number_fields("second_mean", measure.means[1]),
                "first_better": measure.better[0], "second_better": measure.better[1],
                "ratio": measure.ratio, "test": "sign test", "p": measure.p,
            }  # fmt: skip
        for run in self.runs:
            domain, name = run.first.instance
            yield {
                "table": "compared",
                "domain": domain,
                "id": name,
                "size": run.first.size,
                **names,
                "change": str(run.change),
                **_fields("first", run.first),
                **_fields("second", run.second),
            }


def _pairs(
    runs: Iterable[ComparedRun], value: Callable[[Repetitions], Fraction | float | None]
) -> list[tuple[Fraction, Fraction]]:
    """Return the values of both settings on the instances where both are known."""
    found = ((value(run.first), value(run.second)) for run in runs)
    return [
        (Fraction(first), Fraction(second))
        for first, second in found
        if first is not None and second is not None
    ]


def _fields(name: str, each: Repetitions) -> Mapping[str, Any]:
    """Return the fields of a run; of repetitions, the first one's key, outcome and status."""
    result = next(iter(each.results), None)
    return {
        f"{name}_key": None if result is None else result.key,
        f"{name}_outcome": None if result is None else str(result.outcome),
        f"{name}_status": None if result is None or not result.status else str(result.status),
        f"{name}_runs": len(each.results),
        f"{name}_solved": float(each.solved_share()),
        f"{name}_wall_s": fmean(run.wall_s for run in each.results) if result is not None else None,
        **number_fields(f"{name}_cost", each.mean(lambda run: run.cost)),
    }


def compare_planners(found: Report, first: str, second: str) -> RunComparison:
    """Return the comparison of two planners of a report.

    Raises:
        InputError: the report has no planner of that name.
    """
    known, names = sorted({row.planner for row in found.rows}), (first, second)
    for name in names:
        check_name(name, known, "--compare: the stores have no planner")
    runs = {(each.planner, each.instance): each for each in found.by_instance}
    sizes = {instance: each.size for (name, instance), each in runs.items() if name in names}
    ordered = sorted(sizes, key=lambda instance: (instance[0], sizes[instance], instance[1]))
    pairs = (
        [runs.get((name, key)) or Repetitions(name, key, sizes[key], [], []) for name in names]
        for key in ordered
    )
    compared = (ComparedRun(one, other, change_of(one, other)) for one, other in pairs)
    return RunComparison(first, second, tuple(compared))


def compare_stores(stores: Sequence[str | Path]) -> tuple[Report, list[RunComparison]]:
    """Return the report on two stores, by store, and the comparison of their planners.

    Planners of one name are compared; if each store has a single planner, these are.

    Raises:
        InputError: there are not two stores, or they have no planner in common.
        StoreError: a store has a broken line.
    """
    if len(dict.fromkeys(map(Path, stores))) != 2:
        raise InputError(
            "--compare: expected two run stores, such as A B --compare, or two planners, "
            "such as A --compare lama-first,enhsp"
        )
    found = report(*stores, by_store=True)
    names = sorted({row.planner for row in found.rows})
    # By the name without the store's label.
    planners = [
        {name.removesuffix(label): name for name in names if name.endswith(label)}
        for label in store_labels(stores).values()
    ]
    common = [name for name in planners[0] if name in planners[1]]
    if common:
        pairs = [(planners[0][name], planners[1][name]) for name in common]
    elif len(planners[0]) == len(planners[1]) == 1:
        pairs = [(*planners[0].values(), *planners[1].values())]  # type: ignore[list-item]
    else:
        raise InputError(
            f"--compare: the stores have no planner in common: {', '.join(planners[0])} and "
            f"{', '.join(planners[1])}"
        )
    return found, [compare_planners(found, *pair) for pair in pairs]


# The order in which the instances are listed.
_ORDER: Final = tuple(RunChange(name) for name in (
    "lost", "worse", "better", "equal", "neither", "not run",
))  # fmt: skip


def comparison_tables(
    compared: Sequence[RunComparison], pages: Pages | None = None
) -> list[NamedTable]:
    """Return, for each comparison, a summary by domain, the tests, and a table by instance."""
    return [
        table
        for each in compared
        for table in (summary_table(each), test_table(each), _by_instance(each, pages))
    ]


def comparison_rows(compared: Sequence[RunComparison]) -> TextTable:
    """Return the comparisons by instance with all numbers, for CSV."""
    lines = [line for each in compared for line in each.to_json() if line["table"] == "compared"]
    names = [name for name in next(iter(lines), {}) if name != "table"]
    rows = ([line[name] for name in names] for line in lines)
    cells = tuple(tuple("" if each is None else str(each) for each in row) for row in rows)
    return TextTable(tuple(names), cells, names=len(names))


def test_table(compared: RunComparison) -> NamedTable:
    """Return the measures with their tests."""
    rows = tuple(
        (
            measure.name,
            str(len(measure.pairs)),
            *map(rounded, measure.means),
            *map(str, measure.better),
            rounded(measure.ratio, 3),
            _p(measure),
        )
        for measure in compared.measures()
    )
    return NamedTable(
        f"Sign tests over instances; first: {compared.first}, second: {compared.second}",
        TextTable(_TESTED, rows, names=1),
    )


_TESTED: Final = (
    "measure", "instances", "first", "second", "first better", "second better", "ratio", "p",
)  # fmt: skip


def _p(each: Measure) -> str:
    """Return p, marked if so few instances differ that it cannot be below 0.05."""
    if not each.pairs:
        return NO_NUMBER
    few = f" (n<{_FEWEST})" if sum(each.better) < _FEWEST else ""
    return f"{p_text(each.p)}{few}"


# If all of n instances differ in one direction, p is 2 / 2**n: 0.0625 of 5, 0.03125 of 6.
_FEWEST: Final = 6
"""The number of differing instances from which on the sign test can have p below 0.05."""


def summary_table(compared: RunComparison) -> NamedTable:
    """Return the number of instances by domain and change."""
    rows = tuple(
        (domain, *(str(counts[change]) for change in RunChange))
        for domain, counts in compared.counts().items()
    )
    return NamedTable(_title(compared), TextTable(("domain", *RunChange), rows, names=1))


def changed_runs(compared: RunComparison) -> list[ComparedRun]:
    """Return the instances that differ, the lost ones first."""
    listed = _ORDER[:3]
    return sorted(
        (run for run in compared.runs if run.change in listed),
        key=lambda run: listed.index(run.change),
    )


def change_text(run: ComparedRun) -> str:
    """Return an instance's change in a line."""
    return (
        f"{run.change}: {'/'.join(run.first.instance)}: {ending(run.first)} -> {ending(run.second)}"
    )


def _by_instance(compared: RunComparison, pages: Pages | None) -> NamedTable:
    rows = tuple(
        (
            *reversed(run.first.instance),
            str(run.first.size),
            str(run.change),
            ending(run.first, pages),
            ending(run.second, pages),
        )
        for run in sorted(compared.runs, key=lambda run: _ORDER.index(run.change))
    )
    headings = ("instance", "domain", "size", "change", compared.first, compared.second)
    return NamedTable(
        f"{_title(compared)}, by instance", TextTable(headings, rows, names=len(headings))
    )


def _title(compared: RunComparison) -> str:
    return f"{compared.second}, compared with {compared.first}"
