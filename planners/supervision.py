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
from pddl_pipeline.planners.processes import Meter, Usage, end_tree

# Importing Unified Planning on a busy machine; not counted as the planner's time.
_START_S: Final = 120.0
# After its planner was ended, the child gets this long to hand over the plans found so far.
_DRAIN_S: Final = 5.0
_POLL_S: Final = 0.02


@dataclass(slots=True)
class Watch:
    """What was seen of a child."""

    usage: Usage
    begin: float | None = None
    """When its planner started, on the monotonic clock; None if the child never came that far."""
    wall_s: float = 0.0
    hit: str | None = None
    """``time`` or ``memory`` when it was ended by that limit."""


class Stopped(Exception):
    """The attempt was ended because its caller no longer wants it."""


def supervise(
    place: Path, environment: Mapping[str, str], limits: Limits, stop: Event
) -> tuple[Watch, int]:
    """Run the child to its end or to a limit; return what was seen and its exit status.

    Raises:
        Stopped: ``stop`` was set; everything is ended.
    """
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
        meter = Meter(child.pid)
        try:
            watch = _watch(child, meter, place, limits, stop)
        finally:
            end_tree(child, meter.seen, _DRAIN_S)
    return watch, child.returncode


def _watch(
    child: subprocess.Popen[bytes], meter: Meter, place: Path, limits: Limits, stop: Event
) -> Watch:
    """Wait until the child has ended or is over a limit; raise Stopped if nobody wants it."""
    watch = Watch(meter.usage, _wait_until_ready(child, place, stop))
    if watch.begin is None:
        return watch
    # What the import took is not the planner's.
    meter.spent_before = float((place / READY).read_text())
    while child.poll() is None:
        meter.sample()
        watch.wall_s = time.monotonic() - watch.begin
        if watch.wall_s >= limits.time_s:
            watch.hit = "time"
        elif watch.usage.memory_bytes > limits.memory_bytes:
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
