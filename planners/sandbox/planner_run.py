"""One run of a planner below a supervisor: starts it, measures it, and copies its output."""

from __future__ import annotations

import errno
import os
import subprocess
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from pddl_pipeline.planners.sandbox.cgroup import Cgroup, CgroupMeter
from pddl_pipeline.planners.sandbox.engine_log import EngineLog
from pddl_pipeline.planners.sandbox.meter import ProcessMeter
from pddl_pipeline.planners.sandbox.request import WORK, Observation, Request, UpEngine
from pddl_pipeline.planners.sandbox.supervisor import Supervisor
from pddl_pipeline.planners.sandbox.up_worker import run_engine

# All processes must have ended one second after the limit.
_GRACE_S: Final = 0.8
_POLL_S: Final = 0.02
_NO_FORMAT: Final = "; a script starts with a line such as #!/bin/sh"


class PlannerRun:
    """A request, which this process runs to its end."""

    def __init__(self, request: Request, parent: int, delegated: Path | None) -> None:
        """Prepare this process.

        Args:
            request: the attempt to run.
            parent: number of the process that this process must not outlive.
            delegated: cgroup below which the attempt's own cgroup is created.
        """
        self._place = Path(request.place)
        self._request = request
        memory = request.limits.memory_bytes
        self._group = None if delegated is None else Cgroup(delegated, self._place.name, memory)
        self._supervisor = Supervisor(parent, self._place)

    def run(self) -> Observation:
        """Run the planner, end everything that it started, and return the observation."""
        with EngineLog(Path(self._request.log)) as log:
            try:
                seen = self._run(log)
            finally:
                is_alone = self._supervisor.end(_GRACE_S)
                if self._group is not None:
                    self._group.remove()
        return replace(seen, stopped=seen.stopped or is_alone)

    def _run(self, log: EngineLog) -> Observation:
        begin, supervisor, limits = time.monotonic(), self._supervisor, self._request.limits
        try:
            planner = self._start(log)
        except OSError as error:
            advice = _NO_FORMAT if error.errno == errno.ENOEXEC else ""
            return Observation(fault=f"{error.filename or 'fork'}: {error.strerror}{advice}")
        finally:
            os.close(log.sink)
        meter = (
            ProcessMeter(supervisor.family, limits)
            if self._group is None
            else CgroupMeter(supervisor.family, limits, self._group)
        )
        left = limits.time_s - (time.monotonic() - begin)
        hit = supervisor.watch(planner, meter, _POLL_S, time_s=left, log=log)
        ended, wall = hit is None and not supervisor.stopped, time.monotonic() - begin
        # A process that exceeds its memory limit would keep growing during a grace period.
        supervisor.family.end(0 if hit == "memory" else _GRACE_S)
        meter.finish()
        return Observation(
            status=supervisor.family.statuses[planner] if ended else None,
            hit=hit,
            through_up=isinstance(self._request.what, UpEngine),
            stopped=supervisor.stopped,
            wall_s=wall if ended else time.monotonic() - begin,
            cpu_s=meter.cpu_s,
            peak_bytes=meter.peak_bytes,
            measured=meter.name,
        )

    def _start(self, log: EngineLog) -> int:
        """Start the planner; return its process number."""
        request, work = self._request, self._place / WORK
        environment = {**os.environ, **request.environment}
        if isinstance(request.what, UpEngine):
            engine = partial(run_engine, request.what, work, environment, log.sink, self._enter)
            return self._supervisor.fork(engine)
        # With a function to call, a process starts more slowly.
        is_bound = self._group is not None or request.limits.core is not None
        child = subprocess.Popen(
            request.what,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log.sink,
            stderr=log.sink,
            start_new_session=True,
            preexec_fn=self._enter if is_bound else None,  # noqa: PLW1509 -- there are no threads
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
