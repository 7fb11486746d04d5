"""Limits and interrupts apply to all processes, and no process is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread, Timer

import psutil
import pytest
from planner_problems import HARD_COUNTDOWN, LIMITS, hard_blocksworld, mixed_blocksworld, sample
from processes_of_tests import is_in

from pddl_pipeline import translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempt import Stopped, attempt
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("planner", "problem"),
    [
        ("enhsp", translate(from_record(HARD_COUNTDOWN))),
        ("seq-opt-lmcut", hard_blocksworld()),
    ],
)
def test_time_limit_ends_everything(planner: str, problem: Problem) -> None:
    done = attempt(planner_named(planner), problem, Limits(time_s=4))
    assert done.outcome is Outcome.TIMEOUT
    assert done.hit == "time"
    assert 4 <= done.wall_s < 5
    assert done.log


@pytest.mark.usefixtures("nothing_left")
def test_anytime_planner_keeps_its_best_plan_at_the_time_limit() -> None:
    problem = mixed_blocksworld(16)
    done = attempt(planner_named("lama"), problem, Limits(time_s=8))
    assert done.outcome is Outcome.PLAN_FOUND, done.reason
    assert done.hit == "time"
    assert task_of(problem).judge(done.plan or "").status == "valid"


@pytest.mark.usefixtures("nothing_left")
def test_memory_limit_ends_everything() -> None:
    problem = hard_blocksworld()
    done = attempt(planner_named("fd-blind"), problem, Limits(time_s=60, memory_bytes=200 << 20))
    # Fast Downward also enforces the limit, on address space, so it may notice it first.
    assert done.outcome is Outcome.MEMOUT
    assert done.memory_mb < 400


@pytest.mark.usefixtures("nothing_left")
def test_stop_ends_an_attempt() -> None:
    stop = Event()
    Timer(1.5, stop.set).start()
    begin = time.monotonic()
    with pytest.raises(Stopped):
        attempt(planner_named("fd-blind"), hard_blocksworld(), LIMITS, stop=stop)
    assert time.monotonic() - begin < 12


RUN_HARD = """
import sys
from pathlib import Path
from pddl_pipeline import solve
solve(Path(sys.argv[1]), Path(sys.argv[2]), "enhsp")
"""


def test_nothing_outlives_a_killed_caller(tmp_path: Path) -> None:
    problem = translate(from_record(HARD_COUNTDOWN))
    domain_file, problem_file = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain_file.write_text(problem.domain_pddl)
    problem_file.write_text(problem.problem_pddl)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    caller = subprocess.Popen(
        [sys.executable, "-c", RUN_HARD, domain_file, problem_file], env=environment
    )
    deadline = time.monotonic() + 60
    family: list[psutil.Process] = []
    while not any("java" in process.name() for process in family):
        assert time.monotonic() < deadline, "Java did not start"
        time.sleep(0.1)
        family = psutil.Process(caller.pid).children(recursive=True)
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("limits", "outcome"),
    [
        (Limits(time_s=0.05), Outcome.TIMEOUT),
        (Limits(time_s=60, memory_bytes=1 << 20), Outcome.MEMOUT),
    ],
)
@pytest.mark.parametrize("planner", ["lama-first", "lama", "enhsp"])
def test_limits_hold_before_the_engine_starts(
    planner: str, limits: Limits, outcome: Outcome
) -> None:
    """The time in which Unified Planning reads and writes the problem counts, too."""
    done = attempt(planner_named(planner), sample("blocksworld"), limits)
    assert (done.outcome, done.plan) == (outcome, None)


def kill_soon(folder: Path, who: Callable[[psutil.Process], psutil.Process]) -> Thread:
    """Kill the process that `who` returns for Java, as soon as Java runs in a folder."""

    def kill() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for process in psutil.process_iter():
                if is_in(process, folder) and "java" in process.name():
                    who(process).kill()
                    return
            time.sleep(0.1)

    killer = Thread(target=kill)
    killer.start()
    return killer


def parent(process: psutil.Process) -> psutil.Process:
    found = process.parent()
    assert found is not None
    return found


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("up", "who", "outcome", "says"),
    [
        (False, lambda java: java, Outcome.CRASH, "signal 9 (SIGKILL)"),
        (False, parent, Outcome.LOST, "was killed"),
        (False, lambda java: parent(parent(java)), Outcome.LOST, "was killed"),
        (True, lambda java: java, Outcome.CRASH, "ended before it read the problem"),
        (True, parent, Outcome.CRASH, "signal 9 (SIGKILL)"),
        (True, lambda java: parent(parent(java)), Outcome.LOST, "was killed"),
    ],
    ids=["planner", "supervisor", "warm process", "planner of UP", "UP", "supervisor of UP"],
)
def test_who_is_killed_by_others_takes_the_rest_along(
    tmp_path: Path,
    who: Callable[[psutil.Process], psutil.Process],
    outcome: Outcome,
    says: str,
    *,
    up: bool,
) -> None:
    """This happens when the system runs out of memory and chooses a process to kill."""
    killer = kill_soon(tmp_path, who)
    problem = translate(from_record(HARD_COUNTDOWN))
    planner = planner_named("enhsp")
    done = attempt(replace(planner, command=None) if up else planner, problem, LIMITS)
    killer.join()
    assert done.outcome is outcome
    assert says in (done.reason or "")
    again = attempt(planner_named("lama-first"), sample("ferry"), LIMITS)
    assert again.outcome is Outcome.PLAN_FOUND
