"""The descendants of this process: lists them and ends all of them."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Final, NamedTuple

from pddl_pipeline.io.platform import PAGE_BYTES, TICKS
from pddl_pipeline.planners.sandbox.kernel.system_call import control_process

_CHILD_SUBREAPER: Final = 36
_POLL_S: Final = 0.005
# Processes that wait for a disk cannot be killed; do not wait for them forever.
_PATIENCE_S: Final = 10.0


class Member(NamedTuple):
    """A process, as described by ``/proc/PID/stat`` (see proc(5))."""

    number: int
    parent: int
    cpu_s: float
    """CPU seconds, including those of the children that it has waited for."""
    memory_bytes: int
    """Resident memory."""


def _processes() -> Iterator[Member]:
    """Yield every visible process of the machine.

    This reads /proc directly: psutil takes a tenth of a second for a thousand processes.
    """
    for name in os.listdir("/proc"):  # noqa: PTH208 -- names are enough
        if name.isdigit():
            with suppress(OSError):
                yield _read(int(name))


def _read(number: int) -> Member:
    handle = os.open(f"/proc/{number}/stat", os.O_RDONLY)
    try:
        line = os.read(handle, 4096)
    finally:
        os.close(handle)
    # The second field is a name in parentheses and may contain any character.
    fields = line[line.rindex(b")") + 2 :].split()
    ticks = sum(map(int, fields[11:15]))
    return Member(number, int(fields[1]), ticks / TICKS, int(fields[21]) * PAGE_BYTES)


class Family:
    """All descendants of this process, however they were started.

    This process becomes their subreaper: if a descendant ends before its children, they become
    children of this process instead of leaving the family. This includes new sessions and double
    forks.
    """

    def __init__(self) -> None:
        control_process(_CHILD_SUBREAPER, 1)
        self.statuses: dict[int, int] = {}
        """Exit statuses of reaped processes, by process number; negative for a signal."""

    def members(self, but: AbstractSet[int] = frozenset()) -> list[Member]:
        """Return the processes of the family that exist now, including zombies.

        `but` has the numbers of children that are left out, with their descendants.
        """
        children = defaultdict(list)
        for process in _processes():
            if process.number not in but:
                children[process.parent].append(process)
        found: list[Member] = []
        wanted = [os.getpid()]
        while wanted:
            below = children.pop(wanted.pop(), [])
            found += below
            wanted += [process.number for process in below]
        return found

    def reap(self) -> bool:
        """Reap the children that have ended, and store their exit statuses.

        Return whether there are children left; without children, the family is empty.
        """
        while True:
            try:
                number, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if number == 0:
                return True
            self.statuses[number] = os.waitstatus_to_exitcode(status)

    def end(self, grace_s: float, but: AbstractSet[int] = frozenset()) -> None:
        """End all processes: send SIGTERM, wait, then send SIGKILL until none is left.

        Args:
            grace_s: seconds between SIGTERM and SIGKILL; with 0, send only SIGKILL.
            but: numbers of children that are left alone, with their descendants.
        """
        asked, begin = grace_s <= 0, time.monotonic()
        while time.monotonic() < begin + grace_s + _PATIENCE_S:
            members = self.members(but) if self.reap() else []
            if not members:
                return
            is_late = time.monotonic() >= begin + grace_s
            if is_late or not asked:
                # SIGKILL is repeated: a process may have started another one in between.
                _send(members, signal.SIGKILL if is_late else signal.SIGTERM)
                asked = True
            time.sleep(_POLL_S)


def _send(members: list[Member], number: signal.Signals) -> None:
    for member in members:
        # The process has ended, or its number now belongs to another user's process.
        with suppress(ProcessLookupError, PermissionError):
            os.kill(member.number, number)
