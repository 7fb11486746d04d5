"""The queue of jobs: it takes little memory, and each instance is translated and read once."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from store_results import RESULT

from pddl_pipeline.io.spool import Spool
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.runs import jobs as jobs_module
from pddl_pipeline.runs.jobs import JobQueue, Shard, run_key
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation import task as validation_task

DOMAIN = """(define (domain lamps)
  (:predicates (on ?l) (off ?l))
  (:action switch :parameters (?l) :precondition (off ?l) :effect (and (on ?l) (not (off ?l)))))
"""


def lamps(count: int, objects: int) -> Iterator[Instance[Any]]:
    """Problems of a domain that is not built in, of about 30 bytes per object."""
    for number in range(count):
        names = [f"lamp-{number}-{index}" for index in range(objects)]
        facts = " ".join(f"(off {name})" for name in names)
        problem = (
            f"(define (problem p{number}) (:domain lamps) (:objects {' '.join(names)})"
            f" (:init {facts}) (:goal (on {names[-1]})))"
        )
        yield given_instance(f"p{number}", DOMAIN, problem, {})


def test_memory_does_not_grow_with_the_problems() -> None:
    with JobQueue(["lama-first", "lama"], Limits()) as queue:
        tracemalloc.start()
        for instance in lamps(5, 200):
            queue.add(instance)
        before, _ = tracemalloc.get_traced_memory()
        for instance in lamps(20, 200):
            queue.add(instance)
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(queue) == 50
        assert len(translate(instance).problem_pddl) > 5_000
        # The texts alone have 3,000 bytes a job; 100,000 jobs are in benchmarks/attempts.py.
        assert (after - before) / 40 < 1_000
        assert sum(len(job.problem.problem_pddl) for job in queue.jobs()) > 50 * 5_000


def test_each_instance_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted while it is loaded and queued for three planners, and its jobs are created."""
    read = Counter[str]()
    original = validation_task.read_problem

    def counted(text: str, *others: Any) -> Any:
        read[text] += 1
        return original(text, *others)

    monkeypatch.setattr(validation_task, "read_problem", counted)
    with JobQueue(["lama-first", "lama", "seq-opt-lmcut"], Limits()) as queue:
        for instance in lamps(3, 4):
            queue.add(instance)
        jobs = list(queue.jobs())
    assert len(jobs) == 9
    assert set(read.values()) == {1}
    assert len(read) == 3


def test_jobs_hold_what_the_instance_says() -> None:
    instances = {instance.id: instance for instance in lamps(3, 2)}
    with JobQueue(["lama-first"], Limits()) as queue:
        for instance in instances.values():
            queue.add(instance)
        jobs = list(queue.jobs())
        again = list(queue.jobs())
    assert {job.instance.id for job in jobs} == set(instances)
    assert {job.key for job in again} == {job.key for job in jobs}
    for job in jobs:
        own = instances[job.instance.id]
        assert job.instance == own
        assert job.problem == translate(own)
        assert job.key == run_key(own, job.problem, queue.planners["lama-first"], Limits())
        assert job.task.judge(f"(switch lamp-{own.id[1:]}-1)").status == "valid"
        assert job.task.judge(f"(switch lamp-{own.id[1:]}-0)").status == "invalid"


def test_jobs_are_in_the_encoding_of_the_queue() -> None:
    record = {"id": "a", "domain": "countdown", "numbers": [1, 2], "target": 3}
    instance = from_record(record)
    with JobQueue(["enhsp"], Limits(), encoding="rational") as queue:
        queue.add(instance)
        (job,) = queue.jobs()
    assert job.problem == translate(instance, encoding="rational") != translate(instance)


def test_an_encoding_that_the_domain_does_not_have() -> None:
    with (
        JobQueue([], Limits(), encoding="rational") as queue,
        pytest.raises(InputError, match="lamps has no encoding 'rational', expected paper"),
    ):
        queue.add(next(lamps(1, 2)))


def test_only_what_a_shard_is_to_run_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the runs of other shards nor those that a store has."""
    with JobQueue(["lama-first", "lama"], Limits()) as queue:
        for instance in lamps(30, 2):
            queue.add(instance)
        everything = dict(queue.runs)
    shard = Shard(2, 5)
    own = {key: run for key, run in everything.items() if shard.holds(run)}
    stored = dict.fromkeys(list(own)[::2], RESULT.summary)
    spooled = list[int]()
    monkeypatch.setattr(Spool, "add", lambda _, content: spooled.append(len(content)))
    translated = Counter[str]()

    def counted(instance: Instance[Any], *, encoding: str) -> Any:
        translated[instance.id] += 1
        return translate(instance, encoding=encoding)

    monkeypatch.setattr(jobs_module, "translate", counted)
    with JobQueue(["lama-first", "lama"], Limits(), shard=shard, stored=stored) as queue:
        for instance in lamps(30, 2):
            queue.add(instance)
        assert queue.runs == own
        assert {*queue.elsewhere} == {*everything.values()} - {*own.values()}
        assert len(queue) == len(own) - len(stored)
    assert set(translated) == {run.id for run in own.values()}
    assert len(spooled) == len({own[key].id for key in own.keys() - stored.keys()})
