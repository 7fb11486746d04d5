"""Process trees: what they use, and how they are ended without leaving anything behind."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from dataclasses import dataclass
from typing import Final

import psutil

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
GRACE_S: Final = 1.0


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ends, so that none is lost."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent(parent: int) -> None:
    """Have this process sent SIGTERM when its parent ends, however that ends.

    Args:
        parent: the parent's process id; if it is gone already, this process ends at once.
    """
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise SystemExit(1)


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
    _, left = psutil.wait_procs(below, timeout=GRACE_S)
    deadline = time.monotonic() + 10 * GRACE_S
    while (left or descendants(pid)) and time.monotonic() < deadline:
        left = [*left, *descendants(pid)]
        _send(left, signal.SIGKILL)
        _, left = psutil.wait_procs(left, timeout=GRACE_S)


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
        self._cpu: dict[tuple[int, float], float] = {}
        self.usage = Usage()

    def sample(self) -> Usage:
        """Look at every process of the tree once."""
        memory = 0
        for process in self._tree():
            try:
                with process.oneshot():
                    times = process.cpu_times()
                    key = (process.pid, process.create_time())
                    self._cpu[key] = times.user + times.system
                    memory += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        self.usage.memory_bytes = memory
        self.usage.peak_bytes = max(self.usage.peak_bytes, memory)
        self.usage.cpu_s = sum(self._cpu.values())
        return self.usage

    def _tree(self) -> list[psutil.Process]:
        try:
            return [psutil.Process(self._pid), *descendants(self._pid)]
        except psutil.NoSuchProcess:
            return []
