"""One attempt of a planner: its processes, with a private directory and limits, and its outcome.

The outcome follows from the exit status, the log, the plans and the limits.
"""

from __future__ import annotations

import errno
import json
import os
import re
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from threading import Event
from typing import Any, Final, NamedTuple, Protocol

import msgspec
import psutil

from pddl_pipeline.endpoints.settings import without_key
from pddl_pipeline.io.platform import check_linux, fcntl
from pddl_pipeline.model.attempt import Attempt, Outcome, Statistics, TimedPlan
from pddl_pipeline.model.errors import DiskError, EngineError, WorkerError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import number_json
from pddl_pipeline.model.problem import RECORD, Problem
from pddl_pipeline.planners.java import find_java, java_environment
from pddl_pipeline.planners.plan_files import LOOK_S, Judge, PlanFiles, Report, unreadable
from pddl_pipeline.planners.planner import (
    DOMAIN,
    PROBLEM,
    WORK,
    Command,
    Observation,
    Planner,
    Request,
    Termination,
    UpEngine,
    check_installed,
)
from pddl_pipeline.planners.sandbox.launcher import Launcher, LauncherExited, launcher
from pddl_pipeline.planners.sandbox.supervisor import GRACE_S, remove_tree
from pddl_pipeline.planners.unified_planning import STATUS
from pddl_pipeline.validation.features import has_number_above, has_undefined_fluents
from pddl_pipeline.validation.task import task_of

ANSWERS: Final = "answers.jsonl"
"""Name of the file with a language model's answers."""
_REQUEST: Final = "request.json"
_PREFIX: Final = "pddl-pipeline-"
# A supervisor needs less than a second to end everything. If it has not ended this long after the
# time limit, the planner has stopped it, or the machine has no time for it.
_OVERTIME_S: Final = GRACE_S + 2.0
_CHUNK_BYTES: Final = 2**16
# Engines that search on disk are rare; a full disk would stop all other runs.
_DISK_SHARE: Final = 10
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


class _Unsupervised(Exception):
    """The supervisor was killed, or did not end in time; the message is the reason."""


class Interrupted(KeyboardInterrupt):
    """The attempt was ended by Ctrl-C."""

    def __init__(self, planner: Planner, plans: tuple[TimedPlan, ...], wall_s: float) -> None:
        super().__init__()
        self.planner = planner
        self.plans = plans
        """The plans that the planner had written."""
        self.wall_s = wall_s
        """Seconds that it had run."""


def attempt(  # noqa: PLR0913 -- what an attempt needs
    planner: Planner,
    problem: Problem,
    limits: Limits,
    *,
    stop: Stop | None = None,
    answers: AnswersPlace | None = None,
    judge: Judge | None = None,
    report: Report = bool,
) -> Attempt:
    """Run a planner on a problem.

    Args:
        planner: the planner to run.
        problem: the PDDL texts.
        limits: apply to all processes of the attempt together; at a limit, all of them are ended.
        stop: when set, the attempt is ended at once.
        answers: where a planner that asks a language model stores the answers.
        judge: judges each plan, unless the planner is asked for several.
        report: is called with the best valid plan while the planner goes on; see `PlanFiles`.

    Returns:
        The attempt; failures of the planner are outcomes, not exceptions.

    Raises:
        EngineError: the planner, or Java for it, is not installed, or this is not Linux.
        DiskError: the disk of the temporary files is full.
        Stopped: ``stop`` was set.
        Interrupted: the user pressed Ctrl-C.
    """
    check_linux("planners run")
    what = _what_to_run(planner, limits)
    with _named_if_full(), _private_folder() as folder:
        place = Path(folder)
        answers = answers or AnswersPlace()
        answers = answers._replace(file=answers.file or place / ANSWERS)
        given = planner.prepare(problem)
        work, log = _prepare(place, planner, given.texts, answers), place / "engine.log"
        if isinstance(planner.start, Command) and planner.start.fill and isinstance(what, tuple):
            what = planner.start.fill(what, work, limits)
        needs = planner.needs
        java = java_environment(limits) if needs.java else {}
        environment = {"TMPDIR": str(place / "tmp"), **java}
        disk = needs.disk_bytes or _DISK_SHARE * limits.memory_bytes
        request = Request(str(place), str(log), what, environment, limits, disk, needs.secrets)
        # Not by msgspec: a path may contain bytes that are not valid text.
        (place / _REQUEST).write_text(json.dumps(msgspec.to_builtins(request)), encoding="utf-8")
        files = PlanFiles(planner, given, work, judge, report)
        try:
            seen = _observe(place / _REQUEST, limits, stop or Event(), files)
        except KeyboardInterrupt as error:
            # They are read only when the planner has ended.
            if planner.plans.several:
                raise
            ran = Observation(wall_s=time.time() - files.begin)
            text = _content(log, planner).decode(errors="replace")
            raise Interrupted(planner, files.finish(text, ran)[1], ran.wall_s) from error
        except _Unsupervised as error:
            return Attempt(Outcome.LOST, reason=f"{error}; the outcome is unknown")
        done = read_attempt(files, log, seen)
        return replace(done, answers=_stored(answers)) if needs.answers else done


