"""One attempt of a planner: a child process with a directory and limits of its own."""

from __future__ import annotations

import json
import os
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from threading import Event
from typing import Final

import psutil

from pddl_pipeline.model.attempt import Attempt
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.child import LOG, REQUEST
from pddl_pipeline.planners.java import find_java
from pddl_pipeline.planners.outcome import read_attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.supervision import supervise

_PREFIX: Final = "pddl-pipeline-"
# Of the memory limit; the rest is for what a Java process needs beside its heap.
_HEAP_SHARE: Final = 0.85


def attempt(
    planner: Planner,
    problem: Problem,
    limits: Limits,
    *,
    log: Path | None = None,
    stop: Event | None = None,
) -> Attempt:
    """Run a planner on a problem.

    Args:
        planner: what to run.
        problem: the PDDL texts.
        limits: hold for all processes of the attempt together; at a limit everything is ended.
        log: where to leave the planner's raw output; None where nobody wants it.
        stop: when set, the attempt is ended at once.

    Returns:
        What came of it; failures of the planner are outcomes, not exceptions.

    Raises:
        EngineError: the planner needs Java and there is none.
        Stopped: ``stop`` was set.
    """
    environment = _environment(planner, limits)
    _sweep()
    with TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-") as folder:
        place = Path(folder)
        environment["TMPDIR"] = _prepare(place, planner, problem)
        watch, status = supervise(place, environment, limits, stop or Event())
        result = read_attempt(planner, place, watch, limits, status)
        if log is not None:
            _keep_log(place, log)
    return result


@cache
def _sweep() -> None:
    """Remove the directories of attempts whose caller was killed at the very end of one."""
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def check_engine(planner: Planner) -> None:
    """Check that a planner can be started on this machine.

    Raises:
        EngineError: it needs Java and there is none; the message names the mend.
    """
    if planner.needs_java:
        find_java()


def _prepare(place: Path, planner: Planner, problem: Problem) -> str:
    """Write what the child reads; return a folder for its temporary files."""
    (place / "domain.pddl").write_text(problem.domain, encoding="utf-8")
    (place / "problem.pddl").write_text(problem.problem, encoding="utf-8")
    request = {
        "parent": os.getpid(),
        "engine": planner.engine,
        "parameters": dict(planner.parameters),
        "anytime": planner.anytime,
        "overlook": sorted(planner.overlook),
    }
    (place / REQUEST).write_text(json.dumps(request), encoding="utf-8")
    temporary = place / "tmp"
    temporary.mkdir()
    return str(temporary)


def _environment(planner: Planner, limits: Limits) -> dict[str, str]:
    environment = dict(os.environ)
    if planner.needs_java:
        # Unified Planning calls whatever `java` is on PATH.
        environment["PATH"] = f"{find_java().parent}{os.pathsep}{environment.get('PATH', '')}"
        # Java does not start with a heap that the machine cannot have.
        memory = min(limits.memory_bytes, psutil.virtual_memory().total)
        heap = max(16, int(memory * _HEAP_SHARE) >> 20)
        environment["JAVA_TOOL_OPTIONS"] = f"-Xmx{heap}m -XX:-UsePerfData"
    return environment


def _keep_log(place: Path, log: Path) -> None:
    """Put the planner's output, and what the child itself had to say, into one file."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as target:
        for name in (LOG, "child.log"):
            if (place / name).exists():
                with (place / name).open("rb") as source:
                    shutil.copyfileobj(source, target)
