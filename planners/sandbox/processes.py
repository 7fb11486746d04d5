"""The descendants of this process: lists them and ends all of them."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Final, NamedTuple

from pddl_pipeline.io.platform import PAGE_BYTES, TICKS

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_POLL_S: Final = 0.005
# Processes that wait for a disk cannot be killed; do not wait for them forever.
_PATIENCE_S: Final = 10.0


def terminate_with_parent() -> None:
    """Request SIGTERM for this process when its parent ends, for whatever reason."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value}) failed")


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


def _below(parents: AbstractSet[int]) -> list[Member]:
    """Return the descendants of these processes, including zombies."""
    children = defaultdict(list)
    for process in _processes():
        children[process.parent].append(process)
    found: list[Member] = []
    wanted = list(parents)
    while wanted:
        below = children.pop(wanted.pop(), [])
        found += below
        wanted += [process.number for process in below]
    return found


class Family:
    """All descendants of this process, however they were started.

    This process becomes their subreaper: if a descendant ends before its children, they become
    children of this process instead of leaving the family. This includes new sessions and double
    forks.
    """

    def __init__(self) -> None:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self.statuses: dict[int, int] = {}
        """Exit statuses of reaped processes, by process number; negative for a signal."""

    def members(self) -> list[Member]:
        """Return the processes of the family that exist now."""
        return _below({os.getpid()})

    def reap(self) -> None:
        """Reap the children that have ended and store their exit statuses."""
        with suppress(ChildProcessError):
            while True:
                number, status = os.waitpid(-1, os.WNOHANG)
                if number == 0:
                    return
                self.statuses[number] = os.waitstatus_to_exitcode(status)

    def end(self, grace_s: float) -> None:
        """End all processes: send SIGTERM, wait, then send SIGKILL until none is left.

        Args:
            grace_s: seconds between SIGTERM and SIGKILL; with 0, send only SIGKILL.
        """
        if grace_s > 0 and self._alive():
            _send(self.members(), signal.SIGTERM)
            self._wait(grace_s)
        deadline = time.monotonic() + _PATIENCE_S
        # Repeat: a process may have started another one in between.
        while self._alive() and time.monotonic() < deadline:
            _send(self.members(), signal.SIGKILL)
            self._wait(_POLL_S)

    def end_strangers(self, known: AbstractSet[int]) -> None:
        """Kill the children that are not among `known`, and all of their descendants.

        They became children of this process when their parents ended.
        """
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            self.reap()
            this = os.getpid()
            strangers = [m for m in self.members() if m.parent == this and m.number not in known]
            if not strangers:
                return
            _send([*_below({m.number for m in strangers}), *strangers], signal.SIGKILL)
            time.sleep(_POLL_S)

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._alive() and time.monotonic() < deadline:
            time.sleep(_POLL_S)

    def _alive(self) -> bool:
        self.reap()
        return bool(self.members())


def _send(members: list[Member], number: signal.Signals) -> None:
    for member in members:
        # The process has ended, or its number now belongs to another user's process.
        with suppress(ProcessLookupError, PermissionError):
            os.kill(member.number, number)
