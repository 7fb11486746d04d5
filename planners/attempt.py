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
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from threading import Event
from typing import Any, Final, NamedTuple, Protocol

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
from pddl_pipeline.planners.sandbox.launcher import LauncherExited, launcher
from pddl_pipeline.planners.sandbox.private_folder import private_folder
from pddl_pipeline.planners.sandbox.request import (
    DOMAIN,
    PROBLEM,
    WORK,
    Observation,
    Request,
    UpEngine,
)

ANSWERS: Final = "answers.jsonl"
"""Name of the file with a language model's answers."""
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


class AnswersPlace(NamedTuple):
    """Where a planner that asks a language model stores the answers."""

    id: str = "problem"
    """The instance's id; each answer has it."""
    file: Path | None = None
    """A file that outlives the attempt, so that a repeated attempt asks nothing twice; None for one
    that does not."""


class Stopped(Exception):
    """The attempt was ended because its caller cancelled it."""


def attempt(  # noqa: PLR0913 -- what an attempt needs
    planner: Planner,
    problem: Problem,
    limits: Limits,
    *,
    via_up: bool = False,
    stop: Stop | None = None,
    answers: AnswersPlace | None = None,
) -> Attempt:
    """Run a planner on a problem.

    Args:
        planner: the planner to run.
        problem: the PDDL texts.
        limits: apply to all processes of the attempt together; at a limit, all of them are ended.
        via_up: whether Unified Planning reads the problem and runs the planner, instead of only
            making its command line.
        stop: when set, the attempt is ended at once.
        answers: where a planner that asks a language model stores the answers.

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
        answers = answers or AnswersPlace()
        answers = answers._replace(file=answers.file or place / ANSWERS)
        work, log = _prepare(place, planner, problem, answers), place / "engine.log"
        if planner.fill is not None and isinstance(what, tuple):
            what = planner.fill(what, work, limits)
        environment = _environment(planner, limits, place)
        request = Request(str(place), str(log), what, environment, limits)
        # Not by msgspec: a path may contain bytes that are not valid text.
        (place / _REQUEST).write_text(json.dumps(msgspec.to_builtins(request)), encoding="utf-8")
        seen = _observe(place / _REQUEST, limits, stop or Event())
        done = read_attempt(planner, problem, work, log, seen)
        return replace(done, answers=_stored(answers)) if planner.keeps_answers else done


def _stored(answers: AnswersPlace) -> bytes:
    """Return the answers that a planner stored, without an incomplete line at the end."""
    if answers.file is None or not answers.file.exists():
        return b""
    content = answers.file.read_bytes()
    return content[: content.rfind(b"\n") + 1]


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
    if via_up or planner.command is None:
        return planner.up_engine
    command = planner.command()
    return planner.adapt(command, limits) if planner.adapt is not None else command


def _prepare(place: Path, planner: Planner, problem: Problem, answers: AnswersPlace) -> Path:
    """Write the planner's input files; return its working directory."""
    work = place / WORK
    for folder in (work, place / "tmp"):
        folder.mkdir()
    texts = planner.prepare(problem) if planner.prepare is not None else problem
    (work / DOMAIN).write_text(texts.domain_pddl, encoding="utf-8")
    (work / PROBLEM).write_text(texts.problem_pddl, encoding="utf-8")
    if planner.reads_record or planner.keeps_answers:
        record = {"budget": number_json(texts.budget), "witness": texts.witness}
        if planner.keeps_answers:
            record |= {"id": answers.id, "answers": str(answers.file)}
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
