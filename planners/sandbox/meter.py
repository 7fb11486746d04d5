"""Measures the memory and CPU time of a family of processes."""

from __future__ import annotations

from collections.abc import Iterable

import psutil

from pddl_pipeline.io.platform import resource
from pddl_pipeline.planners.sandbox.processes import Family, Member


class Meter:
    """Samples every process of a family periodically."""

    name = "rss"

    def __init__(self, family: Family, memory_limit: int) -> None:
        """Prepare to sample a family with a memory limit, in bytes."""
        self._family = family
        self._limit = memory_limit
        self.memory_bytes = 0
        """Resident memory at the last sample, summed over all processes. If the sum exceeds the
        limit, shared memory is counted once."""
        self.peak_bytes = 0
        """The largest `memory_bytes` of all samples."""
        self.cpu_s = 0.0
        """CPU seconds so far, including those of ended processes."""

    def sample(self) -> None:
        """Read the memory and CPU time of every process once."""
        # Adopted processes that have ended would otherwise stay for the whole attempt.
        self._family.reap()
        members = self._family.members()
        memory = sum(member.memory_bytes for member in members)
        self.memory_bytes = memory if memory <= self._limit else min(memory, _shared_once(members))
        self.peak_bytes = max(self.peak_bytes, self.memory_bytes)
        self._count(sum(member.cpu_s for member in members))

    def finish(self) -> None:
        """Count the CPU time of processes that ended since the last sample."""
        self._count(0.0)

    def was_killed(self) -> bool:
        """Return whether the kernel killed a process at the memory limit."""
        return False

    def _count(self, running_s: float) -> None:
        reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu_s = max(self.cpu_s, running_s + reaped.ru_utime + reaped.ru_stime)


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
