"""Planners on instances, from Python: the results are stored, and returned."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Sized
from pathlib import Path
from typing import Any

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits, check_limits
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.planners.attempt import check_engine
from pddl_pipeline.runs.job_queue import JobQueue
from pddl_pipeline.runs.jobs import Job
from pddl_pipeline.runs.running import LocalPool, run_jobs
from pddl_pipeline.runs.store import RunStore, iterate_store
from pddl_pipeline.translators.translator import PAPER

Watch = Callable[[Iterable[RunSummary], int, Sized], Iterable[RunSummary]]
"""Shows progress. It gets what comes of each run, how many runs there are, and a collection that
grows with each run that was not in the store before; it yields what it gets."""


def unwatched(runs: Iterable[RunSummary], total: int, made: Sized) -> Iterable[RunSummary]:
    """Show nothing."""
    del total, made
    return runs


def run(  # noqa: PLR0913 -- what an experiment consists of
    instances: Iterable[Instance[Any]],
    store: str | Path,
    planners: Sequence[str] = (),
    limits: Limits | None = None,
    *,
    workers: int | None = None,
    via_up: bool = False,
    encoding: str = PAPER,
    retry: Collection[Outcome] = (),
    order_seed: int = 0,
    watch: Watch = unwatched,
) -> list[RunResult]:
    """Run planners on instances and judge every plan, as ``pddl-pipeline run`` does.

        >>> run(load_records("ferry.jsonl"), "runs", ["lama-first"], Limits(time_s=60))
        [<RunResult ferry-4-0 lama-first: plan-found, valid>, ...]

    Called again with the same arguments, it goes on where it was stopped: a run that the store
    holds is not made again.

    Args:
        instances: as `load_records` or `generate` gives them, each with an id of its own.
        store: folder of the run store.
        planners: names; without names, each instance gets the planner that suits its domain.
        limits: of each attempt; the papers' 30 minutes and 3.5 GiB where None.
        workers: how many attempts to run at a time; as many as there are cores where None.
        via_up: whether Unified Planning runs the planners; see `solve`.
        encoding: of the PDDL; see `translate`.
        retry: outcomes with which a run in the store is made once more.
        order_seed: seed of the order in which the runs are made.
        watch: shows progress.

    Returns:
        A result for each instance and each of its planners, by instance, then planner.

    Raises:
        InputError: a record is wrong, or there is no such planner.
        EngineError: a planner is not installed.
        StoreError: the folder is no run store, or another process writes to it.
    """
    folder = Path(store)
    with JobQueue(planners, check_limits(limits), via_up=via_up, encoding=encoding) as queue:
        places: dict[str, int] = {}
        for instance in instances:
            queue.add(instance)
            places[instance.id] = len(places)
        for planner in queue.planners.values():
            check_engine(planner, via_up=via_up)
        names, keys = list(queue.planners), set[str]()
        jobs = _noting(queue.jobs(order_seed=order_seed), keys)
        with RunStore(folder) as opened:
            pool = LocalPool(workers or len(os.sched_getaffinity(0)))
            runs = run_jobs(jobs, opened, pool, retry=retry)
            for _ in watch(runs, len(queue), opened.added):
                pass  # each is stored; they are read below
    found = {result.key: result for result in iterate_store(folder) if result.key in keys}
    return sorted(found.values(), key=lambda r: (places[r.id], names.index(r.planner)))


def _noting(jobs: Iterable[Job], keys: set[str]) -> Iterator[Job]:
    """Yield the jobs, their keys noted."""
    for job in jobs:
        keys.add(job.key)
        yield job
