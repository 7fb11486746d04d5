"""Measurement of the time of functions and of processes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence


def cpu_of(work: Callable[[], object]) -> float:
    """Return the CPU time of a call in this process, in seconds."""
    before = time.process_time()
    work()
    return time.process_time() - before


def wall_of(work: Callable[[], object]) -> float:
    """Return the wall-clock time of a call, in seconds."""
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def cpu_of_process(command: Sequence[str], env: dict[str, str] | None = None) -> float:
    """Return the CPU time of a process in seconds, including its start and end."""
    with subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def best(work: Callable[[], float], times: int) -> float:
    """Return the smallest of several measurements, since other processes can only add time."""
    return min(work() for _ in range(times))
