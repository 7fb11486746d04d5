"""Watches the child process of an attempt, and ends everything at a limit."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.child import READY
from pddl_pipeline.planners.processes import Meter, end_descendants

# Importing Unified Planning on a busy machine; not counted as the planner's time.
_START_S: Final = 120.0
# After its planner was ended, the child gets this long to hand over the plans found so far.
_DRAIN_S: Final = 5.0
_POLL_S: Final = 0.02


@dataclass(slots=True)
class Watch:
    """What was seen of a child while it ran, from when its planner started."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0
    hit: str | None = None
    started: bool = True


class Stopped(Exception):
    """The attempt was ended because its caller no longer wants it."""


def supervise(
    place: Path, environment: Mapping[str, str], limits: Limits, stop: Event
) -> tuple[Watch, int]:
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


def _watch(child: subprocess.Popen[bytes], place: Path, limits: Limits, stop: Event) -> Watch:
    """Wait until the child has ended or is over a limit; raise Stopped if nobody wants it."""
    meter, watch = Meter(child.pid), Watch()
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
