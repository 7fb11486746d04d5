"""Reports on run stores. Equal results give equal reports, byte for byte."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from os import PathLike
from pathlib import Path
from typing import Any

from pddl_pipeline.model.errors import check_type
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.row import (
    Entry,
    InstanceKey,
    PlanCost,
    Repetitions,
    Row,
    instance_key,
    make_row,
    plan_cost,
    repetitions,
)
from pddl_pipeline.reporting.stored_plans import MissingRun, StoredPlans
from pddl_pipeline.runs.rejudging import older_version
from pddl_pipeline.runs.store import iterate_store, store_folders
from pddl_pipeline.runs.stored_commands import StoredCommand
from pddl_pipeline.tables.columns import Rows

Runs = tuple[RunResult, ...]
Section = tuple[str, Runs]
"""A title, and the runs under it."""


@dataclass(frozen=True, slots=True)
class Report(Rows):
    """A summary of a set of runs. As a data frame, it has `rows`."""

    runs: Runs
    """The newest run of each repetition of a planner on an instance, sorted by domain, planner,
    size, id and repetition; without the plans, which would need too much memory."""
    best: Mapping[InstanceKey, PlanCost] = field(hash=False)
    """The best valid plan of any run, including superseded runs, by instance."""
    rows: tuple[Row, ...]
    """One row per domain and planner."""
    totals: tuple[Row, ...]
    """One row per planner, over all domains; empty if there is only one domain."""
    sizes: tuple[Row, ...]
    """One row per domain, size and planner."""
    by_instance: tuple[Repetitions, ...] = field(hash=False)
    """The planned runs by planner and instance, sorted like `runs`."""
    older: Mapping[int, int] = field(hash=False)
    """The number of stored verdicts of each version that is older than this program's."""
    missing: tuple[MissingRun, ...] = field(default=(), hash=False)
    """The planned runs that were not made yet, sorted like `runs`."""
    commands: tuple[StoredCommand, ...] = field(default=(), hash=False)
    """The commands that wrote to the stores, without their runs, sorted by time."""
    damaged: tuple[str, ...] = ()
    """What is wrong with each damaged line of the stores; their runs do not count."""

    def __repr__(self) -> str:
        claimed = sum(result.claimed for result in self.runs)
        solved = sum(result.solved for result in self.runs)
        return f"<Report: {len(self.runs)} runs, {claimed} claimed, {solved} validated>"

    def _repr_html_(self) -> str:
        return notebook_html(self)

    def _objects(self) -> Iterator[dict[str, Any]]:
        return (row.to_json() for row in self.rows)

    @property
    def planned(self) -> int:
        """The number of planned runs, made or not."""
        return len(self.runs) + len(self.missing)

    @property
    def unread(self) -> list[str]:
        """The PDDL files that the commands could not read, each with the error.

        Of a command that was repeated, the last call counts.
        """
        return sorted(set(chain(*{each.command: each.unread for each in self.commands}.values())))

    @property
    def rewritten(self) -> int:
        """The number of runs whose planner was given canonical PDDL."""
        return sum(result.rewritten for result in self.runs)

    @property
    def mixed(self) -> Counter[str]:
        """The number of instances by planner whose repetitions have different limits."""
        return Counter(
            each.planner
            for each in self.by_instance
            if len(each.results) > 1 and len({str(run.limits) for run in each.results}) > 1
        )

    @property
    def urgent(self) -> list[Section]:
        """The runs to inspect before relying on the tables."""
        return [
            (
                "Disputed or undecided verdicts",
                self._where(lambda r: r.status and r.status.is_valid is None),
            ),
            ("Unexplained: crashed or lost", self._where(lambda r: r.outcome.unexplained)),
            (
                "Disputed: claimed unsolvable, but solved by another run",
                self._where(self._claims_too_little),
            ),
            (
                "Claimed optimal, but another run has a better plan",
                self._where(self._claims_too_much),
            ),
        ]

    @property
    def false_claims(self) -> Section:
        """The claims that the validator rejects."""
        failed = self._where(lambda r: r.status and r.status.is_valid is False)
        return "Claimed plans that fail validation", failed

    @property
    def further(self) -> list[Section]:
        """The other runs without a valid plan within the budget."""
        return [
            ("Valid plans over their budget", self._where(lambda r: r.within_budget is False)),
            ("Claimed unsolvable", self._where(lambda r: r.claims_unsolvable)),
            (
                "Runs without a plan",
                self._where(
                    lambda r: not (r.status or r.outcome.unexplained or r.claims_unsolvable)
                ),
            ),
        ]

    @property
    def sections(self) -> list[Section]:
        """All lists of runs, the most urgent first."""
        return [*self.urgent, self.false_claims, *self.further]

    def why(self, result: RunResult) -> str:
        """Return the reason why a run is listed in a section, in a few words."""
        own = "" if result.cost is None else f"costs {number_text(result.cost)}"
        if self._claims_too_little(result) or self._claims_too_much(result):
            best = self.best[instance_key(result)]
            unit = "of steps" if best.in_steps else "of cost"
            other = f"{best.planner} has a plan {unit} {number_text(best.value)}"
            return f"{own}, {other}" if own else other
        return own if result.within_budget is False else result.reason or ""

    def _where(self, wanted: Callable[[RunResult], object]) -> Runs:
        return tuple(filter(wanted, self.runs))

    def _claims_too_little(self, result: RunResult) -> bool:
        return result.claims_unsolvable and instance_key(result) in self.best

    def _claims_too_much(self, result: RunResult) -> bool:
        if not result.optimal or result.status is not Status.VALID or result.cost is None:
            return False
        best = self.best[instance_key(result)]
        return best.rank < (-result.cost if best.maximise else result.cost)


