"""Run many jobs at a time and store every result once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from queue import SimpleQueue
from threading import Event
from typing import Any, Protocol

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.cores import separate_cores
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunSummary
from pddl_pipeline.planners.attempt import Stop
from pddl_pipeline.runs.execution import Finished, execute, lost
from pddl_pipeline.runs.jobs import Job, problem_hash
from pddl_pipeline.runs.reuse import Reuse


class StopFlag(Stop, Protocol):
    """Flag that every job receives; when it is set, the jobs end."""

    def set(self) -> None:
        """Stop all jobs."""


class Pool(Protocol):
    """Executor of jobs."""

    executor: Executor
    stop: StopFlag
    losses: tuple[type[Exception], ...]
    """Exceptions that a job raises if its machine was lost."""

    def size(self) -> int:
        """Return the number of jobs that can currently run at a time."""

    def close(self) -> None:
        """Stop the running jobs."""


class ResultSink(Protocol):
    """Store of results, such as a `RunStore`."""

    @property
    def known(self) -> Mapping[str, RunSummary]:
        """The summaries of the runs that need not be made, by key."""

    def keep_problem(self, key: str, instance: Instance[Any]) -> None:
        """Store the problem of a result that follows; its `problem_hash` is the key."""

    def add(self, finished: Finished) -> RunSummary:
        """Store a result and return its summary."""


class LocalPool:
    """Pool that runs jobs on this machine."""

    losses: tuple[type[Exception], ...] = ()

    def __init__(self, workers: int, *, pin: bool = False) -> None:
        """Prepare to run jobs.

        Args:
            workers: number of jobs to run at a time.
            pin: whether to give each job a separate core.

        Raises:
            InputError: there are fewer cores than jobs, or jobs cannot be bound to cores.
        """
        # Threads only wait: each job does its work in separate processes.
        self.executor: Executor = (
            _PinnedThreads(workers) if pin else ThreadPoolExecutor(max_workers=workers)
        )
        self.stop: StopFlag = Event()
        self._workers = workers

    def size(self) -> int:
        """Return the number of workers."""
        return self._workers

    def close(self) -> None:
        """Stop the running jobs and wait until their processes have ended."""
        self.stop.set()
        self.executor.shutdown(wait=True, cancel_futures=True)


class _PinnedThreads(ThreadPoolExecutor):
    """Executor that gives each running job a core that no other one uses."""

    def __init__(self, workers: int) -> None:
        self._free = SimpleQueue[int]()
        for core in separate_cores(workers):
            self._free.put(core)
        super().__init__(max_workers=workers)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Schedule work on a job, its first argument."""
        return super().submit(self._on_core, work, *arguments, **options)

    def _on_core(
        self, work: Callable[..., Any], job: Job, /, *arguments: Any, **options: Any
    ) -> Any:
        core = self._free.get()
        try:
            pinned = replace(job, limits=replace(job.limits, core=core))
            return work(pinned, *arguments, **options)
        finally:
            self._free.put(core)


def run_jobs(
    jobs: Iterable[Job],
    store: ResultSink,
    pool: Pool,
    *,
    retry: Collection[Outcome] = (),
    reuse: Sequence[Reuse] = (),
) -> Generator[RunSummary]:
    """Run the jobs that are not in the store yet; yield the summary of each job's result.

    At most ``2 * pool.size()`` jobs are in memory at a time, regardless of their number. If the
    caller stops early, by an exception or by closing the iterator, running planners are stopped and
    finished results stay stored.

    Args:
        jobs: jobs to run, each with a unique key.
        store: run store that receives the results, one for each key.
        pool: pool that runs the jobs; closed at the end.
        retry: outcomes for which a job is run again.
        reuse: stores whose results are taken instead of running the job.
    """
    waiting: dict[Future[Finished], Job] = {}
    try:
        for job in jobs:
            known = _known(job, store, retry, reuse)
            if known is not None:
                yield known
                continue
            waiting[pool.executor.submit(execute, job, pool.stop)] = job
            if len(waiting) >= 2 * pool.size():
                yield from _finished(waiting, store, pool)
        while waiting:
            yield from _finished(waiting, store, pool)
    finally:
        pool.close()
        for future in waiting:
            if future.done() and not future.cancelled() and future.exception() is None:
                store.add(future.result())


def stored_run(key: str, store: ResultSink, retry: Collection[Outcome]) -> RunSummary | None:
    """Return the summary of the stored run with a key; None if there is none to keep."""
    known = store.known.get(key)
    return None if known is not None and known.outcome in retry else known


def _known(
    job: Job, store: ResultSink, retry: Collection[Outcome], reuse: Sequence[Reuse]
) -> RunSummary | None:
    """Return the summary of a job's stored result; None if the job has to run.

    The problem of a result that is new in the store is stored as well.
    """
    known = stored_run(job.key, store, retry)
    if known is not None:
        return known
    store.keep_problem(problem_hash(job.problem), job.instance)
    taken = next(filter(None, (other.take(job.key, retry) for other in reuse)), None)
    return None if taken is None else store.add(taken)


def _finished(
    waiting: dict[Future[Finished], Job], store: ResultSink, pool: Pool
) -> Iterator[RunSummary]:
    """Wait for at least one job, store the finished results, and yield their summaries."""
    losses: tuple[type[Exception], ...] = (*pool.losses, EngineError, OSError)
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        try:
            finished = future.result()
        except losses as error:
            # A broken machine must not end the runs on the others.
            reason = " ".join(str(error).split()) or type(error).__name__
            finished = lost(waiting[future], reason[:300])
        summary = store.add(finished)
        del waiting[future]
        yield summary
