"""The process above a planner or a model's code: ends it, and all that it started, at limits.

It is a separate process, so that it can clean up if the processes on either side fail: everything
that is started stays below it, and when its parent is killed, the kernel notifies it. It measures
all processes below it, and copies a planner's output.
"""

from __future__ import annotations

import math
import os
import selectors
import shutil
import signal
import subprocess
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

import psutil

from pddl_pipeline.io.platform import PAGE_BYTES, TICKS, fcntl, resource
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.sandbox.confinement import control_process

# All processes must have ended one second after the limit.
GRACE_S: Final = 0.8
_CHILD_SUBREAPER: Final = 36
_POLL_S: Final = 0.005
# Processes that wait for a disk cannot be killed; do not wait for them forever.
_PATIENCE_S: Final = 10.0
_ZOMBIE: Final = "Z"


class Member(NamedTuple):
    """A process, as described by ``/proc/PID/stat`` (see proc(5))."""

    number: int
    parent: int
    state: str
    """A letter, such as Z for a zombie."""
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
    # utime, stime, cutime and cstime, here without the two fields before the state.
    ticks = sum(map(int, fields[11:15]))
    memory = int(fields[21]) * PAGE_BYTES
    return Member(number, int(fields[1]), fields[0].decode(), ticks / TICKS, memory)


def descendants(root: int, but: AbstractSet[int] = frozenset()) -> list[Member]:
    """Return the processes below a process that exist now, including zombies.

    `but` has the numbers of processes that are left out, with their descendants.
    """
    children = defaultdict(list)
    for process in _processes():
        if process.number not in but:
            children[process.parent].append(process)
    found: list[Member] = []
    wanted = [root]
    while wanted:
        below = children.pop(wanted.pop(), [])
        found += below
        wanted += [process.number for process in below]
    return found


def kill_below(root: int, patience_s: float) -> list[Member]:
    """Kill the descendants of another process, also stopped and traced ones.

    The process itself comes last, by its caller: what it has adopted stays below it until then.

    Returns:
        The processes that still exist after `patience_s` seconds, without zombies.
    """
    until = time.monotonic() + patience_s
    while left := [process for process in descendants(root) if process.state != _ZOMBIE]:
        if time.monotonic() > until:
            break
        _send(left, signal.SIGKILL)
        time.sleep(_POLL_S)
    return left


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
        """Return the descendants of this process; see `descendants`."""
        return descendants(os.getpid(), but)

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


class ProcessMeter:
    """Samples every process of a family periodically."""

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
        # A process that ends between two readings is missing from one of the sums.
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
            # Of a process that changed its user, only the resident set can be read.
            memory += member.memory_bytes
        except psutil.NoSuchProcess:
            continue
    return memory


_BLOCK_BYTES: Final = 512


def bytes_below(folder: str) -> int:
    """Return the bytes that the files below a folder take on the disk."""
    used, folders = 0, [folder]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                with suppress(OSError):  # deleted meanwhile
                    used += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
    return used


