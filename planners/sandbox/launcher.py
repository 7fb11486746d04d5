"""The runner's side of the warm process: starts it on first use and sends it requests."""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from pddl_pipeline.io.platform import fcntl
from pddl_pipeline.model.errors import WorkerError
from pddl_pipeline.planners.planner import LARGEST_MESSAGE
from pddl_pipeline.planners.sandbox.supervisor import kill_below

_PATIENCE_S: Final = 10.0
# It imports Unified Planning before the first answer, which takes long on a busy machine.
_ANSWER_S: Final = 120.0
_KILLING_S: Final = 2.0
_lock = Lock()


class LauncherExited(Exception):
    """The warm process has ended."""


class Launcher:
    """A running warm process."""

    def __init__(self) -> None:
        """Start the process; it ends when this process ends, for whatever reason."""
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.settimeout(_ANSWER_S)
        # If a standard stream is closed, the socket may have its number, which the child needs.
        number = fcntl.fcntl(other.fileno(), fcntl.F_DUPFD_CLOEXEC, 3)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "pddl_pipeline.planners.sandbox.warm_process",
                 str(number)],
                pass_fds=[number], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True, cwd="/",
            )  # fmt: skip
        finally:
            other.close()
            os.close(number)

    @property
    def runs(self) -> bool:
        """Whether the process is running and accepts requests."""
        return self._channel.fileno() >= 0 and self._process.poll() is None

    def launch(self, request: Path) -> tuple[int, int]:
        """Start the attempt that a file describes.

        Returns:
            A pidfd of the supervisor, and the read end of a pipe on which the supervisor reports
            its observation before it ends. The caller closes both.

        Raises:
            LauncherExited: the process has ended.
        """
        with _lock:
            try:
                self.resume()
                self._channel.send(os.fsencode(request))
                message, handles, _, _ = socket.recv_fds(self._channel, LARGEST_MESSAGE, 2)
            except OSError:
                self._channel.close()
                raise LauncherExited from None
            except BaseException:
                # Interrupted before the answer: the next request would receive this answer.
                self._channel.close()
                raise
        if not message:
            raise LauncherExited
        if not handles:
            raise WorkerError(f"the planner cannot be started: {message.decode()}")
        for each in handles:
            os.set_inheritable(each, False)  # noqa: FBT003
        handle, source = handles
        return handle, source

    def resume(self) -> None:
        """Continue the process if a planner has stopped it."""
        self._process.send_signal(signal.SIGCONT)

    def end(self, supervisor: int, wait_s: float) -> str:
        """End an attempt: ask its supervisor, wait, then kill it and all processes below.

        Args:
            supervisor: its pidfd.
            wait_s: seconds to wait.

        Returns:
            The end of a sentence that names the processes that could not be killed, which wait for
            a device; empty if there are none.
        """
        self.resume()
        for number in (signal.SIGTERM, signal.SIGCONT):
            _send(supervisor, number)
        if select.select([supervisor], [], [], wait_s)[0]:
            return ""
        fields = Path(f"/proc/self/fdinfo/{supervisor}").read_text(encoding="ascii").split()
        left = kill_below(int(fields[fields.index("Pid:") + 1]), _KILLING_S)
        _send(supervisor, signal.SIGKILL)
        named = ", ".join(str(process.number) for process in left)
        return f"; processes that wait for a device are left: {named}" if left else ""

    def close(self) -> None:
        """End the process and every attempt that it started."""
        if self._channel.fileno() >= 0:
            # Also for processes that inherited the socket.
            self._channel.shutdown(socket.SHUT_RDWR)
        self._channel.close()
        try:
            self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def leave(self) -> None:
        """Release the process without ending it."""
        self._channel.close()
        # This process cannot wait for it: it is a child of another process.
        self._process.returncode = 0


def _send(supervisor: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(supervisor, number)


_current: Launcher | None = None


def launcher() -> Launcher:
    """Return the warm process of this process; start a new one if it has ended."""
    global _current  # noqa: PLW0603 -- one for the whole process is the point
    with _lock:
        if _current is not None and not _current.runs:
            _current.close()
            _current = None
        if _current is None:
            _current = Launcher()
        return _current


@atexit.register
def _close() -> None:
    if _current is not None:
        _current.close()


def _forget() -> None:
    """Release the parent's warm process in a forked process."""
    global _current, _lock  # noqa: PLW0603
    _lock = Lock()
    if _current is not None:
        _current.leave()
        _current = None


if hasattr(os, "register_at_fork"):  # on Unix
    os.register_at_fork(after_in_child=_forget)
