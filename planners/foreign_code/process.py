"""Calls external functions in a separate process, within limits."""

from __future__ import annotations

import os
import signal
import site
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.text import printable, shortened
from pddl_pipeline.planners.foreign_code.worker import READY, decode, encode

CALL_S: Final = 1.0
"""The time limit of a call, in seconds."""
MEMORY_MB: Final = 1024
"""Address space of the process, MiB."""
# Includes the start of Python and the imports of the code.
_LOAD_S: Final = 20.0
_LONGEST: Final = 2**24
"""Maximum size of one answer, in bytes."""
_LONGEST_TEXT: Final = 1000
_CHUNK: Final = 2**16
_SUPERVISED: Final = "pddl_pipeline.planners.foreign_code.supervised"
_NO_ANSWER: Final = "it wrote to the stream of its process's answers"
# Longer than the supervisor waits for the last process to end.
_PATIENCE_S: Final = 12.0
# Nothing of the user's. One thread for NumPy: each thread would reserve memory.
_ENVIRONMENT: Final = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class CallFault(Exception):
    """A call did not return a result; the text is the reason."""

    def __init__(self, function: str, reason: str, *, late: bool = False, trace: str = "") -> None:
        super().__init__(reason)
        self.function = function
        """``succ`` or ``isgoal``."""
        self.late = late
        """Whether the call exceeded its time limit."""
        self.trace = trace or reason
        """The place in the code and the message, for the author of the code."""


class Returned(NamedTuple):
    """The result of a call."""

    result: Any
    after: Any | None
    """The input state after the call, if the call changed it; else None."""


class CodeSource(NamedTuple):
    """Code, and the names of its functions."""

    code: str
    names: Mapping[str, str]
    """Names of the functions in the code, by role: ``succ`` or ``isgoal``."""


class Functions(AbstractContextManager["Functions"]):
    """External functions; a context manager that ends their process.

    If the process died or was ended at a limit, the next call starts a new one, in a new folder.
    What the process writes is not trusted.
    """

    def __init__(self, sources: tuple[CodeSource, ...], call_s: float = CALL_S) -> None:
        self._sources = sources
        self._call_s = call_s
        self._process: subprocess.Popen[bytes] | None = None
        self._function = ""
        """The function that is called."""
        self.calls = 0
        """Number of calls."""

    def __exit__(self, *_: object) -> None:
        self._end()

    def call(self, function: str, *arguments: Any) -> Returned:
        """Call a function with a state and its other arguments.

        A call that exceeds the time limit is repeated once: the machine may have been busy.

        Raises:
            CallFault: the function raises an exception, exceeds a limit, ends its process, or
                returns a value that is not plain data.
            EngineError: the sandbox cannot be started on this machine.
        """
        self.calls += 1
        request = encode({"call": function, "arguments": list(arguments)})
        try:
            return self._call(function, request)
        except CallFault as fault:
            if not fault.late:
                raise
        return self._call(function, request)

    def _call(self, function: str, request: str) -> Returned:
        self._start(function)
        self._function = function
        return self._result(self._ask(request, self._call_s))

    def _result(self, answer: Any) -> Returned:
        # The functions can write any answer, so the type of each part is checked.
        match answer:
            case {"result": result}:
                return Returned(result, answer.get("after"))
            case {"error": {"kind": str(kind), "message": str(message), "trace": str(trace)}}:
                reason = printable(shortened(f"{kind}: {message}", _LONGEST_TEXT))
                lines = shortened(trace, 2 * _LONGEST_TEXT).split("\n")
                raise CallFault(self._function, reason, trace="\n".join(map(printable, lines)))
        raise self._ended("its process has given no answer that can be read")

    def _ended(self, reason: str, *, late: bool = False) -> CallFault:
        """End the process, and return the fault of the call."""
        self._end()
        return CallFault(self._function, reason, late=late)

    def _start(self, function: str) -> None:
        """Start the process and load the code, unless the process is running."""
        if self._process is not None:
            return
        # A new folder: files of a process that ended at a limit would end the next one, too.
        self._folder = tempfile.TemporaryDirectory(prefix="pddl-pipeline-code-")
        self._channel, other = socket.socketpair()
        arguments = [str(os.getpid()), str(MEMORY_MB)]
        no_user_site = () if site.ENABLE_USER_SITE else ("-s",)
        with other:
            self._process = subprocess.Popen(
                # Without -P, a file in the working directory could replace a module.
                [sys.executable, "-P", *no_user_site, "-m", _SUPERVISED, *arguments],
                stdin=other.fileno(),
                stdout=other.fileno(),
                stderr=subprocess.PIPE,
                cwd=self._folder.name,
                env=_ENVIRONMENT,
                start_new_session=True,
            )
        self._function = function
        if self._exchange(b"", _LOAD_S) != f"{READY}\n".encode():
            raise EngineError(f"the sandbox of models' code does not start: {self._end()}")
        for code, names in self._sources:
            self._function = function if function in names else next(iter(names))
            answer = self._ask(encode({"code": code, "names": dict(names)}), _LOAD_S)
            if answer != {"done": True}:
                self._result(answer)

    def _ask(self, request: str, limit_s: float) -> Any:
        """Send a request, and return the answer."""
        # An answer that was written before this request cannot have its number.
        number = os.urandom(8).hex()
        line = self._exchange(f"{number} {request}\n".encode(), limit_s)
        if not line:
            raise CallFault(self._function, self._end())
        found, _, answer = line.partition(b" ")
        if found != number.encode():
            raise self._ended(_NO_ANSWER)
        try:
            return decode(answer)
        except ValueError:
            return None

    def _exchange(self, line: bytes, limit_s: float) -> bytes:
        """Send a line, and return the next line of the process; b"" if it has ended."""
        deadline = time.monotonic() + limit_s
        answer, end = bytearray(), 0
        try:
            self._channel.settimeout(limit_s)
            self._channel.sendall(line)
            while not end:
                self._channel.settimeout(max(0.001, deadline - time.monotonic()))
                chunk = self._channel.recv(_CHUNK)
                if not chunk:
                    return b""
                end = chunk.find(b"\n") + 1
                answer += chunk
                if len(answer) > _LONGEST:
                    raise self._ended(f"its result takes more than {_LONGEST // 2**20} MiB")
        except ConnectionError:
            return b""
        except TimeoutError:
            raise self._ended(f"took more than {limit_s:g} s", late=True) from None
        # A second line: the functions have written to the stream themselves.
        if end < len(chunk):
            raise self._ended(_NO_ANSWER)
        return bytes(answer)

    def _end(self) -> str:
        """End the process and all below it, and return how it ended."""
        process, self._process = self._process, None
        if process is None:
            return "it has no process"
        # To the supervisor, which ends everything below it.
        process.terminate()
        self._channel.close()
        try:
            _, said = process.communicate(timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            _, said = process.communicate()
        self._folder.cleanup()
        lines = said.decode(errors="replace").splitlines()
        last = lines[-1] if lines else f"its process ended with status {process.returncode}"
        return printable(shortened(last, _LONGEST_TEXT))
