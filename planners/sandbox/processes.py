"""Process trees: what they use, and how they are ended without leaving anything behind."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Final

import psutil

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_POLL_S: Final = 0.005
# Some processes cannot be killed while they wait for a disk; nobody waits for them for ever.
_PATIENCE_S: Final = 10.0


def terminate_with_parent() -> None:
    """Have this process sent SIGTERM when its parent ends, however that ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value}) failed")


class Family:
    """All processes below this one, however they were started.

    This process becomes their subreaper: where a process below ends before its children, they
    become children of this process instead of leaving the family, new sessions and double forks
    included.
    """

    def __init__(self) -> None:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self.statuses: dict[int, int] = {}
        """Exit status by process number of those that were reaped; negative for a signal."""

    def members(self) -> list[psutil.Process]:
        """Return all processes below this one, ended ones that nobody has waited for included."""
        try:
            return psutil.Process().children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def reap(self) -> None:
        """Take note of children that have ended."""
        with suppress(ChildProcessError):
            while True:
                number, status = os.waitpid(-1, os.WNOHANG)
                if number == 0:
                    return
                self.statuses[number] = os.waitstatus_to_exitcode(status)

    def end(self, grace_s: float) -> None:
        """End all of them: SIGTERM, some seconds of grace, SIGKILL until nothing is left."""
        if grace_s > 0 and self._alive():
            self._send(signal.SIGTERM)
            self._wait(grace_s)
        deadline = time.monotonic() + _PATIENCE_S
        # Again and again: one may have started another in between.
        while self._alive() and time.monotonic() < deadline:
            self._send(signal.SIGKILL)
            self._wait(_POLL_S)

    def end_strangers(self, known: AbstractSet[int]) -> None:
        """End, at once, the children that are not among these, and all below them.

        They have become children of this process when their parents ended.
        """
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            self.reap()
            strangers = [p for p in psutil.Process().children() if p.pid not in known]
            if not strangers:
                return
            for stranger in strangers:
                with suppress(psutil.NoSuchProcess):
                    for process in (*stranger.children(recursive=True), stranger):
                        process.kill()
            time.sleep(_POLL_S)

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._alive() and time.monotonic() < deadline:
            time.sleep(_POLL_S)

    def _alive(self) -> bool:
        self.reap()
        return bool(self.members())

    def _send(self, number: signal.Signals) -> None:
        for process in self.members():
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)


class Meter:
    """Samples what a family uses."""

    name = "rss"

    def __init__(self, family: Family, memory_limit: int) -> None:
        """Prepare to sample a family that has a limit of memory, in bytes."""
        self._family = family
        self._limit = memory_limit
        self.memory_bytes = 0
        """Resident memory at the last sample, summed over all processes; where that is over the
        limit, memory that they share is counted once."""
        self.peak_bytes = 0
        """The largest resident memory seen."""
        self.cpu_s = 0.0
        """CPU seconds so far, of ended processes, too."""

    def sample(self) -> None:
        """Look at every process once."""
        memory, cpu = 0, 0.0
        for process in self._family.members():
            with suppress(psutil.NoSuchProcess), process.oneshot():
                times = process.cpu_times()
                # Those of its children are counted once it has waited for them.
                cpu += times.user + times.system + times.children_user + times.children_system
                memory += process.memory_info().rss
        self.memory_bytes = memory if memory <= self._limit else min(memory, self._shared_once())
        self.peak_bytes = max(self.peak_bytes, self.memory_bytes)
        self._count(cpu)

    def _shared_once(self) -> int:
        """Return the memory with a share each of what several processes have in common.

        A process that was forked has all of its parent's memory in its own resident set. This
        takes the kernel too long for every sample.
        """
        memory = 0
        for process in self._family.members():
            with suppress(psutil.NoSuchProcess):
                memory += process.memory_full_info().pss
        return memory

    def finish(self) -> None:
        """Count what those have used that ended since the last sample."""
        self._count(0.0)

    def _count(self, running_s: float) -> None:
        reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu_s = max(self.cpu_s, running_s + reaped.ru_utime + reaped.ru_stime)
