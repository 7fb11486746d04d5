"""The newest runs of stores, in the order of a report, read from the disk each time.

Memory holds about 100 bytes per run, so that a report of a million runs fits into memory.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import merge
from itertools import groupby
from pathlib import Path
from typing import IO, Any, Final
from weakref import finalize

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.row import (
    Entry,
    InstanceKey,
    PlanCost,
    Repetitions,
    instance_key,
    plan_cost,
    repetitions,
)
from pddl_pipeline.reporting.stored_plans import MissingRun, StoredPlans
from pddl_pipeline.runs.rejudging import older_version
from pddl_pipeline.runs.store import RUNS, places_of_runs, result_at

_LARGEST_FILE: Final = 2**44
_MAX_OPEN: Final = 100
"""The number of files that are open at a time, below the limit of most systems."""

Read = Callable[[int], RunResult]
"""Returns the run at a place."""


class StoredRuns:
    """The runs of stores by place: which store, and where its line begins."""

    def __init__(self, sources: Sequence[tuple[Path, str]], damaged: list[str]) -> None:
        """Prepare to read.

        Args:
            sources: the stores, each with what follows its planners' names.
            damaged: gets what is wrong with each damaged line, when the runs are iterated.
        """
        self._sources = sources
        self._damaged = damaged
        self._open: dict[int, IO[bytes]] = {}

    def __iter__(self) -> Iterator[tuple[int, RunResult]]:
        for number, (folder, _) in enumerate(self._sources):
            for start, result in places_of_runs(folder, self._damaged):
                yield number * _LARGEST_FILE + start, self._labelled(number, result)

    def read(self, place: int) -> RunResult:
        """Return the run at a place.

        Raises:
            StoreError: the line has changed since the runs were iterated.
        """
        number, start = divmod(place, _LARGEST_FILE)
        stream = self._open.get(number)
        if stream is None:
            if len(self._open) >= _MAX_OPEN:
                self._open.pop(next(iter(self._open))).close()
            stream = self._open[number] = (self._sources[number][0] / RUNS).open("rb")
            finalize(self, stream.close)
        return self._labelled(number, result_at(stream, start))

    def _labelled(self, number: int, result: RunResult) -> RunResult:
        label = self._sources[number][1]
        return replace(result, planner=f"{result.planner}{label}") if label else result


class Runs(Sequence[RunResult]):
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

    def __iter__(self) -> Iterator[RunResult]:
        return map(self.read, self.places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class Instances:
    """The planned runs by planner and instance, which are read each time they are iterated."""

    def __init__(self, runs: Runs, missing: Sequence[MissingRun]) -> None:
        self._runs = runs
        self._missing = missing

    def __iter__(self) -> Iterator[Repetitions]:
        return repetitions(merge(self._runs, self._missing, key=report_order))


def report_order(each: Entry) -> tuple[str, str, int, str, int]:
    """Return what the runs of a report are sorted by."""
    return each.domain, each.planner, each.size, each.id, each.repetition


class NewestRuns:
    """The newest run of each repetition of a planner on an instance, found in one pass."""

    def __init__(self, results: Iterable[tuple[int, RunResult]], read: Read) -> None:
        """Read all results.

        Args:
            results: the results, in any order, each with its place.
            read: returns the result at a place.
        """
        self._read = read
        self._places = array("q")
        self._sizes: list[int] = []
        self._newest: dict[tuple[str, str, int], dict[str, int]] = defaultdict(dict)
        self.best: dict[InstanceKey, PlanCost] = {}
        """The best valid plan of any run, including superseded runs, by instance."""
        self.older = Counter[int]()
        for place, result in results:
            version = older_version(result)
            if version is not None:
                self.older[version] += 1
            cost = plan_cost(result)
            if cost is not None:
                key = instance_key(result)
                self.best[key] = min(self.best.get(key, cost), cost)
            self._add(place, result)

    def _add(self, place: int, result: RunResult) -> None:
        runs = self._newest[result.domain, result.planner, result.repetition]
        held = runs.get(result.id)
        if held is None or _age(self._read(self._places[held])) <= _age(result):
            runs[instance_key(result)[1]] = len(self._places)
            self._places.append(place)
            self._sizes.append(result.size)

    def missing(self, plans: StoredPlans) -> list[MissingRun]:
        """Return the planned runs that were not made.

        If no command planned any run of a planner in a domain, as in stores of former versions, the
        instances of the domain are planned that any planner ran on.
        """
        found: dict[tuple[str, str, str, int], MissingRun] = {}
        recorded = set[tuple[str, str]]()
        for run, limit in plans:
            recorded.add((run.domain, run.planner))
            if not self._is_made(run.domain, run.planner, run.id, run.repetition):
                found[run.domain, run.planner, run.id, run.repetition] = MissingRun(
                    run.planner, run.domain, run.id, run.size, limit, run.repetition
                )
        unrecorded = {key[:2] for key in self._newest} - recorded
        if unrecorded:
            for each in self._unrecorded(unrecorded, plans):
                found[each.domain, each.planner, each.id, 1] = each
        return list(found.values())

    def _is_made(self, domain: str, planner: str, name: str, repetition: int = 1) -> bool:
        key = domain, planner, repetition
        return key in self._newest and name in self._newest[key]

    def _unrecorded(
        self, pairs: Iterable[tuple[str, str]], plans: StoredPlans
    ) -> Iterator[MissingRun]:
        """Yield the missing runs of planners, by domain, of which no planned run is recorded."""
        sizes: dict[str, dict[str, int]] = defaultdict(dict)
        limits = defaultdict[tuple[str, str], set[float | None]](set)
        for (domain, planner, _), runs in self._newest.items():
            sizes[domain] |= {name: self._sizes[index] for name, index in runs.items()}
            if (domain, planner) in pairs:
                results = (self._read(self._places[index]) for index in runs.values())
                limits[domain, planner].update(run.limits.get("time_s") for run in results)
        for run, _ in plans:
            sizes[run.domain][run.id] = run.size
        for (domain, planner), found in limits.items():
            limit = next(iter(found)) if len(found) == 1 else None
            for name, size in sizes[domain].items():
                if not self._is_made(domain, planner, name):
                    yield MissingRun(planner, domain, name, size, limit)

    def ordered(self) -> Runs:
        """Return the runs in the order of a report; afterwards, this object has none any more."""
        runs = Runs(self._read)
        for pair, keys in groupby(sorted(self._newest), lambda key: key[:2]):
            found = [
                (self._sizes[index], name, repetition, self._places[index])
                for *_, repetition in keys
                for name, index in self._newest.pop((*pair, repetition)).items()
            ]
            found.sort()
            runs.places.extend(place for *_, place in found)
        return runs


def _age(result: RunResult) -> tuple[str, str]:
    return result.started, result.key