def report(*stores: str | Path, by_store: bool = False) -> Report:
    """Summarise run stores, or folders that contain the shards of one.

    If a planner has several runs of a repetition on an instance, under different limits for
    example, the newest counts.

    Args:
        stores: the folders.
        by_store: whether the same planner in two of these folders counts as two planners, each with
            the name of its folder behind its own.

    Raises:
        InputError: a folder is not a run store.
        StoreError: a newer version of this program wrote a line.
    """
    for each in stores:
        check_type("stores", each, str | PathLike, "the folders of run stores")
    plans, sources, damaged = StoredPlans(), list[tuple[Path, str]](), list[str]()
    for store, label in store_labels(stores).items():
        shown = label if by_store else ""
        sources += [(folder, shown) for folder in store_folders(store)]
        plans.add(store, shown)
    results = (
        replace(result, planner=f"{result.planner}{label}") if label else result
        for folder, label in sources
        for result in iterate_store(folder, damaged)
    )
    return replace(summarise(results, plans), damaged=tuple(damaged))


def store_labels(stores: Sequence[str | Path]) -> dict[Path, str]:
    """Return what follows a planner's name for each store: its path, as short as is distinct."""
    folders = [Path(store) for store in dict.fromkeys(map(Path, stores))]
    longest = max((len(folder.absolute().parts) for folder in folders), default=1)
    ends: dict[Path, str] = {}
    for length in range(1, longest + 1):
        ends = {folder: "/".join(folder.absolute().parts[-length:]) for folder in folders}
        if len(set(ends.values())) == len(folders):
            break
    return {folder: f" ({end})" for folder, end in ends.items()}


def summarise(results: Iterable[RunResult], plans: StoredPlans | None = None) -> Report:
    """Return the report on these results, in any order; see `report`.

    Args:
        results: the runs.
        plans: what the commands were to make; None if that is not recorded.
    """
    newest: dict[tuple[str, str, str, int], RunResult] = {}
    best: dict[InstanceKey, PlanCost] = {}
    older = Counter[int]()
    for result in results:
        version = older_version(result)
        if version is not None:
            older[version] += 1
        run = result.domain, result.planner, result.id, result.repetition
        held = newest.get(run)
        if held is None or (held.started, held.key) <= (result.started, result.key):
            newest[run] = replace(result, plan=None)
        cost = plan_cost(result)
        if cost is not None:
            key = instance_key(result)
            best[key] = min(best.get(key, cost), cost)
    plans = plans or StoredPlans()
    runs = sorted(newest.values(), key=_order)
    missing = sorted(plans.missing(runs), key=_order)
    instances = repetitions(sorted([*runs, *missing], key=_order))
    rows, sizes = _by_domain(instances, best)
    several = len({row.domain for row in rows}) > 1
    totals = _by_planner(instances, best, "all") if several else []
    return Report(
        tuple(runs), best, tuple(rows), tuple(totals), tuple(sizes), tuple(instances), older,
        tuple(missing), tuple(plans.commands),
    )  # fmt: skip


def _order(entry: Entry) -> tuple[str, str, int, str, int]:
    return entry.domain, entry.planner, entry.size, entry.id, entry.repetition


def _by_domain(
    instances: Sequence[Repetitions], best: Mapping[InstanceKey, PlanCost]
) -> tuple[list[Row], list[Row]]:
    """Return the rows by domain and planner, and those by domain, size and planner."""
    rows: list[Row] = []
    sizes: list[Row] = []
    for domain, members in _groups(instances, lambda each: each.instance[0]):
        rows += _by_planner(members, best, domain)
        common = _common(members)
        sizes += [
            make_row(group, best, common, domain, size)
            for (size, _), group in _groups(members, lambda each: (each.size, each.planner))
        ]
    return rows, sizes


def _by_planner(
    instances: Sequence[Repetitions], best: Mapping[InstanceKey, PlanCost], domain: str
) -> list[Row]:
    common = _common(instances)
    return [
        make_row(group, best, common, domain)
        for _, group in _groups(instances, lambda each: each.planner)
    ]


def _groups(
    instances: Iterable[Repetitions], key: Callable[[Repetitions], Any]
) -> Iterator[tuple[Any, list[Repetitions]]]:
    for name, members in groupby(sorted(instances, key=key), key=key):
        yield name, list(members)


def _common(instances: Iterable[Repetitions]) -> set[InstanceKey]:
    """Return the instances that every planner among these solved in each repetition."""
    solved: dict[str, set[InstanceKey]] = defaultdict(set)
    for each in instances:
        # A planner that solves nothing has an empty set.
        is_solved = not each.missing and all(run.solved for run in each.results)
        solved[each.planner].update([each.instance] if is_solved else [])
    return set.intersection(*solved.values())
