"""Runs planners on instances and stores every result once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event
from typing import Any

from pddl_pipeline.experiment.solving import Solution, solve_task
from pddl_pipeline.experiment.store import RunStore
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.planners.attempt import Stopped
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import choose_planner, planner_named, planner_version
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.registry import translator
from pddl_pipeline.validation.opinions import opinions_json
from pddl_pipeline.validation.task import read_task


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be made."""

    key: str
    instance: Instance[Any]
    planner: Planner
    limits: Limits


def planners_for(instance: Instance[Any], names: Sequence[str]) -> list[Planner]:
    """Return the planners of these names; without names, the one that suits the domain.

    Raises:
        InputError: there is no such planner.
    """
    if names:
        return [planner_named(name) for name in dict.fromkeys(names)]
    return [choose_planner(translator(instance.domain).features)]


def jobs_for(
    instances: Iterable[Instance[Any]], names: Sequence[str], limits: Limits
) -> Iterator[Job]:
    """Yield a job for each instance and each of its planners; see `planners_for`."""
    for instance in instances:
        problem = translate(instance)
        for planner in planners_for(instance, names):
            yield Job(run_key(instance, problem, planner, limits), instance, planner, limits)


def run_key(instance: Instance[Any], problem: Problem, planner: Planner, limits: Limits) -> str:
    """Return the hash of everything that determines a run and the verdict on its plan."""
    parts = {
        "domain": problem.domain,
        "problem": problem.problem,
        "id": instance.id,
        "size": instance.size,
        "budget": instance.budget,
        "planner": planner.name,
        "version": planner_version(planner),
        "options": planner.options,
        "limits": [limits.time_s, limits.memory_bytes],
        "seed": None,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def run(jobs: Iterable[Job], store: RunStore, workers: int) -> Iterator[RunResult]:
    """Run the jobs that the store does not hold yet; yield every job's result as it is known.

    At most ``2 * workers`` jobs are held at a time. When the caller stops early, by an exception
    or by closing the iterator, running planners are ended and what is done stays stored.
    """
    stop = Event()
    pool = ThreadPoolExecutor(max_workers=workers)
    waiting: set[Future[RunResult]] = set()
    started: set[str] = set()
    try:
        for job in jobs:
            if job.key in store.results:
                yield store.results[job.key]
                continue
            if job.key in started:
                continue
            started.add(job.key)
            waiting.add(pool.submit(_run_one, job, store, stop))
            if len(waiting) >= 2 * workers:
                yield from _finished(waiting, store)
        while waiting:
            yield from _finished(waiting, store)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        for future in waiting:
            if not future.cancelled() and future.exception() is None:
                store.add(future.result())


def _finished(waiting: set[Future[RunResult]], store: RunStore) -> Iterator[RunResult]:
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        result = future.result()
        store.add(result)
        waiting.remove(future)
        yield result


def _run_one(job: Job, store: RunStore, stop: Event) -> RunResult:
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    if stop.is_set():
        raise Stopped
    texts = translate(job.instance)
    task = read_task(texts.domain, texts.problem)
    log = store.log_file(job.key)
    solution = solve_task(
        job.planner, task, texts, job.limits, instance=job.instance, log=log, stop=stop
    )
    relative = str(log.relative_to(store.folder)) if log.exists() else ""
    return _result(job, solution, started, relative)


def _result(job: Job, solution: Solution, started: str, log: str) -> RunResult:
    attempt, verdict, instance = solution.attempt, solution.verdict, job.instance
    reason = verdict.reason if verdict is not None and verdict.reason else attempt.reason
    plan = None if attempt.plan is None else tuple(attempt.plan.splitlines())
    return RunResult(
        key=job.key,
        id=instance.id,
        domain=instance.domain,
        size=instance.size,
        planner=job.planner.name,
        planner_version=planner_version(job.planner),
        outcome=attempt.outcome,
        status=None if verdict is None else verdict.status,
        plan=plan,
        cost=None if verdict is None else verdict.cost,
        steps=None if verdict is None else verdict.steps,
        within_budget=None if verdict is None else verdict.within_budget,
        wall_s=round(attempt.wall_s, 3),
        cpu_s=round(attempt.cpu_s, 3),
        memory_mb=round(attempt.memory_mb, 1),
        expanded=attempt.statistics.expanded,
        limits={
            "time_s": job.limits.time_s,
            "memory_mb": round(job.limits.memory_bytes / 2**20, 1),
            "hit": attempt.hit,
        },
        reason=reason,
        opinions={} if verdict is None else opinions_json(verdict.opinions),
        started=started,
        log=log,
    )
