"""Run planners on instances, many at a time, and store every result once."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Sized,
)
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any, Final, Protocol

from pddl_pipeline.model.attempt import Attempt, Outcome, TimedPlan
from pddl_pipeline.model.errors import WorkerError, check_count, check_type
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits, check_limits, separate_cores, usable_cores
from pddl_pipeline.model.number import number_from_json
from pddl_pipeline.model.result import RunResult, RunSummary, improvements_of
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.planners.attempting import ANSWERS, Stop, Stopped
from pddl_pipeline.planners.planner import DOMAIN, PROBLEM, Planner
from pddl_pipeline.planners.registry import planner_named, planner_version
from pddl_pipeline.runs.jobs import NO_RUNS, Finished, Job, JobQueue, problem_hash
from pddl_pipeline.runs.kept_keys import KeptKeys
from pddl_pipeline.runs.solving import Solution, solve_task
from pddl_pipeline.runs.store import ANSWERS_OF_RUNS, LOGS, RUNS, RunStore, iterate_store
from pddl_pipeline.runs.stored_commands import note_command
from pddl_pipeline.translators.datasets import Data, as_instances
from pddl_pipeline.translators.translator import PAPER
from pddl_pipeline.validation.version import VERDICT_VERSION

LOG = "engine.log"
_TICK_S: Final = 1.0


RunReport = Callable[[Job, TimedPlan], object]
"""Is called with the best valid plan while a job goes on, at most once a second."""


def execute(job: Job, stop: Stop | None = None, report: RunReport | None = None) -> Finished:
    """Execute a job and return its run.

    Raises:
        Stopped: ``stop`` is set.
    """
    if stop is not None and stop.is_set():
        raise Stopped
    started = _now()
    if job.missing:
        return unmade(job, Outcome.UNSUPPORTED, job.missing)
    solution = solve_task(
        _planner_of(job),
        job.task,
        job.problem,
        job.limits,
        instance=job.instance,
        stop=stop,
        answers=Path(job.answers) if job.answers else None,
        report=bool if report is None else partial(report, job),
    )
    files = {LOG: solution.attempt.log} if solution.attempt.log else {}
    if solution.attempt.answers:
        files[ANSWERS] = solution.attempt.answers
    given = solution.attempt.rewritten
    if given is not None:
        files |= {DOMAIN: given.domain_pddl.encode(), PROBLEM: given.problem_pddl.encode()}
    plans = [improvement.text for improvement in solution.attempt.improvements]
    if solution.attempt.further_plans:
        plans = [solution.attempt.plan or "", *solution.attempt.further_plans]
    if len(plans) > 1:
        files |= {f"{number}.plan": plan.encode() for number, plan in enumerate(plans, start=1)}
    return Finished(_result(job, solution, started, has_log=LOG in files), files)


def _planner_of(job: Job) -> Planner:
    return planner_named(job.planner).repetition(job.repetition)


def unmade(job: Job, outcome: Outcome, reason: str) -> Finished:
    """Return the result of a run without an attempt, or with one of which nothing is known."""
    solution = Solution(_planner_of(job), Attempt(outcome, reason=reason), None)
    return Finished(_result(job, solution, _now(), has_log=False), {})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def verdict_fields(
    verdict: Verdict | None, names: Iterable[str] = RunResult.__slots__
) -> dict[str, Any]:
    """Return the fields of a result that come from the verdict on its plan, if there is one."""
    found = {
        name: getattr(verdict, name, None) for name in names if name in Verdict.__annotations__
    }
    return found | {
        "opinions": {} if verdict is None else verdict.opinions.to_json(),
        "verdict_version": None if verdict is None else VERDICT_VERSION,
    }


def _result(job: Job, solution: Solution, started: str, *, has_log: bool) -> RunResult:
    """Return the result of a run, built from its parts.

    A field is named here, or it is the field of this name of the only part that has one.
    """
    attempt, planner = solution.attempt, solution.planner
    names = [field.name for field in fields(RunResult)]
    judged = verdict_fields(solution.verdict, names)
    values = {
        **judged,
        # Without a verdict, the planner's ending is the reason.
        "reason": judged["reason"] or attempt.reason,
        "planner": planner.name,
        "planner_version": planner_version(planner),
        "seed": planner.seed,
        "confirmed_by": solution.confirmed_by,
        "plan": None if attempt.plan is None else tuple(attempt.plan.splitlines()),
        "plans": None if attempt.plan is None else 1 + len(attempt.further_plans),
        "improvements": improvements_of(attempt.improvements) or None,
        "wall_s": round(attempt.wall_s, 3),
        "cpu_s": round(attempt.cpu_s, 3),
        "memory_mb": round(attempt.memory_mb, 1),
        "limits": {
            "time_s": job.limits.time_s,
            "cpu_s": job.limits.cpu_s,
            "memory_mb": round(job.limits.memory_bytes / 2**20, 1),
            "hit": attempt.hit,
            "measured": attempt.measured,
            **({} if job.limits.core is None else {"core": job.limits.core}),
        },
        "rewritten": attempt.rewritten is not None,
        "problem": problem_hash(job.problem),
        "optimal_cost": number_from_json(job.instance.extras.get("optimal_cost")),
        "started": started,
        "log": f"{LOGS}/{job.key[:2]}/{job.key}/{LOG}" if has_log else "",
    }
    parts = job, job.instance, attempt, attempt.statistics
    for name in names:
        if name not in values:
            # The assignment fails unless exactly one part has the field.
            (values[name],) = [getattr(part, name) for part in parts if hasattr(part, name)]
    return RunResult(**values)


class StopFlag(Stop, Protocol):
    """Flag that every job receives; when it is set, the jobs end."""

    def set(self) -> None:
        """Stop all jobs."""


class Pool(Protocol):
    """Executor of jobs."""

    executor: Executor
    stop: StopFlag
    losses: tuple[type[Exception], ...] = (WorkerError,)
    """Exceptions that a job raises if its processes were lost, maybe because of its planner."""
    faults: tuple[type[Exception], ...] = ()
    """Exceptions of a broken machine, on which the runs of other machines do not depend."""
    ends: tuple[type[Exception], ...] = ()
    """Exceptions after which the pool runs no further jobs."""
    broken: set[str]
    """Gets the reasons of these faults."""

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


class LocalPool(Pool):
    """Pool that runs jobs on this machine."""

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
        self.broken = set[str]()
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


def run_jobs(  # noqa: PLR0913 -- how runs are made and watched
    jobs: Iterable[Job],
    store: ResultSink,
    pool: Pool,
    *,
    retry: Collection[Outcome] = (),
    report: RunReport | None = None,
    tick: Callable[[], object] = bool,
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
        report: is called in other threads; None for a pool of other machines.
        tick: is called every second while no job ends.
    """
    waiting: dict[Future[Finished], Job] = {}
    try:
        for job in jobs:
            known = store.known.get(job.key)
            if known is not None and known.outcome not in retry:
                yield known
                continue
            store.keep_problem(problem_hash(job.problem), job.instance)
            waiting[pool.executor.submit(execute, job, pool.stop, report)] = job
            # Twice as many as workers: none of them waits, and few problems are in memory.
            if len(waiting) >= 2 * pool.size():
                yield from _finished(waiting, store, pool, tick)
        while waiting:
            yield from _finished(waiting, store, pool, tick)
    except pool.ends as error:
        pool.broken.add(f"no connection to the scheduler ({_reason(error)})")
    finally:
        pool.close()
        for future in waiting:
            # A job may have ended while the pool was closing.
            if future.done() and not future.cancelled() and future.exception() is None:
                store.add(future.result())


