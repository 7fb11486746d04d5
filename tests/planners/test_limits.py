"""Limits and interrupts: they hold for everything, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread, Timer

import psutil
import pytest
from planner_problems import (
    HARD_COUNTDOWN,
    LIMITS,
    hard_blocksworld,
    mixed_blocksworld,
    sample,
)

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.planners.supervision import Stopped
from pddl_pipeline.translators.records import from_record


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a process or a private directory of the test's attempts outlives it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not [process for process in psutil.process_iter() if _is_in(process, tmp_path)]
    assert not list(tmp_path.glob("pddl-pipeline-*"))


def _is_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return str(folder) in " ".join([process.cwd(), *process.cmdline()])
    except psutil.Error:
        return False


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("planner", "problem"),
    [
        ("enhsp", translate(from_record(HARD_COUNTDOWN))),
        ("seq-opt-lmcut", hard_blocksworld()),
    ],
)
def test_time_limit_ends_everything(planner: str, problem: Problem, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "engine.log"
    done = attempt(planner_named(planner), problem, Limits(time_s=4), log=log)
    assert done.outcome is Outcome.TIMEOUT
    assert done.hit == "time"
    assert 4 <= done.wall_s < 5
    assert log.read_text()


@pytest.mark.usefixtures("nothing_left")
def test_anytime_planner_keeps_its_best_plan_at_the_time_limit() -> None:
    problem = mixed_blocksworld(16)
    done = attempt(planner_named("lama"), problem, Limits(time_s=8))
    assert done.outcome is Outcome.PLAN_FOUND, done.reason
    assert done.hit == "time"
    assert read_task(problem.domain, problem.problem).judge(done.plan or "").status == "valid"


@pytest.mark.usefixtures("nothing_left")
def test_memory_limit_ends_everything() -> None:
    problem = hard_blocksworld()
    done = attempt(planner_named("fd-blind"), problem, Limits(time_s=60, memory_bytes=400 << 20))
    assert done.outcome is Outcome.MEMOUT
    assert done.hit == "memory"
    assert done.memory_mb < 700


@pytest.mark.usefixtures("nothing_left")
def test_stop_ends_an_attempt() -> None:
    stop = Event()
    Timer(4, stop.set).start()
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
    domain_file.write_text(problem.domain)
    problem_file.write_text(problem.problem)
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
    """Unified Planning reads and writes the problem first, and that counts."""
    done = attempt(planner_named(planner), sample("blocksworld"), limits)
    assert (done.outcome, done.plan) == (outcome, None)


@pytest.mark.usefixtures("nothing_left")
def test_killed_child_is_a_crash_and_leaves_no_engine(tmp_path: Path) -> None:
    """As when the system runs out of memory and picks a process to kill."""

    def kill() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            family = [p for p in psutil.Process().children(recursive=True) if _is_in(p, tmp_path)]
            if any("java" in process.name() for process in family):
                next(p for p in family if "pddl_pipeline.planners.child" in p.cmdline()).kill()
                return
            time.sleep(0.1)

    killer = Thread(target=kill)
    killer.start()
    done = attempt(planner_named("enhsp"), translate(from_record(HARD_COUNTDOWN)), LIMITS)
    killer.join()
    assert done.outcome is Outcome.CRASH
    assert "signal 9" in (done.reason or "")
