"""The newest runs of stores, in the order of a report, and their values.

Memory holds only the values, about 450 bytes per run; runs are read from the disk when they are
asked for.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.planned_runs import MissingRun, PlannedRuns
from pddl_pipeline.reporting.row import (
    Entry,
    InstanceKey,
    PlanCost,
    Planned,
    Repetitions,
    instance_key,
    repetitions,
)
from pddl_pipeline.reporting.run_values import RunValues
from pddl_pipeline.runs.rejudging import older_version

Read = Callable[[int], RunResult]
"""Returns the run at a place."""


class Runs(Sequence[RunResult]):  # noqa: PLW1641 -- no hash, as lists
    """Runs at these places, each of which is read when it is asked for."""

    def __init__(self, read: Read, places: Sequence[int] = ()) -> None:
        self.read = read
        self.places = array("q", places)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Runs(self.read, self.places[index])
        return self.read(self.places[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)


class Instances:
    """The planned runs by planner and instance, which are read each time they are iterated."""

    def __init__(self, runs: Runs, missing: Sequence[MissingRun]) -> None:
        self._runs = runs
        self._missing = missing

    def __iter__(self) -> Iterator[Repetitions]:
        if not self._missing:
            return repetitions(self._runs)
        return repetitions(merge(self._runs, self._missing, key=report_order))


def report_order(each: Entry) -> tuple[str, str, int, str, int]:
    """Return what the runs of a report are sorted by."""
    return each.domain, each.planner, each.size, each.id, each.repetition


class NewestRuns:
    """The newest run of each repetition of a planner on an instance, and its values.

    Each result is read once. A run has a number, its place in the table of values.
    """

    def __init__(self, results: Iterable[tuple[int, RunResult]], read: Read) -> None:
        """Read all results.

        Args:
            results: the results, in any order, each with its place.
            read: returns the result at a place.
        """
        self._read = read
        self.table = RunValues()
        self.places = array("q")
        """The place of each run."""
        self._newest: dict[tuple[str, str, int], dict[str, int]] = defaultdict(dict)
        self.best: dict[InstanceKey, PlanCost] = {}
        """The best valid plan of any run, including superseded runs, by instance."""
        self._started: tuple[str, ...] = ()
        self._is_first_superseded = False
        for number, (place, result) in enumerate(results):
            self.places.append(place)
            self.table.add_run(result)
            cost = self.table.values["plan"][number]
            if cost is not None:
                key = instance_key(result)
                self.best[key] = min(self.best.get(key, cost), cost)
            runs = self._newest[result.domain, result.planner, result.repetition]
            held = runs.get(result.id)
            older = None if held is None else read(self.places[held])
            # The key decides between equal times, so that the order of the stores does not.
            if older is None or (older.started, older.key) <= (result.started, result.key):
                runs[instance_key(result)[1]] = number
                times = *self._started, result.started
                self._started = min(times), max(times)
                # This first start may no longer count; `started` then looks for another.
                if older is not None and older.started == self._started[0]:
                    self._is_first_superseded = True

        versions = (older_version(kind.run) for kind in self.table.values["kind"])
        self.older = Counter(version for version in versions if version is not None)
        """The number of stored verdicts of each version that is older than this program's."""

    def started(self, runs: Runs) -> tuple[str, ...]:
        """Return when the first and the last of these runs, the newest ones, started."""
        if self._is_first_superseded:
            return min(run.started for run in runs), self._started[1]
        return self._started

    def missing(self, planned_runs: PlannedRuns) -> list[MissingRun]:
        """Return the planned runs that were not made.

        If no command planned any run of a planner in a domain, as in stores of former versions, the
        instances of the domain are planned that any planner ran on.
        """
        found: dict[tuple[str, str, str, int], MissingRun] = {}
        recorded = set[tuple[str, str]]()
        for run, limit in planned_runs:
            recorded.add((run.domain, run.planner))
            if run.id not in self._newest.get((run.domain, run.planner, run.repetition), ()):
                found[run.domain, run.planner, run.id, run.repetition] = MissingRun(
                    run.planner, run.domain, run.id, run.size, limit, run.repetition
                )
        unrecorded = {key[:2] for key in self._newest} - recorded
        if unrecorded:
            for each in self._unrecorded(unrecorded, planned_runs):
                found[each.domain, each.planner, each.id, 1] = each
        return list(found.values())

    def _unrecorded(
        self, pairs: Iterable[tuple[str, str]], planned_runs: PlannedRuns
    ) -> Iterator[MissingRun]:
        """Yield the missing runs of planners, by domain, of which no planned run is recorded."""
        sizes: dict[str, dict[str, int]] = defaultdict(dict)
        limits = defaultdict[tuple[str, str], set[float | None]](set)
        for (domain, planner, _), runs in self._newest.items():
            sizes[domain] |= {
                name: self.table.values["size"][index] for name, index in runs.items()
            }
            if (domain, planner) in pairs:
                results = (self._read(self.places[index]) for index in runs.values())
                limits[domain, planner].update(run.limits.get("time_s") for run in results)
        for run, _ in planned_runs:
            sizes[run.domain][run.id] = run.size
        for (domain, planner), found in limits.items():
            limit = next(iter(found)) if len(found) == 1 else None
            made = self._newest.get((domain, planner, 1), {})
            for name in sizes[domain].keys() - made.keys():
                yield MissingRun(planner, domain, name, sizes[domain][name], limit)

    def planned(self, missing: Iterable[MissingRun]) -> Iterator[Planned[int]]:
        """Yield all planned runs in the order of a report; afterwards, this object has none."""
        # No run is both made and missing, so a number is never compared with a `MissingRun`.
        entries = merge(self._ordered(), ((*report_order(each), each) for each in missing))
        for (domain, planner, name), group in groupby(entries, itemgetter(0, 1, 3)):
            runs = list(group)
            yield Planned(
                planner,
                (domain, name),
                runs[0][2],
                results=[run[-1] for run in runs if isinstance(run[-1], int)],
                missing=[run[-1] for run in runs if isinstance(run[-1], MissingRun)],
            )

    def _ordered(self) -> Iterator[tuple[str, str, int, str, int, int]]:
        """Yield the runs, each with what it is sorted by."""
        for pair, keys in groupby(sorted(self._newest), itemgetter(0, 1)):
            found = (
                (*pair, self.table.values["size"][number], name, repetition, number)
                for *_, repetition in keys
                for name, number in self._newest.pop((*pair, repetition)).items()
            )
            yield from sorted(found)