def _finished(
    waiting: dict[Future[Finished], Job],
    store: ResultSink,
    pool: Pool,
    tick: Callable[[], object],
) -> Iterator[RunSummary]:
    """Wait for at least one job, store the finished results, and yield their summaries.

    The fault of a machine is not a result: the run is not stored, and can be made later.
    """
    while not (done := wait(waiting, _TICK_S, return_when=FIRST_COMPLETED).done):
        tick()
    for future in done:
        try:
            finished = future.result()
        except (*pool.losses, *pool.faults) as error:
            reason = _reason(error)
            finished = unmade(waiting[future], Outcome.LOST, reason)
            # The planner may be the cause, so a loss is a result. A machine's fault is not.
            if isinstance(error, pool.losses):
                summary = store.add(finished)
            else:
                summary = finished.result.summary
                pool.broken.add(reason)
        else:
            summary = store.add(finished)
        del waiting[future]
        yield summary


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


Watch = Callable[[Iterable[RunSummary], int, Sized], Iterable[RunSummary]]
"""Shows progress. It takes the summaries of the runs, the number of runs, and a collection that
grows with each run that was not in the store before; it yields the summaries."""


def unwatched(runs: Iterable[RunSummary], _total: int, _made: Sized) -> Iterable[RunSummary]:
    """Return the runs without showing progress."""
    return runs


