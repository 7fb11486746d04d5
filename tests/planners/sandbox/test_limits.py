"""Limits and interrupts apply to all processes, and no process is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, Thread, Timer

import fake_planner
import psutil
import pytest
from planner_problems import HARD_COUNTDOWN, LIMITS, hard_blocksworld, mixed_blocksworld, sample
from processes_of_tests import assert_ended, is_in, wait_for

from pddl_pipeline import translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.attempting import Stopped, attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of

HARD = translate(from_record(HARD_COUNTDOWN))


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("planner", "problem", "time_s", "outcome"),
    [
        ("seq-opt-lmcut", hard_blocksworld(), 1, Outcome.TIMEOUT),
        ("lama", mixed_blocksworld(16), 2, Outcome.PLAN_FOUND),
        pytest.param("enhsp", HARD, 4, Outcome.TIMEOUT, marks=pytest.mark.long),
    ],
)
def test_time_limit_ends_everything_and_keeps_the_best_plan(
    planner: str, problem: Problem, time_s: float, outcome: Outcome
) -> None:
    done = attempt(planner_named(planner), problem, Limits(time_s))
    assert (done.outcome, done.hit) == (outcome, "time"), done.reason
    assert time_s <= done.wall_s < time_s + 1
    assert done.log
    assert not done.optimal
    assert (done.plan is None) == (outcome is Outcome.TIMEOUT)
    assert done.plan is None or task_of(problem).judge(done.plan).status == "valid"


@pytest.mark.usefixtures("nothing_left")
def test_stop_ends_an_attempt() -> None:
    stop = Event()
    Timer(0.5, stop.set).start()
    begin = time.monotonic()
    with pytest.raises(Stopped):
        attempt(planner_named("fd-blind"), hard_blocksworld(), LIMITS, stop=stop)
    assert time.monotonic() - begin < 10


RUN_HARD = """
import sys
from pathlib import Path
from pddl_pipeline import solve
solve(Path(sys.argv[1]), Path(sys.argv[2]), "fd-blind")
"""


def test_nothing_outlives_a_killed_caller(tmp_path: Path) -> None:
    files = (tmp_path / "d.pddl", tmp_path / "p.pddl")
    files[0].write_text(hard_blocksworld().domain_pddl)
    files[1].write_text(hard_blocksworld().problem_pddl)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    caller = subprocess.Popen([sys.executable, "-c", RUN_HARD, *files], env=environment)
    children = partial(psutil.Process(caller.pid).children, recursive=True)
    wait_for(lambda: any("downward" in process.name() for process in children()))
    family = children()
    caller.kill()
    caller.wait()
    assert_ended(family)


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("limits", "outcome"),
    [
        (Limits(time_s=0.01), Outcome.TIMEOUT),
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


HANGS = Planner(
    "fake", "", "fake", command=lambda: (sys.executable, "-ES", fake_planner.__file__, "hangs", "")
)


def parent(process: psutil.Process) -> psutil.Process:
    found = process.parent()
    assert found is not None
    return found


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("engine", "word", "who", "outcome", "says"),
    [
        (HANGS, "hangs", lambda planner: planner, Outcome.CRASH, "signal 9 (SIGKILL)"),
        (HANGS, "hangs", parent, Outcome.LOST, "was killed"),
        (HANGS, "hangs", lambda planner: parent(parent(planner)), Outcome.LOST, "was killed"),
        *(
            pytest.param("enhsp", "-jar", *row, marks=pytest.mark.long)
            for row in (
                (lambda java: java, Outcome.CRASH, "ended before it read the problem"),
                (parent, Outcome.CRASH, "signal 9 (SIGKILL)"),
                (lambda java: parent(parent(java)), Outcome.LOST, "was killed"),
            )
        ),
    ],
    ids=["planner", "supervisor", "warm process", "planner of UP", "UP", "supervisor of UP"],
)
def test_who_is_killed_by_others_takes_the_rest_along(
    tmp_path: Path,
    engine: Planner | str,
    word: str,
    who: Callable[[psutil.Process], psutil.Process],
    outcome: Outcome,
    says: str,
) -> None:
    """This happens when the system runs out of memory and chooses a process to kill."""

    def kill() -> None:
        deadline, found = time.monotonic() + 60, list[psutil.Process]()
        while not found and time.monotonic() < deadline:
            found = [each for each in psutil.process_iter() if is_in(each, tmp_path, word)]
            time.sleep(0.02)
        who(found[0]).kill()

    killer = Thread(target=kill)
    killer.start()
    planner = planner_named(engine) if isinstance(engine, str) else engine
    done = attempt(replace(planner, command=planner.engine or planner.command), HARD, LIMITS)
    killer.join()
    assert done.outcome is outcome
    assert says in (done.reason or "")
    again = attempt(planner_named("lama-first"), sample("ferry"), LIMITS)
    assert again.outcome is Outcome.PLAN_FOUND
