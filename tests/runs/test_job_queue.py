"""The queue of jobs: it takes little memory, and each instance is translated and read once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from store_results import RESULT

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.runs.jobs import JobQueue, Shard, run_key
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

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


def test_a_shard_has_its_runs_and_not_those_of_its_store() -> None:
    with JobQueue(["lama-first", "lama"], Limits()) as queue:
        for instance in lamps(30, 2):
            queue.add(instance)
        everything = dict(queue.runs)
    shard = Shard(2, 5)
    own = {key: run for key, run in everything.items() if shard.holds(run)}
    stored = dict.fromkeys(list(own)[::2], RESULT.summary)
    with JobQueue(["lama-first", "lama"], Limits(), shard=shard, stored=stored) as queue:
        for instance in lamps(30, 2):
            queue.add(instance)
        assert queue.runs == own
        assert {*queue.elsewhere} == {*everything.values()} - {*own.values()}
        assert {job.key for job in queue.jobs()} == own.keys() - stored.keys()