def run(  # noqa: PLR0913 -- what an experiment consists of
    instances: Data,
    store: str | Path,
    planners: str | Sequence[str] = (),
    limits: Limits | None = None,
    *,
    workers: int | None = None,
    encoding: str = PAPER,
    repeat: int = 1,
    retry: Collection[Outcome] = (),
    order_seed: int = 0,
    pin: bool = False,
    watch: Watch = unwatched,
) -> list[RunResult]:
    """Run planners on instances and judge every plan, as ``pddl-pipeline run`` does.

        >>> run(load_records("ferry.jsonl"), "runs", ["lama-first"], Limits(time_s=60))
        [<RunResult ferry-4-0 lama-first: plan-found, valid>, ...]

    A second call with the same arguments resumes where the first stopped: runs that are already in
    the store are not repeated.

    Args:
        instances: instances from `load_records` or `generate`, each with a unique id; or anything
            that `load_records` reads, such as a path or a list of paths.
        store: folder of the run store.
        planners: names of planners, or one name; if empty, each instance gets the planner that
            suits its domain.
        limits: limits of each attempt; None for the papers' 30 minutes and 3.5 GiB.
        workers: number of attempts to run at a time; None for the number of cores.
        encoding: encoding of the PDDL; see `translate`.
        repeat: number of runs of each planner on each instance, with another seed each if the
            planner takes one.
        retry: outcomes for which a run in the store is repeated.
        order_seed: seed of the order of the runs.
        pin: whether to give each attempt a separate core.
        watch: shows progress.

    Returns:
        A result for each repetition, sorted by instance, planner, and repetition.

    Raises:
        InputError: a record is invalid, the name of a planner is unknown, or attempts cannot have
            separate cores.
        TypeError: an argument has a different type.
        EngineError: no planner is installed; if some are, the runs of the others are unsupported.
        StoreError: the folder is not a run store, another process writes to it, or its disk is
            full.
        DiskError: the disk of the temporary files is full.
    """
    check_type("store", store, str | PathLike, "the folder of a run store")
    check_type("planners", planners, str | Sequence, "names of planners, or one name")
    check_count("workers", usable_cores() if workers is None else workers)
    check_count("repeat", repeat)
    check_type("order_seed", order_seed, int, "a whole number")
    folder, names = Path(store), [planners] if isinstance(planners, str) else planners
    for name in names:
        check_type("planners", name, str, "names of planners, or one name")
    with ExitStack() as opened:
        kept = opened.enter_context(RunStore(folder)) if (folder / RUNS).exists() else None
        stored = kept.finished(retry) if kept else NO_RUNS
        queue = opened.enter_context(
            JobQueue(
                names, check_limits(limits), encoding=encoding, repeat=repeat, stored=stored,
                keys=KeptKeys(folder),
            )
        )  # fmt: skip
        for instance in as_instances(instances):
            queue.add(instance)
        queue.check_engines()
        # Only now: data that cannot be read leave no empty store behind.
        kept = kept or opened.enter_context(RunStore(folder))
        # Before the first run, so that a report on an interrupted store knows what is missing.
        note_command(kept.folder, "pddl_pipeline.run in Python", queue)
        pool = LocalPool(workers or usable_cores(), pin=pin)
        jobs = queue.jobs(order_seed=order_seed, answers=folder / ANSWERS_OF_RUNS)
        runs = chain(queue.stored, run_jobs(jobs, kept, pool, retry=retry))
        for _ in watch(runs, len(queue.runs), kept.added):
            pass  # each run is stored; the results are read below
    found = {result.key: result for result in iterate_store(folder) if result.key in queue.runs}
    return [found[key] for key in queue.runs]
