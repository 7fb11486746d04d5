"""Calls external functions in a separate process, within limits."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple, Self

from pddl_pipeline.autotos.code import worker
from pddl_pipeline.autotos.code.wire import decode, encode

CALL_S: Final = 1.0
"""AutoToS's time limit of a call (section 4, step 3), in seconds."""
MEMORY_MB: Final = 1024
"""Address space of the process, MiB."""
# Includes the start of Python and the imports of the code.
_LOAD_S: Final = 20.0
_LONGEST: Final = 2**26
"""Maximum size of one answer, in bytes."""
_CHUNK: Final = 2**16
# One thread for NumPy: each thread would reserve memory.
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
        """The place in the code and the message, as AutoToS shows them to a model."""


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


class Functions:
    """External functions; a context manager that ends their process.

    If the process died or was ended at a limit, the next call starts a new one.
    """

    def __init__(self, sources: tuple[CodeSource, ...], call_s: float = CALL_S) -> None:
        self._sources = sources
        self._call_s = call_s
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="pddl-pipeline-code-")
        self.calls = 0
        """Number of calls."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._folder.cleanup()

    def call(self, function: str, *arguments: Any) -> Returned:
        """Call a function with a state and its other arguments.

        A call that exceeds the time limit is repeated once: the machine may have been busy.

        Raises:
            CallFault: the function raises an exception, exceeds the time limit, ends its process,
                or returns a value that is not plain data.
        """
        self.calls += 1
        request = encode({"call": function, "arguments": list(arguments)})
        for attempt in (1, 2):
            try:
                self._start(function)
                return self._result(function, self._ask(request, self._call_s, function))
            except CallFault as fault:
                if not fault.late or attempt == 2:
                    raise
        raise AssertionError

    def _result(self, function: str, answer: Any) -> Returned:
        match answer:
            case {"result": result}:
                return Returned(result, answer.get("after"))
            case {"error": {"kind": str(kind), "message": str(message), "trace": str(trace)}}:
                raise CallFault(function, f"{kind}: {message}", trace=trace)
        self._end()
        raise CallFault(function, "its process has given no answer that can be read")

    def _start(self, function: str) -> None:
        """Start the process and load the code, unless the process is running."""
        if self._process is not None:
            return
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-s", "-m", worker.__name__, str(MEMORY_MB)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=self._folder.name, env=_ENVIRONMENT, start_new_session=True,
        )  # fmt: skip
        for code, names in self._sources:
            loading = function if function in names else next(iter(names))
            answer = self._ask(encode({"code": code, "names": dict(names)}), _LOAD_S, loading)
            if answer != {"done": True}:
                self._result(loading, answer)

    def _ask(self, request: str, limit_s: float, function: str) -> Any:
        """Send a request, and return the answer."""
        process = self._process
        if process is None or process.stdin is None:
            raise AssertionError
        try:
            process.stdin.write(f"{request}\n".encode())
            process.stdin.flush()
            line = self._line(time.monotonic() + limit_s)
        except BrokenPipeError:
            line = b""
        except TimeoutError:
            self._end()
            raise CallFault(function, f"took more than {limit_s:g} s", late=True) from None
        if not line:
            raise CallFault(function, f"its process ended with {self._end()}")
        try:
            return decode(line)
        except ValueError:
            return None

    def _line(self, deadline: float) -> bytes:
        """Return the next line of the process, or b"" if there is none.

        Raises:
            TimeoutError: there is no line before the deadline.
        """
        source = self._process.stdout if self._process else None
        if source is None:
            raise AssertionError
        found = b""
        while not found.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([source], [], [], left)[0]:
                raise TimeoutError
            chunk = os.read(source.fileno(), _CHUNK)
            if not chunk or len(found) > _LONGEST:
                return b""
            found += chunk
        return found

    def _end(self) -> str:
        """End the process, and return its exit status or signal as text."""
        process, self._process = self._process, None
        if process is None:
            return "nothing"
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close() if stream else None
        status = process.wait()
        return f"exit status {status}" if status >= 0 else f"signal {-status}"
