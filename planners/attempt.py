"""One attempt of a planner: its processes, with a private directory and limits."""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from threading import Event
from typing import Any, Final, Protocol

import msgspec

from pddl_pipeline.io.platform import check_linux
from pddl_pipeline.model.attempt import Attempt
from pddl_pipeline.model.errors import DiskError, EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import number_json
from pddl_pipeline.model.problem import RECORD, Problem
from pddl_pipeline.planners.installed import check_installed
from pddl_pipeline.planners.java import find_java, java_environment
from pddl_pipeline.planners.outcome import read_attempt
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.sandbox.launcher import LauncherExited, command_of, launcher
from pddl_pipeline.planners.sandbox.private_folder import private_folder
from pddl_pipeline.planners.sandbox.request import (
    DOMAIN,
    PROBLEM,
    WORK,
    Observation,
    Request,
    UpEngine,
)

_REQUEST: Final = "request.json"
_STOP_POLL_S: Final = 0.1
# A supervisor that has not ended this long after the time limit never will.
_PATIENCE_S: Final = 30.0
_CHUNK_BYTES: Final = 2**16
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Stop(Protocol):
    """A flag that cancels an attempt, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether to end the attempt."""


class Stopped(Exception):
    """The attempt was ended because its caller cancelled it."""


def attempt(
    planner: Planner,
    problem: Problem,
    limits: Limits,
    *,
    via_up: bool = False,
    stop: Stop | None = None,
) -> Attempt:
    """Run a planner on a problem.

    Args:
        planner: the planner to run.
        problem: the PDDL texts.
        limits: apply to all processes of the attempt together; at a limit, all of them are ended.
        via_up: whether Unified Planning reads the problem and runs the planner, instead of only
            making its command line.
        stop: when set, the attempt is ended at once.

    Returns:
        The attempt; failures of the planner are outcomes, not exceptions.

    Raises:
        EngineError: the planner, or Java for it, is not installed, or this is not Linux.
        DiskError: the disk of the temporary files is full.
        Stopped: ``stop`` was set.
    """
    check_linux("planners run")
    what = _what_to_run(planner, limits, via_up=via_up)
    with _named_if_full(), private_folder() as place:
        work, log = _prepare(place, planner, problem), place / "engine.log"
        if planner.fill is not None and isinstance(what, tuple):
            what = planner.fill(what, work, limits)
        environment = _environment(planner, limits, place)
        request = Request(str(place), str(log), what, environment, limits)
        # Not by msgspec: a path may contain bytes that are not valid text.
        (place / _REQUEST).write_text(json.dumps(msgspec.to_builtins(request)), encoding="utf-8")
        seen = _observe(place / _REQUEST, limits, stop or Event())
        return read_attempt(planner, problem, work, log, seen)


@contextmanager
def _named_if_full() -> Iterator[None]:
    """Raise `DiskError`, which names the place, if the disk of the temporary files is full."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        place = error.filename or gettempdir()
        reason = f"the files of an attempt cannot be written: {error.strerror}"
        raise DiskError(f"{place}: {reason}") from error


def check_engine(planner: Planner, *, via_up: bool = False) -> None:
    """Check that a planner can be started on this machine.

    With `via_up`, check that Unified Planning can run it.

    Raises:
        EngineError: the planner or its Java is not installed, and the message says how to install
            it; or Unified Planning does not know the planner.
    """
    if planner.distribution:
        check_installed(planner.distribution)
    if planner.needs_java:
        find_java()
    _what_to_run(planner, Limits(), via_up=via_up)


def _what_to_run(planner: Planner, limits: Limits, *, via_up: bool) -> tuple[str, ...] | UpEngine:
    """Return a planner's command line, or the engine for Unified Planning to run."""
    if via_up or planner.requires_up:
        return planner.up_engine
    command = planner.command() if planner.command else command_of(planner.up_engine)
    return planner.adapt(command, limits) if planner.adapt is not None else command


def _prepare(place: Path, planner: Planner, problem: Problem) -> Path:
    """Write the planner's input files; return its working directory."""
    work = place / WORK
    for folder in (work, place / "tmp"):
        folder.mkdir()
    texts = planner.prepare(problem) if planner.prepare is not None else problem
    (work / DOMAIN).write_text(texts.domain_pddl, encoding="utf-8")
    (work / PROBLEM).write_text(texts.problem_pddl, encoding="utf-8")
    if planner.reads_record:
        record = {"budget": number_json(texts.budget), "witness": texts.witness}
        (work / RECORD).write_text(json.dumps(record), encoding="utf-8")
    return work


def _environment(planner: Planner, limits: Limits, place: Path) -> dict[str, str]:
    environment = {"TMPDIR": str(place / "tmp")}
    if planner.needs_java:
        environment |= java_environment(limits)
    return environment


def _observe(request: Path, limits: Limits, stop: Stop) -> Observation | None:
    """Launch an attempt; return what its supervisor observed, None if the supervisor was killed."""
    try:
        handle, source = launcher().launch(request)
    except LauncherExited:
        return None
    try:
        report = _wait(handle, source, limits, stop)
    except BaseException:
        _signal(handle, signal.SIGTERM)
        raise
    finally:
        os.close(handle)
        os.close(source)
    answer: dict[str, Any] = json.loads(report) if report else {}
    if stop.is_set():
        raise Stopped
    if "error" in answer:
        raise EngineError(f"the attempt could not be supervised: {answer['error']}")
    return msgspec.convert(answer, Observation) if answer and not answer["stopped"] else None


def _wait(handle: int, source: int, limits: Limits, stop: Stop) -> bytes:
    """Return the supervisor's report; ask the supervisor to end when the attempt is cancelled."""
    deadline = time.monotonic() + limits.time_s + _PATIENCE_S
    report, asked = b"", False
    while time.monotonic() < deadline + _PATIENCE_S:
        ready, _, _ = select.select([source], [], [], _STOP_POLL_S)
        if ready:
            chunk = os.read(source, _CHUNK_BYTES)
            if not chunk:
                return report
            report += chunk
        if stop.is_set() and not asked:
            asked = True
            _signal(handle, signal.SIGTERM)
        if time.monotonic() > deadline:
            _signal(handle, signal.SIGKILL)
    return b""


def _signal(handle: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(handle, number)
