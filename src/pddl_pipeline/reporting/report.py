"""Reports on run stores. Equal results give equal reports, byte for byte."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from math import nan
from operator import itemgetter
from os import PathLike
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import check_type
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.reporting.row import (
    FLOATS,
    SCORES,
    InstanceKey,
    PlanCost,
    PlannerRuns,
    Repetitions,
    Row,
    Score,
    instance_key,
    make_row,
)
from pddl_pipeline.reporting.stored_plans import MissingRun, StoredPlans
from pddl_pipeline.reporting.stored_runs import Instances, NewestRuns, Read, Runs, report_order
from pddl_pipeline.runs.store import StoredRuns, store_folders
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
        claimed = sum(outcomes[each] for each in outcomes if each[1] is Outcome.PLAN_FOUND)
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
    def urgent(self) -> list[Section]:
        """The runs to inspect before relying on the tables."""
        return self.sections[:_URGENT]

    @property
    def false_claims(self) -> Section:
        """The claims that the validator rejects."""
        return self.sections[_URGENT]

    @property
    def further(self) -> list[Section]:
        """The other runs without a valid plan within the budget."""
        return self.sections[_URGENT + 1 :]

    @property
    def sections(self) -> list[Section]:
        """All lists of runs, the most urgent first."""
        return list(self.facts.listed.items())

    def why(self, result: RunResult) -> str:
        """Return the reason why a run is listed in a section, in a few words."""
        own = "" if result.cost is None else f"costs {number_text(result.cost)}"
        best = self.best.get(instance_key(result))
        if best and (_claims_too_little(result, best) or _claims_too_much(result, best)):
            unit = "of steps" if best.in_steps else "of cost"
            other = f"{best.planner} has a plan {unit} {number_text(best.value)}"
            return f"{own}, {other}" if own else other
        return own if result.within_budget is False else result.reason or result.meanings


def _claims_too_little(result: RunResult, best: PlanCost | None) -> bool:
    return result.claims_unsolvable and best is not None


def _claims_too_much(result: RunResult, best: PlanCost | None) -> bool:
    if not result.optimal or result.status is not Status.VALID or result.cost is None:
        return False
    return best is not None and best.rank < (-result.cost if best.maximise else result.cost)


_SECTIONS: Final[dict[str, Callable[[RunResult, PlanCost | None], object]]] = {
    "Disputed or undecided verdicts": lambda r, _: r.status and r.status.is_valid is None,
    "Unexplained: crashed or lost": lambda r, _: r.outcome.unexplained,
    "Disputed: claimed unsolvable, but solved by another run": _claims_too_little,
    "Claimed optimal, but another run has a better plan": _claims_too_much,
    "Claimed plans that fail validation": lambda r, _: r.status and r.status.is_valid is False,
    "Valid plans over their budget": lambda r, _: r.within_budget is False,
    "Claimed unsolvable": lambda r, _: r.claims_unsolvable,
    "Runs without a plan": lambda r, _: (
        not (r.status or r.outcome.unexplained or r.claims_unsolvable)
    ),
    "Valid in steps of time, but not continuously": lambda r, _: (
        r.solved and r.continuous not in (None, Status.VALID)
    ),
}
"""Which runs each list has. The function gets the best known plan for the instance, too."""
_URGENT: Final = 4
"""The number of lists before that of false claims."""


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
        self.counts = {name: Counter[Any]() for name in _COUNTED}
        """The number of runs by planner and outcome, planner and version, limits, and whether they
        are solved, were given canonical PDDL, and do not say whether their metric is maximised."""
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

    def add(self, place: int, run: RunResult, best: PlanCost | None) -> None:
        """Add a run at a place, with the best known plan for its instance."""
        for name, value in _COUNTED.items():
            self.counts[name][value(run)] += 1
        times = (*self.started, run.started)
        self.started = min(times), max(times)
        for title, wanted in _SECTIONS.items():
            if wanted(run, best):
                self.listed[title].places.append(place)

    def add_repeated(self, each: Repetitions) -> None:
        """Add an instance with several repetitions."""
        self.repeated += 1
        if len({str(run.limits) for run in each.results}) > 1:
            self.mixed[each.planner] += 1


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
    found = StoredRuns(sources, damaged)
    summary = _summary(found, found.read, StoredPlans(shown))
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
    return _summary(enumerate(found), found.__getitem__, StoredPlans())


def _summary(results: Iterable[tuple[int, RunResult]], read: Read, plans: StoredPlans) -> Report:
    newest = NewestRuns(results, read)
    missing = sorted(newest.missing(plans), key=report_order)
    runs = newest.ordered()
    instances, places = Instances(runs, missing), iter(runs.places)
    facts, table = Facts(read), ScoreTable()
    for each in instances:
        best = newest.best.get(each.instance)
        for run in each.results:
            facts.add(next(places), run, best)
        if each.planned > 1:
            facts.add_repeated(each)
        table.add(each, best)
    facts.unequal = table.unequal()
    return Report(
        runs, newest.best, *table.rows(), instances, facts, newest.older, tuple(missing),
        tuple(plans.commands),
    )  # fmt: skip


_Group = tuple[str, str, int]
"""A domain, a planner, and a size."""


class ScoreTable:
    """The scores of all instances, by domain, planner and size."""

    def __init__(self) -> None:
        self._scores: dict[str, Any] = {
            name: array("d") if name in FLOATS else [] for name in SCORES
        }
        self._columns: list[tuple[Callable[[Any], None], Score, bool]] = [
            (self._scores[name].append, score, name in FLOATS) for name, score in SCORES.items()
        ]
        self._groups: dict[_Group, array[int]] = defaultdict(lambda: array("L"))
        # Of each score, the number of its instance; of that, how many planners solved it each time.
        self._instances = array("L")
        self._solvers = array("L")
        self._numbers: dict[InstanceKey, int] = {}

    def add(self, each: Repetitions, best: PlanCost | None) -> None:
        """Add the runs of a planner on an instance, with the cost of the best known plan."""
        only = each.results[0] if each.planned == len(each.results) == 1 else None
        for append, score, is_float in self._columns:
            if only is not None:
                value = score.of_run(only, best)
            else:
                value = score.of_several(each, [score.of_run(run, best) for run in each.results])
            append(nan if value is None and is_float else value)
        number = self._numbers.setdefault(each.instance, len(self._solvers))
        if number == len(self._solvers):
            self._solvers.append(0)
        self._solvers[number] += self._scores["solved"][-1] == 1
        self._groups[each.instance[0], each.planner, each.size].append(len(self._instances))
        self._instances.append(number)

    def rows(self) -> tuple[tuple[Row, ...], tuple[Row, ...], tuple[Row, ...]]:
        """Return the rows by domain and planner, by planner, and by domain, size and planner."""
        rows, sizes = list[Row](), list[Row]()
        for domain, members in groupby(sorted(self._groups), itemgetter(0)):
            groups = list(members)
            rows += self._rows(groups, domain)
            sizes += self._rows(groups, domain, by_size=True)
        several = len({row.domain for row in rows}) > 1
        totals = self._rows([*self._groups], "all") if several else []
        return tuple(rows), tuple(totals), tuple(sizes)

    def unequal(self) -> list[str]:
        """Return the domains in which the planners that solve any solved different instances."""
        found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for (domain, planner, _), places in self._groups.items():
            solved = filter(self._scores["solved"].__getitem__, places)
            found[domain][planner].update(map(self._instances.__getitem__, solved))
        return [
            domain
            for domain, solved_by in found.items()
            if len({frozenset(numbers) for numbers in solved_by.values() if numbers}) > 1
        ]

    def _rows(
        self, groups: Sequence[_Group], domain: str, *, by_size: bool = False
    ) -> Iterator[Row]:
        """Yield the rows of these groups by planner, or by size and planner."""
        key = itemgetter(2, 1) if by_size else itemgetter(1)
        planners = len({planner for _, planner, _ in groups})
        for _, members in groupby(sorted(groups, key=key), key):
            (_, planner, size), *_ = own = list(members)
            places = array("L", chain.from_iterable(map(self._groups.__getitem__, own)))
            common = [each for each in places if self._solvers[self._instances[each]] == planners]
            shown = size if by_size else None
            yield make_row(PlannerRuns(planner, domain, shown, self._scores, places, common))
