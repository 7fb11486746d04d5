"""Runs jobs, many at a time, and stores every result once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Protocol

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.result import RunSummary
from pddl_pipeline.planners.attempt import Stop
from pddl_pipeline.runs.execution import Finished, execute, lost
from pddl_pipeline.runs.jobs import Job
from pddl_pipeline.runs.reuse import Reuse
from pddl_pipeline.runs.store import RunStore


class StopFlag(Stop, Protocol):
    """Is handed to every job, which ends when it is set."""

    def set(self) -> None:
        """Have all jobs end."""


class Pool(Protocol):
    """Where jobs are run."""

    executor: Executor
    stop: StopFlag
    losses: tuple[type[Exception], ...]
    """What a job raises whose machine was lost."""

    def size(self) -> int:
        """Return how many jobs can run at a time now."""

    def close(self) -> None:
        """End what still runs."""


class LocalPool:
    """Runs jobs on this machine."""

    losses: tuple[type[Exception], ...] = ()

    def __init__(self, workers: int) -> None:
        # Threads only wait: a job's work is done by processes of its own.
        self.executor: Executor = ThreadPoolExecutor(max_workers=workers)
        self.stop: StopFlag = Event()
        self._workers = workers

    def size(self) -> int:
        """Return the number of workers."""
        return self._workers

    def close(self) -> None:
        """End what still runs, and wait until its processes have ended."""
        self.stop.set()
        self.executor.shutdown(wait=True, cancel_futures=True)


def run_jobs(
    jobs: Iterable[Job],
    store: RunStore,
    pool: Pool,
    *,
    retry: Collection[Outcome] = (),
    reuse: Sequence[Reuse] = (),
) -> Iterator[RunSummary]:
    """Run the jobs that the store does not hold yet; yield what came of each job when it is known.

    At most ``2 * pool.size()`` jobs are held at a time, however many there are. When the caller
    stops early, by an exception or by closing the iterator, running planners are ended and what is
    done stays stored.

    Args:
        jobs: what to run, each with a key of its own.
        store: holds the results, one for each key.
        pool: where to run them; closed at the end.
        retry: outcomes with which a job is run once more.
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


def _known(
    job: Job, store: RunStore, retry: Collection[Outcome], reuse: Sequence[Reuse]
) -> RunSummary | None:
    """Return what is known of a job without running it."""
    known = store.known.get(job.key)
    if known is not None and known.outcome not in retry:
        return known
    taken = next(filter(None, (other.take(job.key, retry) for other in reuse)), None)
    return None if taken is None else store.add(taken)


def _finished(
    waiting: dict[Future[Finished], Job], store: RunStore, pool: Pool
) -> Iterator[RunSummary]:
    """Store what has finished, at least one job."""
    losses: tuple[type[Exception], ...] = (*pool.losses, EngineError, OSError)
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        try:
            finished = future.result()
        except losses as error:
            # That one machine is broken is no reason to end the others' runs.
            reason = " ".join(str(error).split()) or type(error).__name__
            finished = lost(waiting[future], reason[:300])
        summary = store.add(finished)
        del waiting[future]
        yield summary
