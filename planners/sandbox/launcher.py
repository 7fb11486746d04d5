"""The runner's side of the warm process: starts it when it is first needed, and asks it."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.planners.sandbox.request import UpEngine

_LARGEST_MESSAGE: Final = 2**16
_lock = Lock()


class Gone(Exception):
    """The warm process has ended."""


class Launcher:
    """A warm process."""

    def __init__(self) -> None:
        """Start it; it ends when this process does, however that ends."""
        self.owner = os.getpid()
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._commands: dict[str, tuple[str, ...]] = {}
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "pddl_pipeline.planners.sandbox.warm_process",
                 str(other.fileno())],
                pass_fds=[other.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip

    @property
    def runs(self) -> bool:
        """Whether it can be asked."""
        return self._channel.fileno() >= 0 and self._process.poll() is None

    def command(self, engine: UpEngine) -> tuple[str, ...]:
        """Return the command line of an engine, for the file names of `request`.

        Raises:
            EngineError: Unified Planning has no such engine here, or the process has ended.
        """
        key = json.dumps(msgspec.to_builtins(engine), sort_keys=True)
        if key not in self._commands:
            try:
                answer, _ = self._ask({"engine": msgspec.to_builtins(engine)})
            except Gone:
                raise EngineError("the process that knows the planners was killed") from None
            self._commands[key] = tuple(answer["command"])
        return self._commands[key]

    def launch(self, request: Path) -> tuple[int, int]:
        """Start the attempt that a file describes.

        Returns:
            A handle on its supervisor, and the end of a pipe on which the supervisor tells what it
            saw before it ends; both are to be closed by the caller.

        Raises:
            Gone: the process has ended.
        """
        _, (handle, source) = self._ask({"request": str(request)})
        return handle, source

    def _ask(self, question: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        with _lock:
            try:
                self._channel.send(json.dumps(question).encode())
                message, handles, _, _ = socket.recv_fds(self._channel, _LARGEST_MESSAGE, 2)
            except OSError as error:
                raise Gone from error
            except BaseException:
                # Interrupted in between: the next question would get this one's answer.
                self._channel.close()
                raise
        if not message:
            raise Gone
        answer = json.loads(message)
        if "fault" in answer:
            raise EngineError(f"the planner cannot be started: {answer['fault']}")
        return answer, handles

    def close(self) -> None:
        """End the process, and every attempt that it has started."""
        self._channel.close()
        if self.owner == os.getpid():
            self._process.wait()


_current: Launcher | None = None


def launcher() -> Launcher:
    """Return the warm process of this process; a new one where it has ended."""
    global _current  # noqa: PLW0603 -- one for the whole process is the point
    with _lock:
        if _current is not None and _current.owner != os.getpid():
            _current = None  # This process was forked; the warm one is its parent's.
        if _current is not None and not _current.runs:
            _current.close()
            _current = None
        if _current is None:
            _current = Launcher()
        return _current


@atexit.register
def _close() -> None:
    if _current is not None and _current.owner == os.getpid():
        _current.close()
