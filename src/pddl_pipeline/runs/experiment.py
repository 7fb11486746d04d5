"""Run planners on instances from Python; store and return the results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from pathlib import Path

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.cores import usable_cores
from pddl_pipeline.model.limits import Limits, check_limits
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.runs.job_queue import JobQueue
from pddl_pipeline.runs.running import LocalPool, run_jobs
from pddl_pipeline.runs.store import ANSWERS_OF_RUNS, RunStore, iterate_store
from pddl_pipeline.runs.stored_commands import new_command
from pddl_pipeline.translators.datasets import Data, as_instances
from pddl_pipeline.translators.translator import PAPER

Watch = Callable[[Iterable[RunSummary], int, Sized], Iterable[RunSummary]]
"""Shows progress. It takes the summaries of the runs, the number of runs, and a collection that
grows with each run that was not in the store before; it yields the summaries."""


def unwatched(runs: Iterable[RunSummary], total: int, made: Sized) -> Iterable[RunSummary]:
    """Return the runs without showing progress."""
    del total, made
    return runs


def run(  # noqa: PLR0913 -- what an experiment consists of
    instances: Data,
    store: str | Path,
    planners: Sequence[str] = (),
    limits: Limits | None = None,
    *,
    workers: int | None = None,
    via_up: bool = False,
    encoding: str = PAPER,
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
            that `load_records` reads.
        store: folder of the run store.
        planners: names of planners; if empty, each instance gets the planner that suits its domain.
        limits: limits of each attempt; None for the papers' 30 minutes and 3.5 GiB.
        workers: number of attempts to run at a time; None for the number of cores.
        via_up: whether Unified Planning runs the planners; see `solve`.
        encoding: encoding of the PDDL; see `translate`.
        retry: outcomes for which a run in the store is repeated.
        order_seed: seed of the order of the runs.
        pin: whether to give each attempt a separate core.
        watch: shows progress.

    Returns:
        A result for each instance and each of its planners, sorted by instance, then planner.

    Raises:
        InputError: a record is invalid, the name of a planner is unknown, or attempts cannot have
            separate cores.
        EngineError: a planner is not installed.
        StoreError: the folder is not a run store, another process writes to it, or its disk is
            full.
        DiskError: the disk of the temporary files is full.
    """
    folder = Path(store)
    with JobQueue(planners, check_limits(limits), via_up=via_up, encoding=encoding) as queue:
        for instance in as_instances(instances):
            queue.add(instance)
        queue.check_engines()
        with RunStore(folder) as opened:
            opened.begin(new_command("pddl_pipeline.run in Python", queue))
            pool = LocalPool(workers or usable_cores(), pin=pin)
            jobs = queue.jobs(order_seed=order_seed, answers=folder / ANSWERS_OF_RUNS)
            runs = run_jobs(jobs, opened, pool, retry=retry)
            for _ in watch(runs, len(queue), opened.added):
                pass  # each run is stored; the results are read below
        keys = queue.keys()
    wanted = set(keys)
    found = {result.key: result for result in iterate_store(folder) if result.key in wanted}
    return [found[key] for key in keys]
