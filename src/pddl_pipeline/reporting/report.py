"""Reports on run stores. Equal results give equal reports, byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import check_type
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.planned_runs import MissingRun, PlannedRuns
from pddl_pipeline.reporting.row import InstanceKey, Kind, PlanCost, Repetitions, Row, instance_key
from pddl_pipeline.reporting.stored_runs import Instances, NewestRuns, Read, Runs, report_order
from pddl_pipeline.runs.store import RunsByPlace, store_folders
from pddl_pipeline.runs.stored_commands import StoredCommand
from pddl_pipeline.tables.columns import Rows

Section = tuple[str, Runs]
"""A title, and the runs under it."""


@dataclass(frozen=True, slots=True)
class Report(Rows):
    """A summary of a set of runs. As a data frame, it has `rows`."""

    runs: Runs = field(hash=False)
    """The newest run of each repetition of a planner on an instance, sorted by domain, planner,
    size, id and repetition."""
    best: Mapping[InstanceKey, PlanCost] = field(hash=False)
    """The best valid plan of any run, including superseded runs, by instance."""
    rows: tuple[Row, ...]
    """One row per domain and planner."""
    totals: tuple[Row, ...]
    """One row per planner, over all domains; empty if there is only one domain."""
    sizes: tuple[Row, ...]
    """One row per domain, size and planner."""
    by_instance: Iterable[Repetitions] = field(hash=False, compare=False)
    """The planned runs by planner and instance, sorted like `runs`."""
    facts: Facts = field(hash=False, compare=False)
    """What tables and lists show of all runs."""
    older: Mapping[int, int] = field(hash=False)
    """The number of stored verdicts of each version that is older than this program's."""
    missing: tuple[MissingRun, ...] = field(default=(), hash=False)
    """The planned runs that were not made yet, sorted like `runs`."""
    commands: tuple[StoredCommand, ...] = field(default=(), hash=False)
    """The commands that wrote to the stores, without their runs, sorted by time."""
    damaged: tuple[str, ...] = ()
    """What is wrong with each damaged line of the stores; their runs do not count."""

    def __repr__(self) -> str:
        outcomes, solved = self.facts.counts["outcome"], self.facts.counts["solved"][True]
        claimed = sum(outcomes[outcome] for outcome in outcomes if outcome[1] is Outcome.PLAN_FOUND)
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
        return sorted(
            set(chain(*{command.command: command.unread for command in self.commands}.values()))
        )

    @property
    def urgent(self) -> list[Section]:
        """The runs to inspect before relying on the tables; last, the claims that are rejected."""
        return self.sections[:_URGENT]

    @property
    def further(self) -> list[Section]:
        """The other runs without a valid plan within the budget."""
        return self.sections[_URGENT:]

    @property
    def sections(self) -> list[Section]:
        """All lists of runs, the most urgent first."""
        return list(self.facts.listed.items())

    def why(self, result: RunResult) -> str:
        """Return the reason why a run is listed in a section, in a few words."""
        own = "" if result.cost is None else f"costs {number_text(result.cost)}"
        best = self.best.get(instance_key(result))
        claims_best = result.optimal and result.status is Status.VALID
        too_much = claims_best and is_better(best, result.cost)
        if best and (result.claims_unsolvable or too_much):
            unit = "of steps" if best.in_steps else "of cost"
            other = f"{best.planner} has a plan {unit} {number_text(best.value)}"
            return f"{own}, {other}" if own else other
        return own if result.within_budget is False else result.reason or result.meanings


def is_better(best: PlanCost | None, cost: Number | None) -> bool:
    """Return whether the best known plan is better than a plan of a cost, where both are known."""
    if best is None or cost is None:
        return False
    return bool(best.rank < (-cost if best.maximise else cost))


_SECTIONS: Final[dict[str, Callable[[RunResult, bool, bool], object]]] = {
    "Disputed or undecided verdicts": lambda r, _, __: r.status and r.status.is_valid is None,
    "Crashed runs": lambda r, _, __: r.outcome is Outcome.CRASH,
    "Lost runs": lambda r, _, __: r.outcome is Outcome.LOST,
    "Disputed: claimed unsolvable, but solved by another run": lambda r, is_solved, _: (
        r.claims_unsolvable and is_solved
    ),
    "Claimed optimal, but another run has a better plan": lambda r, _, is_beaten: (
        is_beaten and r.optimal and r.status is Status.VALID
    ),
    "Invalid plans": lambda r, _, __: r.status and r.status.is_valid is False,
    "Valid plans over their budget": lambda r, _, __: r.within_budget is False,
    "Claimed unsolvable": lambda r, _, __: r.claims_unsolvable,
    "Runs without a plan": lambda r, _, __: (
        not (r.status or r.outcome.unexplained or r.claims_unsolvable)
    ),
    "Valid in steps of time, but not continuously": lambda r, _, __: (
        r.solved and r.continuous not in (None, Status.VALID)
    ),
}
"""Which runs each list has, by the kind of a run. The function also gets whether any run has a
valid plan for the instance, and whether the best is better than the plan of this run."""
_URGENT: Final = 6
"""The number of lists to inspect first."""


