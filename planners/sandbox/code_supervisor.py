"""The process above a sandboxed one: ends it at limits, and all that it may have started.

The checker starts this process, and this process forks the sandboxed one. It becomes the subreaper
of all processes below it, so that nothing leaves its family. It is outside of the sandbox, and runs
no code of others.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

from pddl_pipeline.io.platform import resource
from pddl_pipeline.planners.sandbox.kernel.resource_limits import FILE_BYTES
from pddl_pipeline.planners.sandbox.kernel.system_call import control_process
from pddl_pipeline.planners.sandbox.processes import Family, terminate_with_parent

_LOOK_S: Final = 0.1
_FOLDER_BYTES: Final = 4 * FILE_BYTES
_FOLDER_FILES: Final = 1000
_THREADS: Final = 64
_BLOCK_BYTES: Final = 512
_PR_SET_PDEATHSIG: Final = 1
# Windows, where no process is supervised, has no SIGCHLD.
_SIGNALS: Final = {signal.SIGTERM, getattr(signal, "SIGCHLD", signal.SIGTERM)}


def supervise(parent: int, folder: Path, work: Callable[[], None]) -> NoReturn:
    """Do work in a new process, and end with its status when it has ended.

    The process, and all below it, is killed if this process gets SIGTERM, if the parent ends, or
    at a limit, whose name is then the only line on standard error.

    Args:
        parent: number of the process that this process must not outlive.
        folder: the folder in which the work may write.
        work: what the process does.
    """
    family = Family()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    terminate_with_parent()
    supervisor = os.getpid()
    number = os.fork()
    if number == 0:
        control_process(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        work()
        os._exit(0)
    # Requests are the worker's alone. This process keeps the stream of answers open, so that the
    # checker sees its end only when all is cleaned up.
    os.close(0)
    exceeded = _watch(family, number, parent, folder)
    family.end(0)
    if os.getppid() != parent:
        # The checker has ended, so no other process cleans up.
        shutil.rmtree(folder, ignore_errors=True)
    if exceeded:
        print(exceeded, file=sys.stderr, flush=True)  # noqa: T201 -- read by the checker
    _end_like(family.statuses.get(number, 1))


def _watch(family: Family, number: int, parent: int, folder: Path) -> str | None:
    """Wait for the end of the process; return the limit that it has exceeded, if any."""
    while os.getppid() == parent:
        # A look takes a tenth of a millisecond.
        caught = signal.sigtimedwait(_SIGNALS, _LOOK_S)
        if caught is not None and caught.si_signo == signal.SIGTERM:
            return None
        family.reap()
        if number in family.statuses:
            return None
        exceeded = _exceeded(number, folder)
        if exceeded:
            return exceeded
    return None


def _exceeded(number: int, folder: Path) -> str | None:
    files = used = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            files += 1
            with suppress(FileNotFoundError):
                used += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
            if files > _FOLDER_FILES:
                return f"it created more than {_FOLDER_FILES} files"
    if used > _FOLDER_BYTES:
        return f"it wrote more than {_FOLDER_BYTES // 2**20} MiB"
    if _threads(number) > _THREADS:
        return f"it started more than {_THREADS} threads"
    return None


def _threads(number: int) -> int:
    with suppress(FileNotFoundError, ProcessLookupError):
        return len(os.listdir(f"/proc/{number}/task"))  # noqa: PTH208 -- names are enough
    return 0


def _end_like(status: int) -> NoReturn:
    """End this process with an exit status, or by a signal if the number is negative."""
    if status < 0:
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-status})
        os.kill(os.getpid(), -status)
    os._exit(abs(status))
