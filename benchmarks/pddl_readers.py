"""Readers of PDDL, each in a separate process: this project's, Fast Downward's and VAL's.

A reader that crashes, takes too long or needs too much memory does not end the measurement.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, Protocol

Read = Callable[[Path, Path], str]
"""Reads a domain and a problem; returns a note on what was read. Any exception is a refusal."""
_START = 60.0
"""Maximum time in seconds that a reader's process takes to start."""


class Reading(NamedTuple):
    """What a reader did with a domain and a problem."""

    status: str
    """``read``, ``refused``, ``slow`` (time limit), ``memory`` (memory limit) or ``crash``."""
    note: str
    """The error, or what was read and is not judged."""
    seconds: float
    """CPU time."""


class Reader(Protocol):
    """A reader of PDDL."""

    def read(self, domain: Path, problem: Path) -> Reading:
        """Read a domain and a problem."""

    def close(self) -> None:
        """End the reader's process."""


class Worker:
    """A Python function that reads PDDL, in one process for many files."""

    def __init__(self, prepare: Callable[[], Read], seconds: float, memory: int) -> None:
        """Set the limits of one file; ``memory`` is in bytes of address space.

        The process calls ``prepare``, a function of a module, and reads with what it returns.
        """
        self._prepare = prepare
        self._seconds = seconds
        self._memory = memory
        self._process: Any = None
        self._pipe: Any = None

    def read(self, domain: Path, problem: Path) -> Reading:
        """See `Reader`. The time includes reading the files, but no start of a process."""
        if self._process is None:
            self._start()
        self._pipe.send((domain, problem))
        if not self._pipe.poll(self._seconds):
            self.close()
            return Reading("slow", f"more than {self._seconds:g} s", self._seconds)
        try:
            return Reading(*self._pipe.recv())
        except EOFError:
            self._process.join()
            code = self._process.exitcode
            self.close()
            return Reading("crash", f"exit status {code}", 0.0)

    def _start(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, self._prepare, self._memory), daemon=True
        )
        self._process.start()
        theirs.close()
        if not self._pipe.poll(_START) or self._pipe.recv() != "ready":
            raise SystemExit("a reader's process does not start")

    def close(self) -> None:
        """See `Reader`."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None


def _serve(pipe: Connection, prepare: Callable[[], Read], memory: int) -> None:
    read = prepare()
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    pipe.send("ready")
    while True:
        try:
            domain, problem = pipe.recv()
        except EOFError:
            return
        before = time.process_time()
        try:
            status, note = "read", read(domain, problem)
        except MemoryError:
            status, note = "memory", "out of memory"
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- what a reader raises is its answer
            status = "refused"
            note = " ".join(f"{error}".split()) or type(error).__name__
        pipe.send((status, note[:500], time.process_time() - before))


def ours(*, lenient: bool = False) -> Read:
    """Return the reader of this project."""
    from pddl_pipeline.validation.task import read_task  # in its own process

    warnings.simplefilter("ignore")

    def read(domain: Path, problem: Path) -> str:
        task = read_task(domain, problem, lenient=lenient)
        return next((part.feature for part in task.facts.unsupported if not part.judged), "")

    return read


def fast_downward() -> Read:
    """Return the parser of Fast Downward's translator, without grounding.

    It is that of the package ``up-fast-downward``.
    """
    import up_fast_downward  # in its own process

    package = Path(up_fast_downward.__file__).parent
    places = package.glob("downward/builds/*/bin/fast_downward/translate")
    sys.path.insert(0, str(next(places).parents[1]))
    from fast_downward.translate import pddl_parser

    def read(domain: Path, problem: Path) -> str:
        # The parser prints warnings.
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:  # noqa: SIM117
            with redirect_stdout(nowhere), redirect_stderr(nowhere):
                pddl_parser.open(str(domain), str(problem))
        return ""

    return read


class Program:
    """A program of VAL, one process for a domain and a problem.

    `Validate` checks types and names, too, and says by its exit status whether it accepts the
    files. `Parser` prints the syntax tree, and then how many errors it found.
    """

    def __init__(self, program: Path, seconds: float, memory: int) -> None:
        """Set the program, and the limits of one file as for `Worker`."""
        self._program = program
        self._seconds = seconds
        self._memory = memory

    def read(self, domain: Path, problem: Path) -> Reading:
        """See `Reader`. The time includes the start of the process."""
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                ["prlimit", f"--as={self._memory}", self._program, domain, problem],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            try:
                code = process.wait(self._seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return Reading("slow", f"more than {self._seconds:g} s", self._seconds)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            output.seek(0)
            printed = output.read()
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if code < 0:
            return Reading("crash", f"signal {-code}", seconds)
        return Reading(*_answer(printed, code), seconds)

    def close(self) -> None:
        """See `Reader`; no process is left."""


def _answer(printed: bytes, code: int) -> tuple[str, str]:
    """Return the status and the first error of a program of VAL."""
    # Warnings and errors follow the count of `Parser`; the tree before it is long.
    _, count, after = printed.rpartition(b"Errors: ")
    lines = (count + after).decode("utf-8", errors="replace").splitlines()
    if code == 0 and (not count or lines[0].startswith("Errors: 0,")):
        return "read", ""
    found = [line.strip() for line in lines if line.strip()]
    error = next((line for line in found if "Error: " in line), found[-1] if found else "")
    return "refused", error[:500]