LIMITS: Final = ("time_s", "cpu_s", "memory_mb")
"""The limits of a run that a report shows."""
_COUNTED: Final[dict[str, Callable[[RunResult], Any]]] = {
    "outcome": lambda run: (run.planner, run.outcome),
    "version": lambda run: (run.planner, run.planner_version),
    "limits": lambda run: tuple(map(run.limits.get, LIMITS)),
    "solved": lambda run: run.solved,
    "rewritten": lambda run: run.rewritten,
    # Without a metric, the cost is the number of steps.
    "undirected": lambda run: run.maximise is None and run.cost not in (None, run.steps),
}


class Facts:
    """What tables and lists show of all runs, collected in one pass."""

    def __init__(self, read: Read) -> None:
        """Start without runs; a function returns the run at a place."""
        self._listed_in: dict[tuple[Kind, bool, bool], list[Runs]] = {}
        self._runs = Counter[Kind]()
        self.started: tuple[str, ...] = ()
        """When the first and the last run started."""
        self.listed: dict[str, Runs] = {title: Runs(read) for title in _SECTIONS}
        """The runs of each list."""
        self.repeated = 0
        """The number of planners and instances with several repetitions."""
        self.mixed = Counter[str]()
        """The number of instances by planner whose repetitions have different limits."""
        self.unequal: list[str] = []
        """The domains in which the planners solved different instances."""

    def add(self, place: int, kind: Kind, *, is_solved: bool, is_beaten: bool) -> None:
        """Add a run at a place, of a kind; see `_SECTIONS`."""
        self._runs[kind] += 1
        state = kind, is_solved, is_beaten
        lists = self._listed_in.get(state)
        if lists is None:
            lists = self._listed_in[state] = [
                self.listed[title]
                for title, wanted in _SECTIONS.items()
                if wanted(kind.run, is_solved, is_beaten)
            ]
        for runs in lists:
            runs.places.append(place)

    @property
    def counts(self) -> dict[str, Counter[Any]]:
        """The number of runs by each value of `_COUNTED`."""
        counts = {name: Counter[Any]() for name in _COUNTED}
        for kind, number in self._runs.items():
            for name, value in _COUNTED.items():
                counts[name][value(kind.run)] += number
        return counts


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
    labels, damaged = store_labels(stores), list[str]()
    shown = [(store, label if by_store else "") for store, label in labels.items()]
    sources = [(folder, label) for store, label in shown for folder in store_folders(store)]
    found = RunsByPlace(sources, damaged)
    summary = _summary(found, found.read, PlannedRuns(shown))
    return replace(summary, damaged=tuple(damaged))


def store_labels(stores: Sequence[str | Path]) -> dict[Path, str]:
    """Return what follows a planner's name for each store: its path, as short as is distinct."""
    folders = [Path(store) for store in dict.fromkeys(map(Path, stores))]
    longest = max((len(folder.absolute().parts) for folder in folders), default=1)
    ends: dict[Path, str] = {}
    for length in range(1, longest + 1):
        ends = {folder: "/".join(folder.absolute().parts[-length:]) for folder in folders}
        # The shortest ends of the paths that differ, such as `a/runs` and `b/runs`.
        if len(set(ends.values())) == len(folders):
            break
    return {folder: f" ({end})" for folder, end in ends.items()}


def summarise(results: Iterable[RunResult]) -> Report:
    """Return the report on these results, in any order; see `report`."""
    found = list(results)
    return _summary(enumerate(found), found.__getitem__, PlannedRuns())


def _summary(
    results: Iterable[tuple[int, RunResult]], read: Read, planned_runs: PlannedRuns
) -> Report:
    newest = NewestRuns(results, read)
    runs, facts = Runs(read), Facts(read)
    kinds, costs = newest.table.values["kind"], newest.table.values["claimed_cost"]
    missing = sorted(newest.missing(planned_runs), key=report_order)
    for each in newest.planned(missing):
        best = newest.best.get(each.instance)
        for run in each.results:
            runs.places.append(newest.places[run])
            is_beaten = is_better(best, costs[run])
            facts.add(runs.places[-1], kinds[run], is_solved=best is not None, is_beaten=is_beaten)
        facts.repeated += each.planned > 1
        if each.planned > 1 and len({str(kinds[run].run.limits) for run in each.results}) > 1:
            facts.mixed[each.planner] += 1
        newest.table.add_instance(each, best)
    facts.unequal = newest.table.unequal()
    facts.started = newest.started(runs)
    return Report(
        runs, newest.best, *newest.table.rows(), Instances(runs, missing), facts, newest.older,
        tuple(missing), tuple(planned_runs.commands),
    )  # fmt: skip
