"""Stored runs of a study: a compressed, append-only file in the repository.

The file is a sequence of gzip members, each with the JSON line of one run, so ``zcat`` reads it. A
run is appended whole and synchronised to the disk. A member that a crash cut off at the end of the
file is ignored by readers and removed by the next writer.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.runs.result_json import result_from_json, result_to_json

_MAGIC: Final = b"\x1f\x8b\x08"
_GZIP: Final = 16 + zlib.MAX_WBITS
_BLOCK_BYTES: Final = 2**14
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


class StoredRuns(AbstractContextManager["StoredRuns"]):
    """A file of stored runs that is open for writing; it has at most one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open or create a file.

        Raises:
            StoreError: another process writes to the file, it cannot be written, or it is damaged
                before its end.
        """
        self.path = path
        self._lock = FileLock(path.with_name(f".{path.name}.lock"))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except Timeout:
            raise StoreError(f"{path}: another process is writing these runs") from None
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from error
        try:
            path.touch()
            members, complete = _members(path)
            self.cut_bytes = path.stat().st_size - complete
            """The size of an incomplete last member, which was removed."""
            if self.cut_bytes:
                os.truncate(path, complete)
            self._attempts = Counter[str]()
            self.known: dict[str, RunSummary] = {}
            """The summaries of the runs that are not to be made again, by identity."""
            self.added: set[str] = set()
            """The identities of the runs that were added since the file was opened."""
            for run in (_run(line, path, place) for place, line in members):
                self._count(run)
        except BaseException:
            self._lock.release()
            raise

    def append(self, run: StoredRun) -> RunSummary:
        """Append a run and return its summary; the run is then on the disk.

        Raises:
            StoreError: the file cannot be written; it is unchanged.
        """
        line = json.dumps(_to_json(run)).encode() + b"\n"
        member = gzip.compress(line, mtime=0)
        try:
            with self.path.open("ab", buffering=0) as stream:
                end = os.fstat(stream.fileno()).st_size
                try:
                    fits = stream.write(member) == len(member)
                    os.fsync(stream.fileno())
                except OSError:
                    os.ftruncate(stream.fileno(), end)
                    raise
                if not fits:
                    os.ftruncate(stream.fileno(), end)
                    raise StoreError(f"{self.path}: cannot be written: the disk is full")
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be written: {error.strerror}") from error
        self.added.add(run.identity)
        return self._count(run)

    def _count(self, run: StoredRun) -> RunSummary:
        self._attempts[run.identity] += 1
        if run.is_settled or self._attempts[run.identity] >= _ATTEMPTS:
            self.known[run.identity] = run.result.summary
        return run.result.summary

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def read_stored_runs(path: Path, first: int | None = None) -> list[StoredRun]:
    """Return the last run of each identity, in the order in which they were stored.

    Args:
        path: the file.
        first: the number of runs to read, from the start of the file; None for all. Since runs are
            only appended, they stay the same.

    Raises:
        StoreError: the file cannot be read, or it is damaged before its end.
    """
    runs = (_run(line, path, place) for place, line in _members(path)[0][:first])
    return list({run.identity: run for run in runs}.values())


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
            if any(_member(content, later) for later in _starts(content, place + 1)):
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


def _starts(content: bytes, place: int) -> Iterator[int]:
    """Yield the offsets from a place on at which a member may start."""
    while (place := content.find(_MAGIC, place)) >= 0:
        yield place
        place += 1


def _to_json(run: StoredRun) -> dict[str, Any]:
    return {
        **result_to_json(run.result),
        "log": "",
        "encoding": run.encoding,
        "record": dict(run.record),
        "machine": run.machine,
        "measures": dict(run.measures),
    }


def _run(line: bytes, path: Path, place: int) -> StoredRun:
    try:
        values = json.loads(line)
        own = {name: values[name] for name in ("encoding", "record", "machine", "measures")}
        return StoredRun(result_from_json(values), **own)
    except _DAMAGE as error:
        raise StoreError(f"{path}: byte {place}: is not a stored run: {error}") from error


def stored_number(path: Path) -> int:
    """Return the number of stored runs, repeated ones included.

    Raises:
        StoreError: as `read_stored_runs`.
    """
    return len(_members(path)[0])
