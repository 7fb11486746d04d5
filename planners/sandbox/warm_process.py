"""The warm process: forks a supervisor for each attempt, with Unified Planning imported if needed.

Importing it takes one or two seconds. This process imports it once instead of once per attempt, and
not at all for planners that do not use it. The fork server of `multiprocessing` is similar, but it
runs the caller's main script in every child.

A message on the Unix socket is the path of a request. The answer has the handles of the supervisor,
or says why there is none. `launcher` sends one request at a time.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from pddl_pipeline.endpoints.settings import public_environment
from pddl_pipeline.planners.planner import LARGEST_MESSAGE, WORK, Observation, Request, UpEngine
from pddl_pipeline.planners.sandbox.supervisor import (
    GRACE_S,
    EngineLog,
    Family,
    ProcessMeter,
    Supervisor,
    bytes_below,
    kill_below,
)
from pddl_pipeline.planners.unified_planning import environment, one_line, run_engine

_TICK_S: Final = 1.0
# The runner ends a supervisor earlier, unless a planner has stopped the runner.
_OVERTIME_S: Final = GRACE_S + 3.0
_KILLING_S: Final = 2.0
_STARTED: Final = "started"


class WarmProcess:
    """Answers requests until the runner has ended."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._parent = os.getppid()
        self._family = Family()
        # By supervisor: the write end of its report pipe. This process keeps a copy open until
        # everything is cleaned up, so that the runner does not see the end of the pipe earlier.
        self._supervisors: dict[int, int] = {}
        # By supervisor, too.
        self._guards: dict[int, int] = {}
        self._woken, wake = os.pipe()
        for end in (self._woken, wake):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Answer requests until the socket is closed; supervisors end with this process."""
        sources: list[socket.socket | int] = [self._channel, self._woken]
        # Check the parent periodically: another running process may have inherited the socket.
        while os.getppid() == self._parent:
            ready, _, _ = select.select(sources, [], [], _TICK_S)
            if self._woken in ready:
                os.read(self._woken, LARGEST_MESSAGE)
                self._reap()
            if self._channel in ready and not self._answer():
                return

    def _reap(self) -> None:
        """Remove supervisors that have ended; end the processes that a killed one left behind."""
        self._family.reap()
        statuses = self._family.statuses
        while ended := {n: statuses[n] for n in self._supervisors if n in statuses}:
            sinks = [self._supervisors.pop(number) for number in ended]
            self._guards = {number: self._guards[number] for number in self._supervisors}
            if any(ended.values()):
                # Other supervisors may end meanwhile; the next iteration handles them.
                self._family.end(0, but={*self._supervisors, *self._guards.values()})
            for sink in sinks:
                os.close(sink)
        statuses.clear()

    def _answer(self) -> bool:
        """Answer a request; return whether the runner is still connected."""
        handles: list[int] = []
        answer = _STARTED
        try:
            message = self._channel.recv(LARGEST_MESSAGE)
            if not message:
                return False
            try:
                handles = self._launch(Path(os.fsdecode(message)))
            except Exception as error:  # noqa: BLE001 -- reported to the runner
                answer = one_line(error)
            socket.send_fds(self._channel, [answer.encode()], handles)
        except ConnectionError:
            return False
        finally:
            for handle in handles:
                os.close(handle)
        return True

    def _launch(self, file: Path) -> list[int]:
        """Fork a supervisor; return its pidfd and the read end of its report pipe."""
        request = msgspec.convert(json.loads(file.read_bytes()), Request)
        if isinstance(request.what, UpEngine):
            _import_unified_planning()
        source, sink = os.pipe()
        try:
            number = os.fork()
        except OSError:
            os.close(source)
            os.close(sink)
            raise
        if number == 0:
            for handle in (source, self._channel.fileno(), *self._supervisors.values()):
                os.close(handle)
            _supervise(request, os.getppid(), sink)
        self._supervisors[number] = sink
        handle = os.pidfd_open(number)
        self._guards[number] = _start_guard(number, handle, request.limits.time_s + _OVERTIME_S)
        return [handle, source]


def _start_guard(supervisor: int, handle: int, time_s: float) -> int:
    """Fork a process that kills a supervisor after some time, with all processes below.

    A planner may stop its ancestors, but the guard is none of them. It ends with the supervisor.

    Args:
        supervisor: its number.
        handle: its pidfd.
        time_s: the time, in seconds.
    """
    guard = os.fork()
    if guard:
        return guard
    try:
        # The runner waits until all copies of its pipes are closed.
        os.closerange(0, handle)
        os.closerange(handle + 1, os.sysconf("SC_OPEN_MAX"))
        if not select.select([handle], [], [], time_s)[0]:
            kill_below(supervisor, _KILLING_S)
            os.kill(supervisor, signal.SIGKILL)
    finally:
        os._exit(0)


def _supervise(request: Request, parent: int, sink: int) -> NoReturn:
    """Supervise an attempt in this process, report the observation, and end the process."""
    status = 1
    try:
        os.setsid()
        seen = _run(request, parent)
        os.write(sink, json.dumps(asdict(seen)).encode())
        status = 0
    except BaseException as error:  # noqa: BLE001 -- nothing may return into the forked code
        os.write(sink, json.dumps({"error": f"{type(error).__name__}: {error}"[:500]}).encode())
    finally:
        os._exit(status)


@cache
def _import_unified_planning() -> None:
    """Import Unified Planning into this process, for all later attempts."""
    with suppress(ImportError):
        # If the import fails, requests for one of its engines report the error.
        environment()
    # The present objects stay, and collecting them would copy their pages in every child.
    gc.freeze()


def main() -> None:
    """Serve the socket whose number is the only argument."""
    # The inherited mask may block signals that this process and planners must receive.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    gc.freeze()
    WarmProcess(socket.socket(fileno=int(sys.argv[1]))).serve()


_POLL_S: Final = 0.02
_ADVICE: Final = {
    errno.ENOEXEC: "; a script starts with a line such as #!/bin/sh",
    errno.ENOENT: "; or the interpreter in its first line does not exist",
}


def _run(request: Request, parent: int) -> Observation:
    """Run the planner, end everything that it started, and return the observation."""
    supervisor = Supervisor(parent, Path(request.place))
    with EngineLog(Path(request.log)) as log:
        try:
            seen = _observed(request, supervisor, log)
        finally:
            is_alone = supervisor.end(GRACE_S)
    return replace(seen, stopped=seen.stopped or is_alone)


def _observed(request: Request, supervisor: Supervisor, log: EngineLog) -> Observation:
    begin, limits = time.monotonic(), request.limits
    try:
        planner = _start(request, supervisor, log)
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "")
        return Observation(fault=f"{error.filename or 'fork'}: {error.strerror}{advice}")
    finally:
        os.close(log.sink)
    meter = ProcessMeter(supervisor.family, limits)
    left = limits.time_s - (time.monotonic() - begin)

    def sample() -> str | None:
        is_full = bytes_below(request.place) > request.disk_bytes
        return "disk" if is_full else meter.sample()

    hit = supervisor.watch(planner, sample, _POLL_S, time_s=left, log=log) or meter.finish()
    ended, wall = hit is None and not supervisor.stopped, time.monotonic() - begin
    # A process that exceeds its memory limit would keep growing during a grace period.
    supervisor.family.end(0 if hit in ("memory", "disk") else GRACE_S)
    meter.finish()
    return Observation(
        status=supervisor.family.statuses[planner] if ended else None,
        hit=hit,
        through_up=isinstance(request.what, UpEngine),
        stopped=supervisor.stopped,
        wall_s=wall if ended else time.monotonic() - begin,
        cpu_s=meter.cpu_s,
        peak_bytes=meter.peak_bytes,
    )


def _start(request: Request, supervisor: Supervisor, log: EngineLog) -> int:
    """Start the planner; return its process number."""
    work, core = Path(request.place) / WORK, request.limits.core
    environment = {**public_environment(request.secrets), **request.environment}
    if isinstance(request.what, UpEngine):
        engine = partial(run_engine, request.what, work, environment, log.sink, core)
        return supervisor.fork(engine)
    # With a function to call, a process starts more slowly.
    bind = None if core is None else partial(os.sched_setaffinity, 0, {core})
    child = subprocess.Popen(
        request.what,
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=log.sink,
        stderr=log.sink,
        start_new_session=True,
        preexec_fn=bind,  # noqa: PLW1509 -- there are no threads
    )
    # The family reaps it; without this status, the Popen object would warn about it.
    child.returncode = 0
    return child.pid


if __name__ == "__main__":
    main()
