"""Measures the memory and CPU time of a family of processes."""

from __future__ import annotations

from collections.abc import Iterable

import psutil

from pddl_pipeline.io.platform import resource
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.sandbox.processes import Family, Member


class ProcessMeter:
    """Samples every process of a family periodically."""

    name = "rss"

    def __init__(self, family: Family, limits: Limits) -> None:
        self._family = family
        self._limits = limits
        self.peak_bytes = 0
        """The largest resident memory of all samples, summed over all processes. If the sum exceeds
        the limit, shared memory is counted once."""
        self.cpu_s = 0.0
        """CPU seconds so far, including those of ended processes."""

    def sample(self) -> str | None:
        """Read the memory and CPU time of every process once; return the exceeded limit."""
        # Adopted processes that have ended would otherwise stay for the whole attempt.
        self._family.reap()
        members = self._family.members()
        memory = sum(member.memory_bytes for member in members)
        if memory > self._limits.memory_bytes:
            memory = min(memory, _shared_once(members))
        return self._over(memory, sum(member.cpu_s for member in members) + _reaped_cpu_s())

    def finish(self) -> str | None:
        """Count the CPU time of processes that ended since the last sample."""
        return self._over(0, _reaped_cpu_s())

    def _over(self, memory_bytes: int, cpu_s: float) -> str | None:
        """Store measured values; return the limit that they exceed, if any."""
        self.peak_bytes = max(self.peak_bytes, memory_bytes)
        self.cpu_s = max(self.cpu_s, cpu_s)
        if memory_bytes > self._limits.memory_bytes:
            return "memory"
        most = self._limits.cpu_s
        return "cpu" if most is not None and self.cpu_s >= most else None


def _reaped_cpu_s() -> float:
    reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
    return reaped.ru_utime + reaped.ru_stime


def _shared_once(members: Iterable[Member]) -> int:
    """Return the proportional set size, in bytes, which divides shared memory among processes.

    A forked process has all of its parent's memory in its own resident set. The kernel takes too
    long for this to be part of every sample.
    """
    memory = 0
    for member in members:
        try:
            memory += psutil.Process(member.number).memory_full_info().pss
        except psutil.AccessDenied:
            memory += member.memory_bytes
        except psutil.NoSuchProcess:
            continue
    return memory