def remove_tree(folder: str | Path) -> None:
    """Remove a folder with everything below it, as far as this user may."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        # A planner can nest folders more deeply than Python's calls.
        subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL, check=False)


# Messages about the problem are at the beginning, statistics at the end.
_HEAD_BYTES: Final = 2**22
_TAIL_BYTES: Final = 2**22
_CHUNK_BYTES: Final = 2**20


class EngineLog(AbstractContextManager["EngineLog"]):
    """Copies a pipe to a file; keeps the beginning and the end of more than 8 MiB."""

    def __init__(self, file: Path) -> None:
        """Create the file.

        Raises:
            OSError: the file cannot be written.
        """
        self.source, self.sink = os.pipe()
        os.set_blocking(self.source, False)
        with suppress(PermissionError):
            # The system rejects more than it allows for one user.
            fcntl.fcntl(self.sink, fcntl.F_SETPIPE_SZ, _CHUNK_BYTES)
        self._file = file
        self._stream = file.open("wb")
        self._tail = bytearray()
        self._left_out = 0

    def copy(self) -> bool:
        """Copy the available output, at most one mebibyte; return whether there was any."""
        try:
            chunk = os.read(self.source, _CHUNK_BYTES)
        except BlockingIOError:
            return False
        room = _HEAD_BYTES - self._stream.tell()
        self._write(chunk[:room])
        self._tail += chunk[room:]
        excess = max(0, len(self._tail) - _TAIL_BYTES)
        del self._tail[:excess]
        self._left_out += excess
        return bool(chunk)

    def _write(self, chunk: bytes | bytearray) -> None:
        try:
            self._stream.write(chunk)
            self._stream.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._file)) from None

    def __exit__(self, *error: object) -> None:
        while self.copy():
            pass
        if self._left_out:
            self._write(b"\n... %d bytes left out ...\n" % self._left_out)
        self._write(self._tail)
        self._stream.close()
        os.close(self.source)


_PARENT_DEATH: Final = 1
# Looking at all processes of a large machine takes long; this limits its share of the time.
_LOOKING_SHARE: Final = 0.05


class Supervisor:
    """Makes this process the supervisor of another one."""

    def __init__(self, parent: int, folder: Path) -> None:
        """Prepare this process, which becomes the subreaper of all processes below it.

        Args:
            parent: number of the process that this process must not outlive.
            folder: the private folder of the process; see `end`.
        """
        self.family = Family()
        self.stopped = False
        """Whether the process is to end because its parent has ended, or no longer needs it."""
        self._parent = parent
        self._folder = folder
        self._wake = os.pipe()
        os.set_blocking(self._wake[1], False)
        # A signal just before `select` would be noticed only at its end; the pipe wakes it.
        signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, self._stop)
        # This process may be a fork of the warm process, whose handlers must not run here.
        for number in (signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        control_process(_PARENT_DEATH, signal.SIGTERM)
        if os.getppid() != parent:
            # The parent ended before the kernel could notify this process of it.
            self.stopped = True

    def _stop(self, _: int, __: FrameType | None) -> None:
        self.stopped = True

    def fork(self, work: Callable[[], None]) -> int:
        """Do work in a new process, which ends when this one ends; return its number."""
        supervisor = os.getpid()
        number = os.fork()
        if number:
            return number
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for end in self._wake:
                os.close(end)
            control_process(_PARENT_DEATH, signal.SIGKILL)
            # Otherwise the supervisor ended before the kernel knew that this process must not
            # outlive it.
            if os.getppid() == supervisor:
                work()
                status = 0
        except BaseException:  # noqa: BLE001 -- printed; nothing may return into the forked code
            traceback.print_exc()
        finally:
            # Nothing is left to do, and a regular interpreter exit would take a tenth of a second.
            os._exit(status)

    def watch(
        self,
        number: int,
        sample: Callable[[], str | None],
        poll_s: float,
        *,
        time_s: float = math.inf,
        log: EngineLog | None = None,
    ) -> str | None:
        """Wait until a process ends, exceeds a limit or is to end; return the limit.

        Args:
            number: the number of the process.
            sample: measures it, and returns the limit that is exceeded, if any.
            poll_s: the least time between two measurements.
            time_s: the limit of wall-clock time; the limit is then ``time``.
            log: its output, which is copied meanwhile.
        """
        begin = look = time.monotonic()
        ended = os.pidfd_open(number)
        with selectors.DefaultSelector() as selector:
            for source in (self._wake[0], ended, *([] if log is None else [log.source])):
                selector.register(source, selectors.EVENT_READ)
            while not self.stopped:
                now = time.monotonic()
                if now >= begin + time_s:
                    return "time"
                if now >= look:
                    hit = sample()
                    if hit:
                        return hit
                    cost = (time.monotonic() - now) / _LOOKING_SHARE
                    # The pause grows from the start, so that short runs are measured, too.
                    look = now + max(poll_s, min(cost, now - begin))
                pause = max(0.0, min(look, begin + time_s) - time.monotonic())
                ready = {key.fd for key, _ in selector.select(pause)}
                if log is not None and log.source in ready and not log.copy():
                    # All writers have closed the pipe.
                    selector.unregister(log.source)
                if ended in ready:
                    self.family.reap()
                    return None
        return None

    def end(self, grace_s: float) -> bool:
        """End all processes; see `Family.end`. Return whether the parent has ended.

        Then no other process cleans up, and the private folder is deleted.
        """
        self.family.end(grace_s)
        is_alone = os.getppid() != self._parent
        if is_alone:
            remove_tree(self._folder)
        return is_alone
