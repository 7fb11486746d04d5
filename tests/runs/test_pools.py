"""Retries, shards and long queues: every run once, on any machine."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from command_line import Cli
from queued_jobs import jobs_for
from store_results import read_store

from pddl_pipeline import load_records
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import DiskError, EngineError, InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.attempting import Stopped
from pddl_pipeline.runs.jobs import Job, JobQueue, parse_shard
from pddl_pipeline.runs.running import Finished, LocalPool, execute, run_jobs, unmade
from pddl_pipeline.runs.store import RunStore, store_folders
from pddl_pipeline.translators.records import from_record

FERRY = domain_folder("ferry") / "examples.jsonl"
LIMITS = Limits(time_s=60)


class Recorder(Executor):
    """Executor that finishes every job at once, without a planner, and counts the jobs."""

    def __init__(self, outcome: Outcome, faults: Mapping[int, Exception]) -> None:
        self.outcome, self.faults = outcome, faults
        self.keys: MutableSequence[str] = []

    def submit(self, work: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        assert work is execute
        job: Job = arguments[0]
        self.keys.append(job.key)
        future: Future[Finished] = Future()
        if len(self.keys) in self.faults:
            future.set_exception(self.faults[len(self.keys)])
        else:
            done = unmade(job, Outcome.LOST, "unknown")
            future.set_result(replace(done, result=replace(done.result, outcome=self.outcome)))
        return future


class Instant(LocalPool):
    """A pool of one worker that takes no time; some of its jobs end with a fault."""

    def __init__(
        self,
        outcome: Outcome = Outcome.GAVE_UP,
        faults: Mapping[int, Exception] = {},
        losses: tuple[type[Exception], ...] = (),
        broken: tuple[type[Exception], ...] = (),
    ) -> None:
        super().__init__(1)
        self.executor.shutdown()
        self.executor = self.recorder = Recorder(outcome, faults)
        self.losses, self.faults = losses, broken


def ferry_jobs(**options: Any) -> list[Job]:
    return jobs_for(load_records(FERRY), ["lama-first", "lama"], LIMITS, **options)


def test_order_is_shuffled_by_its_seed_and_the_jobs_stay_the_same() -> None:
    with JobQueue(["lama-first", "lama"], LIMITS) as queue:
        for instance in load_records(FERRY):
            queue.add(instance)
        first, again, other = (list(queue.jobs(order_seed=seed)) for seed in (0, 0, 1))
    assert first == again
    assert first != other
    assert {job.key for job in first} == {job.key for job in other}
    in_order = [(i.id, p) for i in load_records(FERRY) for p in ("lama-first", "lama")]
    assert [(job.instance.id, job.planner) for job in first] != in_order


@pytest.mark.parametrize("text", ["0/3", "4/3", "x", "1/", "1/2/3", "-1/2", "1/0"])
def test_wrong_shards_are_errors(text: str) -> None:
    with pytest.raises(InputError, match="shard"):
        parse_shard(text)


def test_shards_have_folders_if_there_are_several() -> None:
    assert [parse_shard(text).folder for text in ("1/1", "1/2")] == ["", "shard-1-of-2"]


def test_retry_runs_again_what_ended_so_and_nothing_else(tmp_path: Path) -> None:
    jobs = ferry_jobs()
    for outcome, retry, expected in (
        (Outcome.LOST, (), 10),
        (Outcome.GAVE_UP, (Outcome.CRASH,), 0),
        (Outcome.GAVE_UP, (Outcome.CRASH, Outcome.LOST), 10),
        (Outcome.CRASH, (Outcome.CRASH, Outcome.LOST), 0),
    ):
        pool = Instant(outcome)
        with RunStore(tmp_path) as store:
            summaries = list(run_jobs(jobs, store, pool, retry=retry))
        assert len(summaries) == 10
        assert len(pool.recorder.keys) == expected
    newest = {result.key: result.outcome for result in read_store(tmp_path)}
    assert set(newest.values()) == {Outcome.GAVE_UP}


@pytest.mark.parametrize("is_local", [True, False])
def test_a_full_disk_of_this_machine_stops_and_that_of_another_one_does_not(
    tmp_path: Path, *, is_local: bool
) -> None:
    full = DiskError("disk: cannot be written")
    pool = Instant(faults={3: full}, broken=() if is_local else (DiskError,))
    with RunStore(tmp_path) as store, pytest.raises(DiskError) if is_local else nullcontext():
        list(run_jobs(ferry_jobs(), store, pool))
    assert pool.broken == (set() if is_local else {str(full)})
    stored = read_store(tmp_path)
    assert len(stored) == len(pool.recorder.keys) - 1
    assert all(result.outcome is not Outcome.LOST for result in stored)


def test_a_pool_that_ends_leaves_what_is_stored(tmp_path: Path) -> None:
    """Such as one whose scheduler is lost."""
    pool = Instant(faults={5: CancelledError()})
    pool.ends = (CancelledError,)
    with RunStore(tmp_path) as store:
        summaries = list(run_jobs(ferry_jobs(), store, pool))
    # What ends while the pool closes is stored, too.
    assert 0 < len(summaries) <= len(read_store(tmp_path)) < 10
    assert pool.broken == {"no connection to the scheduler (CancelledError)"}
    with RunStore(tmp_path) as store:
        assert len(list(run_jobs(ferry_jobs(), store, Instant()))) == 10
    assert len({result.key for result in read_store(tmp_path)}) == 10


def test_the_fault_of_a_machine_is_not_a_result(tmp_path: Path) -> None:
    """Such as a machine without the planner or with a full disk; a lost worker is a result."""
    faults = [EngineError("no such planner"), OSError(28, "No space left on device"), KeyError("x")]
    pool = Instant(
        faults=dict(zip((2, 4, 7), faults, strict=True)),
        losses=(KeyError,), broken=(EngineError, OSError),
    )  # fmt: skip
    with RunStore(tmp_path) as store:
        summaries = list(run_jobs(ferry_jobs(), store, pool))
    assert sum(summary.unexplained for summary in summaries) == 3
    results = read_store(tmp_path)
    assert [r.reason for r in results if r.outcome is Outcome.LOST] == [str(faults[2])]
    assert len(results) == 8
    assert pool.broken == {str(fault) for fault in faults[:2]}
    with RunStore(tmp_path) as store:
        assert len(list(run_jobs(ferry_jobs(), store, Instant()))) == 10
    assert len(read_store(tmp_path)) == 10


def test_shards_make_the_whole(cli: Cli, tmp_path: Path) -> None:
    for index in (1, 2):
        shard = ("--shard", f"{index}/2")
        done = cli("run", FERRY, "--time-limit", "60s", *shard, "-o", tmp_path)
        assert done.status == 0, done.err
    results = [result for folder in store_folders(tmp_path) for result in read_store(folder)]
    assert sorted(r.id for r in results) == sorted(i.id for i in load_records(FERRY))
    assert '"instances": 5' in cli("report", tmp_path, "--json").out


def test_stop_flag_is_seen_by_jobs() -> None:
    stop = Event()
    stop.set()
    record = {"id": "a", "domain": "countdown", "numbers": [1, 1], "target": 2}
    (job,) = jobs_for([from_record(record)], ["enhsp"], LIMITS)
    with pytest.raises(Stopped):
        execute(job, stop)