def _stored(answers: AnswersPlace) -> bytes:
    """Return the answers that a planner stored, without an incomplete line at the end."""
    if answers.file is None or not answers.file.exists():
        return b""
    content = answers.file.read_bytes()
    return content[: content.rfind(b"\n") + 1]


@contextmanager
def _private_folder() -> Iterator[str]:
    """Create a folder for temporary files, and delete it afterwards.

    The first call also deletes folders that killed processes left behind.
    """
    _sweep()
    folder = mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-")
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            # The kernel releases it if this process is killed; `_sweep` deletes unlocked folders.
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:
            # Some network file systems have no locks.
            reason = f"cannot be locked: {error.strerror}; set TMPDIR to a folder on a local disk"
            raise EngineError(f"{folder}: {reason}") from error
        yield folder
    finally:
        os.close(handle)
        remove_tree(folder)


@cache
def _sweep() -> None:
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            with suppress(OSError):
                _remove_if_unlocked(folder)


def _remove_if_unlocked(folder: Path) -> None:
    """Delete a folder unless its process is running on another machine or in another container."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_tree(folder)
    finally:
        os.close(handle)


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


def check_engine(planner: Planner) -> None:
    """Check that a planner can be started on this machine.

    Raises:
        EngineError: the planner or its Java is not installed; the message says how to install it.
    """
    check_installed(planner.distribution)
    if planner.needs.java:
        find_java()
    _what_to_run(planner, Limits())


def _what_to_run(planner: Planner, limits: Limits) -> tuple[str, ...] | UpEngine:
    """Return a planner's command line, or the engine for Unified Planning to run."""
    start = planner.start
    if isinstance(start, UpEngine):
        return start
    return start.adapt(start.words(), limits) if start.adapt else start.words()


def _prepare(place: Path, planner: Planner, texts: Problem, answers: AnswersPlace) -> Path:
    """Write the planner's input files; return its working directory."""
    work = place / WORK
    for folder in (work, place / "tmp"):
        folder.mkdir()
    (work / DOMAIN).write_text(texts.domain_pddl, encoding="utf-8")
    (work / PROBLEM).write_text(texts.problem_pddl, encoding="utf-8")
    if planner.needs.record or planner.needs.answers:
        record = {"budget": number_json(texts.budget), "witness": texts.witness}
        if planner.needs.answers:
            record |= {"id": answers.id, "answers": str(answers.file)}
        (work / RECORD).write_text(json.dumps(record), encoding="utf-8")
    return work


def _observe(request: Path, limits: Limits, stop: Stop, files: PlanFiles) -> Observation:
    """Launch an attempt; return what its supervisor observed.

    Raises:
        _Unsupervised: the supervisor was killed, or has not ended in time.
    """
    warm = launcher()
    try:
        handle, source = warm.launch(request)
    except LauncherExited:
        raise _Unsupervised(_KILLED) from None
    files.begin = time.time()
    try:
        report = _wait(warm, handle, source, limits, stop, files)
    # Also on Ctrl-C: no planner outlives its caller.
    except BaseException:
        warm.end(handle, _OVERTIME_S)
        raise
    finally:
        os.close(handle)
        os.close(source)
    answer: dict[str, Any] = json.loads(report) if report else {}
    if stop.is_set():
        raise Stopped
    if "error" in answer:
        raise WorkerError(f"the attempt could not be supervised: {answer['error']}")
    if not answer or answer["stopped"]:
        raise _Unsupervised(_KILLED)
    return msgspec.convert(answer, Observation)


def _wait(  # noqa: PLR0913, PLR0917 -- what is waited for, and for how long
    warm: Launcher, handle: int, source: int, limits: Limits, stop: Stop, files: PlanFiles
) -> bytes:
    """Return the supervisor's report; end the supervisor when the attempt is cancelled, or late.

    Meanwhile, look at the plan files.
    """
    deadline, report = time.monotonic() + limits.time_s + _OVERTIME_S, b""
    while True:
        ready, _, _ = select.select([source], [], [], LOOK_S)
        if ready:
            chunk = os.read(source, _CHUNK_BYTES)
            if not chunk:
                return report
            report += chunk
        elif stop.is_set():
            warm.end(handle, _OVERTIME_S)
            return b""
        elif time.monotonic() > deadline:
            if report:
                return report  # this process, or the warm process, was stopped meanwhile
            raise _Unsupervised(f"{_STOPPED}{warm.end(handle, 0)}")
        elif report:
            # The warm process closes the pipe, unless the planner has stopped it.
            warm.resume()
        files.look()


