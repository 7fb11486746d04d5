"""The runs that a protocol plans, and their execution into a file of stored runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.papers.stored_runs import StoredRun, StoredRuns, run_identity
from pddl_pipeline.planners.attempt import check_engine
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.jobs import Finished, Job
from pddl_pipeline.runs.running import LocalPool, run_jobs
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.translator import PAPER

Measure = Callable[[Instance[Any], RunResult], Mapping[str, Any]]
"""Returns what a study measures on the plan of a run; see `StoredRun.measures`."""


class PlannedRun(NamedTuple):
    """A run that a protocol plans."""

    instance: Instance[Any]
    planner: str
    """The planner's name, which may include settings."""
    limits: Limits
    encoding: str = PAPER

    @property
    def key(self) -> str:
        """The identity of the run; see `run_identity`."""
        limits = self.limits
        limit_s, memory_mb = limits.cpu_s or limits.time_s, limits.memory_bytes / 2**20
        return run_identity(self.instance.id, self.planner, self.encoding, limit_s, memory_mb)


class _Sink:
    """Stores the results of planned runs."""

    def __init__(
        self, store: StoredRuns, planned: Sequence[PlannedRun], measure: Measure, machine: str
    ) -> None:
        self.known = store.known
        self._store = store
        self._planned = {each.key: each for each in planned}
        self._measure = measure
        self._machine = machine
        self._added: set[str] = set()

    def keep_problem(self, key: str, instance: Instance[Any]) -> None:
        """Store nothing: each stored run has the record of its instance."""

    def add(self, finished: Finished) -> RunSummary:
        result = finished.result
        if result.key in self._added:  # an interrupt must not store it twice
            return result.summary
        self._added.add(result.key)
        planned = self._planned[result.key]
        record: dict[str, Any] = msgspec.to_builtins(planned.instance.record)
        measures = self._measure(planned.instance, result)
        return self._store.append(
            StoredRun(result, planned.encoding, record, self._machine, measures)
        )


def run_planned(
    store: StoredRuns,
    planned: Sequence[PlannedRun],
    measure: Measure,
    machine: str,
    *,
    workers: int = 1,
) -> Iterator[RunSummary]:
    """Make the planned runs that are not stored yet, in their order; yield all summaries.

    Args:
        store: the stored runs.
        planned: the runs, with distinct keys.
        measure: measures each plan.
        machine: a description of the machine.
        workers: the number of runs at a time.

    Raises:
        EngineError: a planner is not installed.
        InputError: a planner does not exist, or an instance does not have the encoding.
        StoreError: the file cannot be written.
    """
    for name in dict.fromkeys(each.planner for each in planned):
        check_engine(planner_named(name))
    yield from run_jobs(
        map(_job, planned), _Sink(store, planned, measure, machine), LocalPool(workers)
    )


def _job(planned: PlannedRun) -> Job:
    problem, task = translate_and_read(planned.instance, encoding=planned.encoding)
    return Job(planned.key, planned.instance, problem, task, planned.planner, planned.limits)
