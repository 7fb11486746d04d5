"""Stored runs of a study: a compressed, append-only file with a line for each run.

The file is a sequence of gzip members of one line each, so ``zcat`` reads it. A line is appended
whole and synchronised to the disk. A member that a crash cut off at the end of the file is ignored
by readers and removed by the next writer.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from pddl_pipeline.io.synced_lines import OneWriter, append_to
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.planners.attempting import check_engine
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.jobs import Finished, Job
from pddl_pipeline.runs.running import LocalPool, run_jobs
from pddl_pipeline.runs.store import result_from_json, result_to_json
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.translator import PAPER

_MAGIC: Final = re.compile(b"\x1f\x8b\x08")
"""The beginning of a gzip member."""
_GZIP: Final = 16 + zlib.MAX_WBITS
_BLOCK_BYTES: Final = 2**14


class AppendedLines(OneWriter):
    """A file of lines that is open for writing; it has at most one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open or create a file.

        Raises:
            StoreError: another process writes to the file, it cannot be written, or it is damaged
                before its end.
        """
        self.path = path
        super().__init__(path.with_name(f".{path.name}.lock"), path, "these runs")

    def _open(self) -> None:
        self.path.touch()
        self.lines, complete = _members(self.path)
        """Each line that was in the file, with its offset."""
        if self.path.stat().st_size > complete:  # a crash cut off the last member
            os.truncate(self.path, complete)

    def append_line(self, line: bytes) -> None:
        """Append a line, which is then on the disk.

        Raises:
            StoreError: the file cannot be written; it is unchanged.
        """
        append_to(self.path, gzip.compress(line, mtime=0))


def read_lines(path: Path) -> list[tuple[int, bytes]]:
    """Return each complete line with its offset.

    Raises:
        StoreError: the file cannot be read, or it is damaged before its end.
    """
    return _members(path)[0]


def _members(path: Path) -> tuple[list[tuple[int, bytes]], int]:
    """Return each complete member, with its offset, and the offset at which they end."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
    found, place = list[tuple[int, bytes]](), 0
    while place < len(content):
        member = _member(content, place)
        if member is None:
            later = (match.start() for match in _MAGIC.finditer(content, place + 1))
            if any(_member(content, start) for start in later):
                raise StoreError(
                    f"{path}: byte {place}: found damaged data before the last run; restore the "
                    "file from the repository"
                )
            break
        line, end = member
        found.append((place, line))
        place = end
    return found, place


def _member(content: bytes, place: int) -> tuple[bytes, int] | None:
    """Return the text of the member at an offset and its end; None if it is not complete."""
    # `gzip` itself reads all members as one, and does not say where each begins.
    reader, line = zlib.decompressobj(_GZIP), b""
    try:
        # In blocks, since what follows the member is copied.
        while not reader.eof and place < len(content):
            line += reader.decompress(content[place : place + _BLOCK_BYTES])
            place += _BLOCK_BYTES
    except zlib.error:
        return None
    end = min(place, len(content)) - len(reader.unused_data)
    return (line, end) if reader.eof else None


_DAMAGE: Final = (ValueError, KeyError, TypeError, RecursionError)
_ATTEMPTS: Final = 2
"""How often a run that is not settled is made."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of a study."""

    result: RunResult
    """The run; its logs are not stored."""
    encoding: str
    """The encoding of the PDDL."""
    record: Mapping[str, Any]
    """The fields of the instance's record, such as numbers and target."""
    machine: str
    """The machine and the version of Python."""
    measures: Mapping[str, Any] = field(default_factory=dict)
    """What the study measured on the plan; numbers that must be exact are texts."""

    @property
    def is_false(self) -> bool:
        """Whether the planner claims a plan that is not valid."""
        return self.result.claimed and not self.result.solved

    @property
    def identity(self) -> str:
        """The identity among planned runs; see `run_identity`."""
        run = self.result
        limit_s = run.limits["cpu_s"] or run.limits["time_s"]
        return run_identity(run.id, run.planner, self.encoding, limit_s, run.limits["memory_mb"])

    @property
    def is_settled(self) -> bool:
        """Whether the run need not be repeated.

        A crash may be due to the machine, and so may be the end at the wall-clock limit if CPU time
        is limited.
        """
        limits = self.result.limits
        was_slowed = limits["cpu_s"] is not None and limits["hit"] == "time"
        return not self.result.outcome.unexplained and not was_slowed


def run_identity(
    instance_id: str, planner: str, encoding: str, limit_s: float, memory_mb: float
) -> str:
    """Return what a protocol says of a run; versions and the machine are not part of it.

    Args:
        instance_id: the instance's id; datasets with checksums say the rest.
        planner: the planner's name, with its settings.
        encoding: the encoding of the PDDL.
        limit_s: the limit of CPU time, or else of the time, in seconds.
        memory_mb: the memory limit in MiB.
    """
    return f"{instance_id} {planner} {encoding} {limit_s:g}s {memory_mb:g}M"