_UP_STATUSES: Final = {
    "MEMOUT": Termination(Outcome.MEMOUT, "the planner ran out of memory"),
    "TIMEOUT": Termination(Outcome.TIMEOUT, "the planner reached its own time limit"),
    "UNSOLVABLE_INCOMPLETELY": Termination(Outcome.GAVE_UP, "the planner ended without a plan"),
    "UNSOLVABLE_PROVEN": Termination(
        Outcome.CLAIMS_UNSOLVABLE, "the planner claims there is no plan"
    ),
}
_HITS: Final = {
    "time": Termination(Outcome.TIMEOUT, "stopped at the time limit"),
    "cpu": Termination(Outcome.TIMEOUT, "stopped at the CPU time limit"),
    "memory": Termination(Outcome.MEMOUT, "stopped at the memory limit"),
    "disk": Termination(Outcome.MEMOUT, "stopped at the disk limit"),
}
_FULL_MEMORY: Final = Termination(
    Outcome.MEMOUT, "the planner was out of memory and spent its time freeing memory"
)
_KILLED: Final = "the process that supervised the planner was killed"
_STOPPED: Final = "the process that supervised the planner did not end at the limit, and was killed"


def read_attempt(files: PlanFiles, log: Path, seen: Observation) -> Attempt:
    """Return the attempt with its outcome, plans and measurements.

    Args:
        files: the plans.
        log: the file with the planner's raw output.
        seen: what the supervisor observed.
    """
    planner, work = files.planner, files.work
    content = _content(log, planner)
    text = content.decode(errors="replace")
    plans, improvements = files.finish(text, seen)
    ending = Termination(Outcome.PLAN_FOUND, "") if plans else _ending(planner, work, text, seen)
    largest = planner.claims.largest_number
    if ending.outcome is Outcome.CLAIMS_UNSOLVABLE and largest is not None:
        task = task_of(files.problem)
        if has_undefined_fluents(task):
            ending = Termination(Outcome.INPUT_ERROR, "a numeric fluent has no initial value")
        elif has_number_above(task, largest):
            above = f"numbers above {largest:.1e} are infinite to it"
            ending = Termination(Outcome.GAVE_UP, f"{ending.reason}, but {above}")
    return Attempt(
        outcome=ending.outcome,
        plan=plans[0] if plans else None,
        further_plans=tuple(plans[1:]),
        improvements=improvements,
        # A planner that was stopped had not proved its plan optimal.
        optimal=planner.claims.optimal and seen.hit is None if plans else None,
        reason=ending.reason or None,
        hit=seen.hit,
        wall_s=seen.wall_s,
        cpu_s=seen.cpu_s,
        memory_mb=seen.peak_bytes / 2**20,
        measured="rss",
        statistics=_statistics(planner, text, files.given.factor),
        rewritten=None if files.given.texts is files.problem else files.given.texts,
        cost_factor=files.given.factor,
        log=content,
    )


def _content(log: Path, planner: Planner) -> bytes:
    """Return a planner's raw output without secrets."""
    if not log.exists():
        return b""
    # Any byte is a character of Latin-1.
    return without_key(log.read_bytes().decode("latin-1"), planner.needs.secrets).encode("latin-1")


def _ending(planner: Planner, work: Path, log: str, seen: Observation) -> Termination:
    """Return how an attempt without a plan ended."""
    if seen.fault is not None:
        return Termination(Outcome.CRASH, f"the planner cannot be started: {seen.fault}")
    fault = unreadable(planner, work)
    if fault is not None:
        return fault
    # Before the exit status, which is only that of a process that was killed.
    if seen.hit is not None:
        is_full = planner.log.memory_was_full if seen.hit == "time" else None
        return _FULL_MEMORY if is_full is not None and is_full(work) else _HITS[seen.hit]
    up = work / STATUS
    if up.exists():
        return _up_ending(planner, json.loads(up.read_text(encoding="utf-8")), log)
    said = planner.log.ending(log, seen.status)
    if said is not None:
        return said
    how = "an unknown exit status" if seen.status is None else _how(seen.status)
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "")
    words = f": {last[:300]}" if last else ""
    return Termination(Outcome.CRASH, f"the planner ended with {how}{words}")


def _up_ending(planner: Planner, up: dict[str, str], log: str) -> Termination:
    if up["status"] in ("UNREADABLE", "UNSUPPORTED_PROBLEM"):
        return Termination(Outcome.UNSUPPORTED, f"{planner.name}: {up['reason']}")
    said = planner.log.ending(log, None) or _UP_STATUSES.get(up["status"])
    return said or Termination(Outcome.CRASH, f"Unified Planning reports {up['status']}")


def _how(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {-status} ({signal.Signals(-status).name})"
    # Most real-time signals have no name.
    except ValueError:
        return f"signal {-status}"


def _statistics(planner: Planner, log: str, factor: int) -> Statistics:
    """Return the last figures that the planner printed, the cost divided by its factor."""
    found: dict[str, Any] = {}
    for name, (pattern, scale) in planner.log.statistics.items():
        figures = re.findall(pattern, log)
        if figures:
            figure = figures[-1]
            found[name] = int(figure) if scale == 1 and figure.isdigit() else float(figure) * scale
    # The planner was given multiplied costs; see `canonical`.
    if factor != 1 and "claimed_cost" in found:
        found["claimed_cost"] /= factor
    return Statistics(**found)
