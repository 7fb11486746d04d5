"""Comparison of two settings of planners, instance by instance, and its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import number_fields
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.reporting.report import Report, report, store_labels
from pddl_pipeline.reporting.report_tables import NOT_RUN, Pages, ending_text, linked
from pddl_pipeline.reporting.row import Entry, InstanceKey, instance_key, plan_cost
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import TextTable


class RunChange(StrEnum):
    """What the second run is, measured by the first."""

    BETTER = "better"
    """Solved, where the first is not, or cheaper."""
    EQUAL = "equal"
    """Both solved at the same cost."""
    WORSE = "worse"
    """Both solved, the second at a higher cost."""
    LOST = "lost"
    """Solved by the first only."""
    NEITHER = "neither"
    """Solved by neither."""
    NOT_RUN = "not run"
    """One of the runs, or both, were not made."""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """An instance under the two settings."""

    instance: InstanceKey
    size: int
    first: RunResult | None
    """None if the run was not made."""
    second: RunResult | None

    @property
    def change(self) -> RunChange:
        """How the second run compares. Costs decide; times do not, since they are never equal."""
        if self.first is None or self.second is None:
            return RunChange.NOT_RUN
        if not (self.first.solved and self.second.solved):
            if self.first.solved:
                return RunChange.LOST
            return RunChange.BETTER if self.second.solved else RunChange.NEITHER
        one, other = plan_cost(self.first), plan_cost(self.second)
        if one is None or other is None or one.value == other.value:
            return RunChange.EQUAL
        return RunChange.BETTER if other.value < one.value else RunChange.WORSE


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
            found.setdefault(run.instance[0], Counter())[run.change] += 1
        if len(found) > 1:
            found["all"] = sum(found.values(), Counter())
        return found

    def to_json(self) -> Iterator[dict[str, Any]]:
        """Yield a line for each domain, then one for each instance."""
        names = {"first": self.first, "second": self.second}
        for domain, counts in self.counts().items():
            numbers = {change.replace(" ", "_"): counts[change] for change in RunChange}
            yield {"table": "comparison", "domain": domain, **names, **numbers}
        for run in self.runs:
            domain, name = run.instance
            line = {"table": "compared", "domain": domain, "id": name, "size": run.size, **names}
            yield line | {
                "change": str(run.change),
                **_fields("first", run.first),
                **_fields("second", run.second),
            }


def _fields(name: str, result: RunResult | None) -> Mapping[str, Any]:
    return {
        f"{name}_key": None if result is None else result.key,
        f"{name}_outcome": None if result is None else str(result.outcome),
        f"{name}_status": None if result is None or not result.status else str(result.status),
        f"{name}_wall_s": None if result is None else result.wall_s,
        **number_fields(f"{name}_cost", None if result is None else result.cost),
    }


def compare_planners(found: Report, first: str, second: str) -> RunComparison:
    """Return the comparison of two planners of a report.

    Raises:
        InputError: the report has no planner of that name.
    """
    known = sorted({row.planner for row in found.rows})
    for name in (first, second):
        if name not in known:
            raise InputError(f"--compare: the stores have no planner '{name}'{hint(name, known)}")
    entries: list[Entry] = [*found.missing, *found.runs]
    sizes = {instance_key(r): r.size for r in entries if r.planner in (first, second)}
    runs = {(r.planner, instance_key(r)): r for r in found.runs}
    ordered = sorted(sizes, key=lambda instance: (instance[0], sizes[instance], instance[1]))
    return RunComparison(first, second, tuple(
        ComparedRun(each, sizes[each], runs.get((first, each)), runs.get((second, each)))
        for each in ordered
    ))  # fmt: skip


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
    planners = [_planners(found, label) for label in store_labels(stores).values()]
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


def _planners(found: Report, label: str) -> dict[str, str]:
    """Return the planners of a store, by their names without the store's label."""
    names = sorted({row.planner for row in found.rows})
    return {name.removesuffix(label): name for name in names if name.endswith(label)}


# The order in which the instances are listed.
_ORDER: Final = tuple(RunChange(name) for name in (
    "lost", "worse", "better", "equal", "neither", "not run",
))  # fmt: skip


def comparison_tables(
    compared: Sequence[RunComparison], pages: Pages | None = None
) -> list[NamedTable]:
    """Return, for each comparison, a summary by domain and a table by instance."""
    return [
        table for each in compared for table in (summary_table(each), _by_instance(each, pages))
    ]


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
    ends = " -> ".join(map(_ending, (run.first, run.second)))
    return f"{run.change}: {run.instance[1]}: {ends}"


def _by_instance(compared: RunComparison, pages: Pages | None) -> NamedTable:
    pages = pages or {}
    names = (compared.first, compared.second)
    rows = tuple(
        (
            run.instance[1], run.instance[0], str(run.size), str(run.change),
            *(
                _ending(r) if r is None else linked(_ending(r), pages.get((name, r.key), ()))
                for name, r in zip(names, (run.first, run.second), strict=True)
            ),
        )
        for run in sorted(compared.runs, key=lambda run: _ORDER.index(run.change))
    )  # fmt: skip
    headings = ("instance", "domain", "size", "change", *names)
    title = f"{_title(compared)}, by instance"
    return NamedTable(title, TextTable(headings, rows, names=len(headings)))


def _title(compared: RunComparison) -> str:
    return f"{compared.second}, compared with {compared.first}"


def _ending(result: RunResult | None) -> str:
    return NOT_RUN if result is None else ending_text(result)
