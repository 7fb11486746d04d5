"""Process trees: what they use, and how they are ended without leaving anything behind."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import psutil

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_GRACE_S: Final = 1.0
_POLL_S: Final = 0.02


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ends, so that none is lost."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def terminate_with_parent() -> None:
    """Have this process sent SIGTERM when its parent ends, however that ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value}) failed")


def descendants(pid: int) -> list[psutil.Process]:
    """Return all processes below one; the process itself is not among them."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def end_descendants(pid: int) -> None:
    """End everything below a process: SIGTERM, a second of grace, SIGKILL until nothing is left."""
    below = descendants(pid)
    _send(below, signal.SIGTERM)
    _, left = psutil.wait_procs(below, timeout=_GRACE_S)
    deadline = time.monotonic() + 10 * _GRACE_S
    while (left or descendants(pid)) and time.monotonic() < deadline:
        left = [*left, *descendants(pid)]
        _send(left, signal.SIGKILL)
        _, left = psutil.wait_procs(left, timeout=_GRACE_S)


def end_tree(
    child: subprocess.Popen[bytes], seen: Iterable[psutil.Process], drain_s: float
) -> None:
    """End a child and everything below it, so that nothing is left.

    Args:
        child: gets some time to end by itself once all below it has ended.
        seen: processes that were below it at some time. If the child was killed by somebody
            else, they are below it no more.
        drain_s: how long the child gets.
    """
    # Where no planner runs, there are no plans to wait for.
    deadline = time.monotonic() + (drain_s if descendants(child.pid) else 0.0)
    while child.poll() is None and time.monotonic() < deadline:
        # Again and again: the child may be about to start its planner.
        end_descendants(child.pid)
        with suppress(subprocess.TimeoutExpired):
            child.wait(timeout=_POLL_S)
    if child.poll() is None:
        # Stopped first, so that it cannot start anything while it is being ended.
        child.send_signal(signal.SIGSTOP)
        end_descendants(child.pid)
        child.kill()
        child.wait()
    left = [process for process in seen if process.is_running()]
    _send(left, signal.SIGKILL)
    psutil.wait_procs(left, timeout=_GRACE_S)


def _send(processes: list[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            continue


@dataclass(slots=True)
class Usage:
    """What a process tree has used so far."""

    cpu_s: float = 0.0
    """CPU seconds of all processes seen, ended ones included as far as they were seen."""
    memory_bytes: int = 0
    """Resident memory of the tree now."""
    peak_bytes: int = 0
    """The largest resident memory seen."""


class Meter:
    """Samples a process tree."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._cpu: dict[psutil.Process, float] = {}
        self.spent_before = 0.0
        """CPU seconds to leave out."""
        self.usage = Usage()
        """The latest figures; one object, which every sample changes."""

    @property
    def seen(self) -> list[psutil.Process]:
        """Every process that was in the tree at some sample."""
        return list(self._cpu)

    def sample(self) -> None:
        """Look at every process of the tree once."""
        memory = 0
        for process in self._tree():
            try:
                with process.oneshot():
                    times = process.cpu_times()
                    memory += process.memory_info().rss
                self._cpu[process] = times.user + times.system
            except psutil.NoSuchProcess:
                continue
        self.usage.memory_bytes = memory
        self.usage.peak_bytes = max(self.usage.peak_bytes, memory)
        self.usage.cpu_s = max(0.0, sum(self._cpu.values()) - self.spent_before)

    def _tree(self) -> list[psutil.Process]:
        try:
            return [psutil.Process(self._pid), *descendants(self._pid)]
        except psutil.NoSuchProcess:
            return []
