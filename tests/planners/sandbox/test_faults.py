"""Planners that misbehave get the right outcome, keep their limits and leave nothing behind."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from planner_problems import sample

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.validation.task import task_of

FERRY = sample("ferry")
PLAN = (domain_folder("ferry") / "p01.plan").read_text()
SHORT = Limits(time_s=1.5, memory_bytes=256 << 20)
PATIENT = Limits(time_s=60, memory_bytes=256 << 20)
CPU = Limits(time_s=60, memory_bytes=256 << 20, cpu_s=1.5)
FAKE = Path(__file__).with_name("fake_planner.py")


def fake(fault: str) -> Planner:
    return Planner(
        name="fake",
        about=fault,
        distribution="fake",
        command=lambda: (sys.executable, "-ES", str(FAKE), fault, PLAN),
        is_complete=lambda plan, _: plan == PLAN,
    )


@dataclass(frozen=True)
class Expected:
    """The expected result for a fault."""

    limits: Limits
    outcome: Outcome
    hit: str | None = None
    says: str = ""
    """A part of the reason."""
    status: str | None = None
    """The verdict on the plan."""


GAVE_UP = Expected(PATIENT, Outcome.GAVE_UP)
TIMEOUT = Expected(SHORT, Outcome.TIMEOUT, "time")
MEMOUT = Expected(PATIENT, Outcome.MEMOUT, "memory")
CPU_OUT = Expected(CPU, Outcome.TIMEOUT, "cpu")


def found(status: str, limits: Limits = PATIENT, hit: str | None = None) -> Expected:
    return Expected(limits, Outcome.PLAN_FOUND, hit, status=status)


EXPECTED = {
    "hangs": TIMEOUT,
    "ignores SIGTERM": TIMEOUT,
    "is a tree of processes": TIMEOUT,
    "leaves a daemon": GAVE_UP,
    "hangs with a daemon": TIMEOUT,
    "breeds": TIMEOUT,
    "stops itself": TIMEOUT,
    "prints 1 GB": found("valid"),
    "grows slowly": MEMOUT,
    "allocates suddenly": MEMOUT,
    "burns in several processes": CPU_OUT,
    "burns in short processes": CPU_OUT,
    "ends silently": GAVE_UP,
    "ends with an error": Expected(PATIENT, Outcome.CRASH, says="exit status 1: no such option"),
    "writes half a plan": found("malformed"),
    "writes another problem's plan": found("malformed"),
    "writes an invalid plan": found("invalid"),
    "writes invalid UTF-8": found("malformed"),
    "deletes its directory": GAVE_UP,
    "deletes all around it": GAVE_UP,
    "makes a folder of its plan": GAVE_UP,
    "crashes": Expected(PATIENT, Outcome.CRASH, says="signal 11 (SIGSEGV)"),
    "writes its plan and hangs": found("valid", SHORT, "time"),
    "writes its plan when asked to end": found("valid", SHORT, "time"),
    "writes half a plan and crashes": Expected(PATIENT, Outcome.CRASH, says="signal 11"),
    "improves its plan ten times": found("valid"),
    "grows in several processes": MEMOUT,
    "burns in orphans": CPU_OUT,
    "writes half a plan and hangs": TIMEOUT,
    "closes its output": found("valid"),
    "kills its supervisor": Expected(PATIENT, Outcome.LOST, says="was killed"),
    "behaves": found("valid"),
}


def check(fault: str, done: Attempt) -> None:
    expected = EXPECTED[fault]
    assert (done.outcome, done.hit) == (expected.outcome, expected.hit), done.reason
    assert expected.says in (done.reason or "")
    if expected.status is None:
        assert done.plan is None
    else:
        assert task_of(FERRY).judge(done.plan or "").status == expected.status
    assert done.wall_s <= expected.limits.time_s + 1
    allowed = max(expected.limits.memory_bytes * 1.1, expected.limits.memory_bytes + (300 << 20))
    assert done.memory_mb <= allowed / 2**20
    if done.hit == "cpu":
        # Two cores keep running during the second of grace.
        assert 1.5 <= done.cpu_s <= 3.7


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("fault", EXPECTED)
def test_fault_has_its_outcome_and_leaves_nothing(fault: str) -> None:
    done = attempt(fake(fault), FERRY, EXPECTED[fault].limits)
    check(fault, done)
    assert len(done.log) < 9 << 20
    if fault == "prints 1 GB":
        assert b"bytes left out" in done.log
        assert done.log.endswith(b"the very last line\n")
    if fault == "ends with an error":
        assert done.log == b"no such option: --plam\n"


@pytest.mark.long
@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("workers", [2, 9])
def test_faults_do_not_disturb_each_other(workers: int) -> None:
    faults = [*EXPECTED, *["behaves"] * 20] * 3
    with ThreadPoolExecutor(max_workers=workers) as pool:
        runs: list[tuple[str, Any]] = [
            (fault, pool.submit(attempt, fake(fault), FERRY, EXPECTED[fault].limits))
            for fault in faults
        ]
    for fault, run in runs:
        check(fault, run.result())


def test_a_program_that_is_missing_is_a_crash() -> None:
    def missing() -> tuple[str, ...]:
        return ("/no/such/planner", "x")

    make: Callable[[], tuple[str, ...]] = missing
    done = attempt(Planner("fake", "", "fake", command=make), FERRY, SHORT)
    assert done.outcome is Outcome.CRASH
    assert "cannot be started: /no/such/planner: No such file" in (done.reason or "")