class StoredRuns(AppendedLines):
    """A file of stored runs that is open for writing; it has at most one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open or create a file.

        Raises:
            StoreError: another process writes to the file, it cannot be written, or it is damaged
                before its end.
        """
        # Before the file is opened, since opening it counts its runs.
        self._attempts = Counter[str]()
        self.known: dict[str, RunSummary] = {}
        """The summaries of the runs that are not to be made again, by identity."""
        self.added: set[str] = set()
        """The identities of the runs that were added since the file was opened."""
        super().__init__(path)

    def _open(self) -> None:
        super()._open()
        for place, line in self.lines:
            self._count(_run(line, self.path, place))

    def append(self, run: StoredRun) -> RunSummary:
        """Append a run and return its summary; the run is then on the disk.

        Raises:
            StoreError: the file cannot be written; it is unchanged.
        """
        line = {
            **result_to_json(run.result),
            "log": "",
            "encoding": run.encoding,
            "record": dict(run.record),
            "machine": run.machine,
            "measures": dict(run.measures),
        }
        self.append_line(json.dumps(line).encode() + b"\n")
        self.added.add(run.identity)
        return self._count(run)

    def _count(self, run: StoredRun) -> RunSummary:
        self._attempts[run.identity] += 1
        # A crash may be due to the machine once; the second time, it is the result.
        if run.is_settled or self._attempts[run.identity] >= _ATTEMPTS:
            self.known[run.identity] = run.result.summary
        return run.result.summary


def read_stored_runs(path: Path, first: int | None = None) -> list[StoredRun]:
    """Return the last run of each identity, in the order in which they were stored.

    Args:
        path: the file.
        first: the number of runs to read, from the start of the file; None for all. Since runs are
            only appended, they stay the same.

    Raises:
        StoreError: the file cannot be read, or it is damaged before its end.
    """
    runs = (_run(line, path, place) for place, line in read_lines(path)[:first])
    return list({run.identity: run for run in runs}.values())


def _run(line: bytes, path: Path, place: int) -> StoredRun:
    try:
        values = json.loads(line)
        own = {name: values[name] for name in ("encoding", "record", "machine", "measures")}
        return StoredRun(result_from_json(values), **own)
    except _DAMAGE as error:
        raise StoreError(f"{path}: byte {place}: is not a stored run: {error}") from error


Measure = Callable[[Instance[Any], RunResult], Mapping[str, Any]]
"""Returns what a study measures on the plan of a run; see `StoredRun.measures`."""


class PlannedRun(NamedTuple):
    """A run that a protocol plans."""

    instance: Instance[Any]
    planner: str
    """The planner's name, which may include settings."""
    limits: Limits
    encoding: str = PAPER

    @property
    def key(self) -> str:
        """The identity of the run; see `run_identity`."""
        limits = self.limits
        limit_s, memory_mb = limits.cpu_s or limits.time_s, limits.memory_bytes / 2**20
        return run_identity(self.instance.id, self.planner, self.encoding, limit_s, memory_mb)


class _Sink:
    """Stores the results of planned runs."""

    def __init__(
        self, store: StoredRuns, planned: Sequence[PlannedRun], measure: Measure, machine: str
    ) -> None:
        self.known = store.known
        self._store = store
        self._planned = {run.key: run for run in planned}
        self._measure = measure
        self._machine = machine
        self._added: set[str] = set()

    def keep_problem(self, key: str, instance: Instance[Any]) -> None:
        """Store nothing: each stored run has the record of its instance."""

    def add(self, finished: Finished) -> RunSummary:
        result = finished.result
        if result.key in self._added:  # an interrupt must not store it twice
            return result.summary
        self._added.add(result.key)
        planned = self._planned[result.key]
        record: dict[str, Any] = msgspec.to_builtins(planned.instance.record)
        measures = self._measure(planned.instance, result)
        return self._store.append(
            StoredRun(result, planned.encoding, record, self._machine, measures)
        )


def run_planned(
    store: StoredRuns,
    planned: Sequence[PlannedRun],
    measure: Measure,
    machine: str,
    *,
    workers: int = 1,
) -> Iterator[RunSummary]:
    """Make the planned runs that are not stored yet, in their order; yield all summaries.

    Args:
        store: the stored runs.
        planned: the runs, with distinct keys.
        measure: measures each plan.
        machine: a description of the machine.
        workers: the number of runs at a time.

    Raises:
        EngineError: a planner is not installed.
        InputError: a planner does not exist, or an instance does not have the encoding.
        StoreError: the file cannot be written.
    """
    for name in dict.fromkeys(run.planner for run in planned):
        check_engine(planner_named(name))
    yield from run_jobs(
        map(_job, planned), _Sink(store, planned, measure, machine), LocalPool(workers)
    )


def _job(planned: PlannedRun) -> Job:
    problem, task = translate_and_read(planned.instance, encoding=planned.encoding)
    return Job(planned.key, planned.instance, problem, task, planned.planner, planned.limits)
