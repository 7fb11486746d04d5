"""All processes below this one: who they are, and how they are ended without leaving any."""

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

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_POLL_S: Final = 0.005
# Some processes cannot be killed while they wait for a disk; nobody waits for them for ever.
_PATIENCE_S: Final = 10.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def terminate_with_parent() -> None:
    """Have this process sent SIGTERM when its parent ends, however that ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value}) failed")


class Member(NamedTuple):
    """A process, as one line of the kernel tells of it (proc(5), ``/proc/PID/stat``)."""

    number: int
    parent: int
    cpu_s: float
    """CPU seconds, those of its children included that it has waited for."""
    memory_bytes: int
    """Resident memory."""


def _processes() -> Iterator[Member]:
    """Yield every process of the machine that can be seen.

    Read by hand: with psutil a look at a thousand processes takes a tenth of a second.
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
    # The second field is a name in parentheses, with anything in it.
    fields = line[line.rindex(b")") + 2 :].split()
    ticks = sum(map(int, fields[11:15]))
    return Member(number, int(fields[1]), ticks / _TICKS, int(fields[21]) * _PAGE)


def _below(parents: AbstractSet[int]) -> list[Member]:
    """Return the processes below these, ended ones that nobody has waited for included."""
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
    """All processes below this one, however they were started.

    This process becomes their subreaper: where a process below ends before its children, they
    become children of this process instead of leaving the family, new sessions and double forks
    included.
    """

    def __init__(self) -> None:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self.statuses: dict[int, int] = {}
        """Exit status by process number of those that were reaped; negative for a signal."""

    def members(self) -> list[Member]:
        """Return all of them as they are now."""
        return _below({os.getpid()})

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
            _send(self.members(), signal.SIGTERM)
            self._wait(grace_s)
        deadline = time.monotonic() + _PATIENCE_S
        # Again and again: one may have started another in between.
        while self._alive() and time.monotonic() < deadline:
            _send(self.members(), signal.SIGKILL)
            self._wait(_POLL_S)

    def end_strangers(self, known: AbstractSet[int]) -> None:
        """End, at once, the children that are not among these, and all below them.

        They have become children of this process when their parents ended.
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
        # It has ended, or belongs to another user by now.
        with suppress(ProcessLookupError, PermissionError):
            os.kill(member.number, number)
