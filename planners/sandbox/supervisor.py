"""Supervises one attempt: starts the planner, enforces its limits, and cleans up.

It runs in a separate process between the runner and the planner, so that it can clean up if either
of them fails: everything that the planner starts stays below this process, and when the runner is
killed, the kernel notifies this process.
"""

from __future__ import annotations

import errno
import os
import selectors
import shutil
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Final

from pddl_pipeline.planners.sandbox.cgroup import Cgroup, CgroupMeter
from pddl_pipeline.planners.sandbox.engine_log import EngineLog
from pddl_pipeline.planners.sandbox.meter import Meter
from pddl_pipeline.planners.sandbox.processes import Family, terminate_with_parent
from pddl_pipeline.planners.sandbox.request import WORK, Observation, Request, UpEngine
from pddl_pipeline.planners.sandbox.up_worker import start_worker

# All processes must have ended one second after the limit.
_GRACE_S: Final = 0.8
_POLL_S: Final = 0.02
# Sampling all processes of a large machine takes long; this limits its share of the time.
_LOOKING_SHARE: Final = 0.05
_NO_FORMAT: Final = "; a script starts with a line such as #!/bin/sh"


class Supervisor:
    """Runs one request to its end."""

    def __init__(self, request: Request, parent: int, delegated: Path | None) -> None:
        """Prepare this process.

        Args:
            request: the attempt to run.
            parent: number of the process that this process must not outlive.
            delegated: cgroup below which the attempt's own cgroup is created.
        """
        place = Path(request.place)
        memory = request.limits.memory_bytes
        self._group = None if delegated is None else Cgroup(delegated, place.name, memory)
        self._request = request
        self._parent = parent
        self._stopped = False
        self._family = Family()
        self._wake, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, self._stop)
        for number in (signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        terminate_with_parent()
        if os.getppid() != parent:
            # The parent ended before the kernel could notify this process of it.
            self._stopped = True

    def _stop(self, _: int, __: FrameType | None) -> None:
        self._stopped = True

    def run(self) -> Observation:
        """Run the planner, end everything that it started, and return the observation."""
        with EngineLog(Path(self._request.log)) as log:
            try:
                seen = self._run(log)
            finally:
                self._family.end(_GRACE_S)
                if self._group is not None:
                    self._group.remove()
        if os.getppid() != self._parent:
            # The parent has ended, so no other process cleans up.
            shutil.rmtree(self._request.place, ignore_errors=True)
            return replace(seen, stopped=True)
        return seen

    def _run(self, log: EngineLog) -> Observation:
        begin = time.monotonic()
        try:
            planner = self._start(log)
        except OSError as error:
            advice = _NO_FORMAT if error.errno == errno.ENOEXEC else ""
            return Observation(fault=f"{error.filename or 'fork'}: {error.strerror}{advice}")
        finally:
            os.close(log.sink)
        meter = self._meter()
        hit = self._watch(planner, log, meter, begin)
        ended = hit is None and not self._stopped
        if not ended:
            # A process that exceeds its memory limit would keep growing during a grace period.
            self._family.end(0 if hit == "memory" else _GRACE_S)
        wall = time.monotonic() - begin
        self._family.end(_GRACE_S)
        meter.finish()
        return Observation(
            status=self._family.statuses[planner] if ended else None,
            hit=hit,
            through_up=isinstance(self._request.what, UpEngine),
            stopped=self._stopped,
            wall_s=wall,
            cpu_s=meter.cpu_s,
            peak_bytes=meter.peak_bytes,
            measured=meter.name,
        )

    def _meter(self) -> Meter:
        if self._group is None:
            return Meter(self._family, self._request.limits.memory_bytes)
        return CgroupMeter(self._family, self._group, self._request.limits.memory_bytes)

    def _start(self, log: EngineLog) -> int:
        """Start the planner; return its process number."""
        request = self._request
        work = Path(request.place) / WORK
        environment = {**os.environ, **request.environment}
        # With a function to call, a process starts more slowly.
        is_bound = self._group is not None or request.limits.core is not None
        enter = self._enter if is_bound else None
        if isinstance(request.what, UpEngine):
            return start_worker(request.what, work, environment, log.sink, enter)
        child = subprocess.Popen(
            request.what,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log.sink,
            stderr=log.sink,
            start_new_session=True,
            preexec_fn=enter,  # noqa: PLW1509 -- there are no threads here
        )
        # The family reaps it; without this status, the Popen object would warn about it.
        child.returncode = 0
        return child.pid

    def _enter(self) -> None:
        """Apply to this process, the planner's, what the processes that it starts inherit."""
        if self._group is not None:
            self._group.enter()
        if self._request.limits.core is not None:
            os.sched_setaffinity(0, {self._request.limits.core})

    def _watch(self, planner: int, log: EngineLog, meter: Meter, begin: float) -> str | None:
        """Wait until the planner ends, exceeds a limit or is cancelled; return the limit."""
        deadline, look = begin + self._request.limits.time_s, begin
        ended = os.pidfd_open(planner)
        with selectors.DefaultSelector() as selector:
            for source in (log.source, self._wake, ended):
                selector.register(source, selectors.EVENT_READ)
            while not self._stopped:
                now = time.monotonic()
                if now >= deadline:
                    return "time"
                if now >= look:
                    meter.sample()
                    hit = self._over(meter)
                    if hit:
                        return hit
                    cost = (time.monotonic() - now) / _LOOKING_SHARE
                    # The pause grows from the start, so that short runs are sampled, too.
                    look = now + max(_POLL_S, min(cost, now - begin))
                pause = max(0.0, min(look, deadline) - time.monotonic())
                ready = {key.fd for key, _ in selector.select(pause)}
                if log.source in ready and not log.copy():
                    # All writers have closed the pipe.
                    selector.unregister(log.source)
                if ended in ready:
                    self._family.reap()
                    meter.finish()
                    return "memory" if meter.was_killed() else self._over(meter)
        return None

    def _over(self, meter: Meter) -> str | None:
        """Return the limit that the measured values exceed, None if there is none."""
        limits = self._request.limits
        if meter.memory_bytes > limits.memory_bytes:
            return "memory"
        return "cpu" if limits.cpu_s is not None and meter.cpu_s >= limits.cpu_s else None
