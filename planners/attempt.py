"""One attempt of a planner: a child process with a directory and limits of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Final

from pddl_pipeline.model.attempt import Attempt, Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.child import END, LOG, PLANS, READY, REQUEST
from pddl_pipeline.planners.java import find_java
from pddl_pipeline.planners.planner import Ending, Planner
from pddl_pipeline.planners.processes import Meter, end_descendants

# Importing Unified Planning on a busy machine; not counted as the planner's time.
_START_S: Final = 120.0
# After its planner was ended, the child gets this long to hand over the plans found so far.
_DRAIN_S: Final = 5.0
_POLL_S: Final = 0.02
# Of the memory limit; the rest is for what a Java process needs beside its heap.
_HEAP_SHARE: Final = 0.85
_TAIL_BYTES: Final = 2**20

_OUTCOMES: Final = {
    "MEMOUT": Ending(Outcome.MEMOUT, "the planner ran out of memory"),
    "TIMEOUT": Ending(Outcome.TIMEOUT, "the planner ended itself at a time limit"),
    "UNREADABLE": Ending(Outcome.UNSUPPORTED, "Unified Planning cannot read the problem"),
    "UNSOLVABLE_INCOMPLETELY": Ending(Outcome.GAVE_UP, "the planner ended without a plan"),
    "UNSOLVABLE_PROVEN": Ending(Outcome.CLAIMS_UNSOLVABLE, "the planner claims there is no plan"),
    "UNSUPPORTED_PROBLEM": Ending(Outcome.UNSUPPORTED, "the engine does not support the problem"),
}


@dataclass(slots=True)
class _Watch:
    """What was seen of a child while it ran."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0
    hit: str | None = None
    started: bool = True


class Stopped(Exception):
    """The attempt was ended because its caller no longer wants it."""


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
    with TemporaryDirectory(prefix="pddl-pipeline-") as folder:
        place = Path(folder)
        (place / "tmp").mkdir()
        (place / "domain.pddl").write_text(problem.domain, encoding="utf-8")
        (place / "problem.pddl").write_text(problem.problem, encoding="utf-8")
        request = {
            "parent": os.getpid(),
            "engine": planner.engine,
            "parameters": dict(planner.parameters),
            "anytime": planner.anytime,
        }
        (place / REQUEST).write_text(json.dumps(request), encoding="utf-8")
        environment["TMPDIR"] = str(place / "tmp")
        watch, status = _supervise(place, environment, limits, stop or Event())
        result = _result(planner, place, watch, status)
        if log is not None:
            _keep_log(place, log)
    return result


def _environment(planner: Planner, limits: Limits) -> dict[str, str]:
    environment = dict(os.environ)
    if planner.needs_java:
        # Unified Planning calls whatever `java` is on PATH.
        environment["PATH"] = f"{find_java().parent}{os.pathsep}{environment.get('PATH', '')}"
        heap = max(16, int(limits.memory_bytes * _HEAP_SHARE) >> 20)
        environment["JAVA_TOOL_OPTIONS"] = f"-Xmx{heap}m -XX:-UsePerfData"
    return environment


def _supervise(
    place: Path, environment: Mapping[str, str], limits: Limits, stop: Event
) -> tuple[_Watch, int]:
    """Run the child to its end or to a limit; return what was seen and its exit status."""
    command = [sys.executable, "-P", "-m", "pddl_pipeline.planners.child"]
    with (place / "child.log").open("wb") as output:
        child = subprocess.Popen(
            command,
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            watch = _watch(child, place, limits, stop)
        finally:
            end_descendants(child.pid)
            try:
                child.wait(timeout=_DRAIN_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
    return watch, child.returncode


def _watch(child: subprocess.Popen[bytes], place: Path, limits: Limits, stop: Event) -> _Watch:
    """Wait until the child has ended or is over a limit; raise Stopped if nobody wants it."""
    meter, watch = Meter(child.pid), _Watch()
    begin = _wait_until_ready(child, place, stop)
    if begin is None:
        watch.started = False
        return watch
    import_cpu = float((place / READY).read_text() or 0)
    while child.poll() is None:
        usage = meter.sample()
        watch.wall_s = time.monotonic() - begin
        watch.cpu_s = max(0.0, usage.cpu_s - import_cpu)
        watch.peak_bytes = usage.peak_bytes
        if watch.wall_s >= limits.time_s:
            watch.hit = "time"
        elif usage.memory_bytes > limits.memory_bytes:
            watch.hit = "memory"
        if watch.hit:
            break
        if stop.wait(min(_POLL_S, max(0.001, limits.time_s - watch.wall_s))):
            raise Stopped
    return watch


def _wait_until_ready(child: subprocess.Popen[bytes], place: Path, stop: Event) -> float | None:
    """Return the time at which the planner started; None if the child never came that far."""
    deadline = time.monotonic() + _START_S
    while not (place / READY).exists():
        if child.poll() is not None or time.monotonic() > deadline:
            return None
        if stop.wait(_POLL_S / 4):
            raise Stopped
    return time.monotonic()


def _result(planner: Planner, place: Path, watch: _Watch, status: int) -> Attempt:
    log = _tail(place / LOG)
    plan = _last_plan(place / PLANS)
    ending = Ending(Outcome.PLAN_FOUND, "") if plan is not None else _ending(
        planner, place, watch, log, status
    )  # fmt: skip
    counts = re.findall(planner.expanded, log)
    return Attempt(
        outcome=ending.outcome,
        plan=plan,
        reason=ending.reason or None,
        hit=watch.hit,
        wall_s=watch.wall_s,
        cpu_s=watch.cpu_s,
        memory_mb=watch.peak_bytes / 2**20,
        expanded=int(counts[-1]) if counts else None,
    )


def _ending(planner: Planner, place: Path, watch: _Watch, log: str, status: int) -> Ending:
    """Say how an attempt without a plan ended."""
    if watch.hit == "time":
        return Ending(Outcome.TIMEOUT, "stopped at the time limit")
    if watch.hit == "memory":
        return Ending(Outcome.MEMOUT, "stopped at the memory limit")
    if not watch.started or not (place / END).exists():
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        last = _tail(place / "child.log").strip().rpartition("\n")[2][:300]
        return Ending(Outcome.CRASH, f"the attempt's process ended with {how}: {last}")
    end = json.loads((place / END).read_text(encoding="utf-8"))
    if end["status"] == "UNREADABLE":
        known = _OUTCOMES["UNREADABLE"]
        return Ending(known.outcome, f"{known.reason}: {end['reason']}")
    if end["status"] == "UNSUPPORTED_PROBLEM":
        return Ending(Outcome.UNSUPPORTED, f"{planner.name}: {log.strip()[:300]}")
    return (
        planner.ending(log)
        or _OUTCOMES.get(end["status"])
        or Ending(Outcome.CRASH, f"Unified Planning reports {end['status']}")
    )


def _last_plan(file: Path) -> str | None:
    """Return the last plan that was written whole."""
    if not file.exists():
        return None
    lines = file.read_text(encoding="utf-8").split("\n")[:-1]
    return str(json.loads(lines[-1])) if lines else None


def _tail(file: Path) -> str:
    """Return the last part of a file, where the statistics are; empty if there is no file."""
    if not file.exists():
        return ""
    with file.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - _TAIL_BYTES))
        return stream.read().decode("utf-8", errors="replace")


def _keep_log(place: Path, log: Path) -> None:
    """Put the planner's output, and what the child itself had to say, into one file."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as target:
        for name in (LOG, "child.log"):
            if (place / name).exists():
                with (place / name).open("rb") as source:
                    shutil.copyfileobj(source, target)
