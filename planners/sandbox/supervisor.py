"""The process above a planner or a model's code: ends it, and all that it started, at limits.

It is a separate process, so that it can clean up if the processes on either side fail: everything
that is started stays below it, and when its parent is killed, the kernel notifies it.
"""

from __future__ import annotations

import math
import os
import selectors
import shutil
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final, Protocol

from pddl_pipeline.planners.sandbox.engine_log import EngineLog
from pddl_pipeline.planners.sandbox.kernel.system_call import control_process
from pddl_pipeline.planners.sandbox.processes import Family

_PARENT_DEATH: Final = 1
# Looking at all processes of a large machine takes long; this limits its share of the time.
_LOOKING_SHARE: Final = 0.05


class Meter(Protocol):
    """Measures what a process, and all below it, use."""

    def sample(self) -> str | None:
        """Measure while the process runs; return the limit that is exceeded, if any."""

    def finish(self) -> str | None:
        """Measure when the process has ended; return the limit that it has exceeded, if any."""


class Supervisor:
    """Makes this process the supervisor of another one."""

    def __init__(self, parent: int, folder: Path) -> None:
        """Prepare this process, which becomes the subreaper of all processes below it.

        Args:
            parent: number of the process that this process must not outlive.
            folder: the private folder of the process; see `end`.
        """
        self.family = Family()
        self.stopped = False
        """Whether the process is to end because its parent has ended, or no longer needs it."""
        self._parent = parent
        self._folder = folder
        self._wake = os.pipe()
        os.set_blocking(self._wake[1], False)
        signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, self._stop)
        for number in (signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        control_process(_PARENT_DEATH, signal.SIGTERM)
        if os.getppid() != parent:
            # The parent ended before the kernel could notify this process of it.
            self.stopped = True

    def _stop(self, _: int, __: FrameType | None) -> None:
        self.stopped = True

    def fork(self, work: Callable[[], None]) -> int:
        """Do work in a new process, which ends when this one ends; return its number."""
        supervisor = os.getpid()
        number = os.fork()
        if number:
            return number
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for end in self._wake:
                os.close(end)
            control_process(_PARENT_DEATH, signal.SIGKILL)
            if os.getppid() == supervisor:
                work()
                status = 0
        except BaseException:  # noqa: BLE001 -- printed; nothing may return into the forked code
            traceback.print_exc()
        finally:
            # Nothing is left to do, and a regular interpreter exit would take a tenth of a second.
            os._exit(status)

    def watch(
        self,
        number: int,
        meter: Meter,
        poll_s: float,
        *,
        time_s: float = math.inf,
        log: EngineLog | None = None,
    ) -> str | None:
        """Wait until a process ends, exceeds a limit or is to end; return the limit.

        Args:
            number: the number of the process.
            meter: measures it.
            poll_s: the least time between two measurements.
            time_s: the limit of wall-clock time; the limit is then ``time``.
            log: its output, which is copied meanwhile.
        """
        begin = look = time.monotonic()
        ended = os.pidfd_open(number)
        with selectors.DefaultSelector() as selector:
            for source in (self._wake[0], ended, *([] if log is None else [log.source])):
                selector.register(source, selectors.EVENT_READ)
            while not self.stopped:
                now = time.monotonic()
                if now >= begin + time_s:
                    return "time"
                if now >= look:
                    hit = meter.sample()
                    if hit:
                        return hit
                    cost = (time.monotonic() - now) / _LOOKING_SHARE
                    # The pause grows from the start, so that short runs are measured, too.
                    look = now + max(poll_s, min(cost, now - begin))
                pause = max(0.0, min(look, begin + time_s) - time.monotonic())
                ready = {key.fd for key, _ in selector.select(pause)}
                if log is not None and log.source in ready and not log.copy():
                    # All writers have closed the pipe.
                    selector.unregister(log.source)
                if ended in ready:
                    self.family.reap()
                    return meter.finish()
        return None

    def end(self, grace_s: float) -> bool:
        """End all processes; see `Family.end`. Return whether the parent has ended.

        Then no other process cleans up, and the private folder is deleted.
        """
        self.family.end(grace_s)
        is_alone = os.getppid() != self._parent
        if is_alone:
            shutil.rmtree(self._folder, ignore_errors=True)
        return is_alone
