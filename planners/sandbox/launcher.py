"""The runner's side of the warm process: starts it on first use and sends it requests."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, Final

import msgspec

from pddl_pipeline.io.platform import fcntl
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.planners.sandbox.request import LARGEST_MESSAGE, UpEngine

_PATIENCE_S: Final = 10.0
_lock = Lock()


class LauncherExited(Exception):
    """The warm process has ended."""


class Launcher:
    """A running warm process."""

    def __init__(self) -> None:
        """Start the process; it ends when this process ends, for whatever reason."""
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._commands: dict[str, tuple[str, ...]] = {}
        self._complaints = TemporaryFile()  # noqa: SIM115 -- as long as the process
        # If a standard stream is closed, the socket may have its number, which the child needs.
        number = fcntl.fcntl(other.fileno(), fcntl.F_DUPFD_CLOEXEC, 3)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "pddl_pipeline.planners.sandbox.warm_process",
                 str(number)],
                pass_fds=[number], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=self._complaints, start_new_session=True, cwd="/",
            )  # fmt: skip
        finally:
            other.close()
            os.close(number)

    @property
    def runs(self) -> bool:
        """Whether the process is running and accepts requests."""
        return self._channel.fileno() >= 0 and self._process.poll() is None

    def command(self, engine: UpEngine) -> tuple[str, ...]:
        """Return the command line of an engine, for the file names of `request`.

        Raises:
            EngineError: Unified Planning does not have this engine on this machine.
            LauncherExited: the process has ended.
        """
        key = json.dumps(msgspec.to_builtins(engine), sort_keys=True)
        if key not in self._commands:
            answer, _ = self._ask({"engine": msgspec.to_builtins(engine)})
            self._commands[key] = tuple(answer["command"])
        return self._commands[key]

    def launch(self, request: Path) -> tuple[int, int]:
        """Start the attempt that a file describes.

        Returns:
            A pidfd of the supervisor, and the read end of a pipe on which the supervisor reports
            its observation before it ends. The caller closes both.

        Raises:
            LauncherExited: the process has ended.
        """
        _, (handle, source) = self._ask({"request": str(request)})
        return handle, source

    def _ask(self, question: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        with _lock:
            try:
                self._channel.send(json.dumps(question).encode())
                message, handles, _, _ = socket.recv_fds(self._channel, LARGEST_MESSAGE, 2)
            except OSError as error:
                raise LauncherExited(self._last_words()) from error
            except BaseException:
                # Interrupted before the answer: the next request would receive this answer.
                self._channel.close()
                raise
        if not message:
            raise LauncherExited(self._last_words())
        for handle in handles:
            os.set_inheritable(handle, False)  # noqa: FBT003
        answer = json.loads(message)
        if "fault" in answer:
            raise EngineError(f"the planner cannot be started: {answer['fault']}")
        return answer, handles

    def _last_words(self) -> str:
        """Return the last line that the process wrote to its standard error."""
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it was killed"

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
        self._complaints.close()

    def leave(self) -> None:
        """Release the process without ending it."""
        self._channel.close()
        self._complaints.close()
        # This process cannot wait for it: it is a child of another process.
        self._process.returncode = 0


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


def command_of(engine: UpEngine) -> tuple[str, ...]:
    """Return the command line of an engine, as `Launcher.command` does.

    Raises:
        EngineError: Unified Planning does not have this engine on this machine, or the warm process
            cannot run.
    """
    try:
        return launcher().command(engine)
    except LauncherExited:
        # It was killed, or it cannot run on this machine: try once more.
        pass
    try:
        return launcher().command(engine)
    except LauncherExited as error:
        raise EngineError(f"the process that starts planners ends at once: {error}") from None


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
