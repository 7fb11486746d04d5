"""What a family of processes uses."""

from __future__ import annotations

import resource
from collections.abc import Iterable

import psutil

from pddl_pipeline.planners.sandbox.processes import Family, Member


class Meter:
    """Looks at every process again and again."""

    name = "rss"

    def __init__(self, family: Family, memory_limit: int) -> None:
        """Prepare to sample a family that has a limit of memory, in bytes."""
        self._family = family
        self._limit = memory_limit
        self.memory_bytes = 0
        """Resident memory at the last sample, summed over all processes; where that is over the
        limit, memory that they share is counted once."""
        self.peak_bytes = 0
        """The largest memory seen."""
        self.cpu_s = 0.0
        """CPU seconds so far, of ended processes, too."""

    def sample(self) -> None:
        """Look at every process once."""
        # Adopted ones that have ended would stay for the whole attempt.
        self._family.reap()
        members = self._family.members()
        memory = sum(member.memory_bytes for member in members)
        self.memory_bytes = memory if memory <= self._limit else min(memory, _shared_once(members))
        self.peak_bytes = max(self.peak_bytes, self.memory_bytes)
        self._count(sum(member.cpu_s for member in members))

    def finish(self) -> None:
        """Count what those have used that ended since the last sample."""
        self._count(0.0)

    def was_killed(self) -> bool:
        """Whether the kernel has killed a process for want of memory."""
        return False

    def _count(self, running_s: float) -> None:
        reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu_s = max(self.cpu_s, running_s + reaped.ru_utime + reaped.ru_stime)


def _shared_once(members: Iterable[Member]) -> int:
    """Return the memory with a share each of what several processes have in common.

    A process that was forked has all of its parent's memory in its own resident set. This
    takes the kernel too long for every sample.
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
