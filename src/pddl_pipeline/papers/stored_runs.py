"""Stored runs of a study: a file of the repository with a JSON line for each run.

See `AppendedLines` for the form of the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.papers.appended_lines import AppendedLines, read_lines
from pddl_pipeline.runs.store import result_from_json, result_to_json

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
        self._file = AppendedLines(path)
        self._attempts = Counter[str]()
        self.known: dict[str, RunSummary] = {}
        """The summaries of the runs that are not to be made again, by identity."""
        self.added: set[str] = set()
        """The identities of the runs that were added since the file was opened."""
        try:
            for place, line in self._file.lines:
                self._count(_run(line, path, place))
        except BaseException:
            self._file.__exit__()
            raise

    @property
    def cut_bytes(self) -> int:
        """The size of an incomplete last run, which was removed."""
        return self._file.cut_bytes

    def append(self, run: StoredRun) -> RunSummary:
        """Append a run and return its summary; the run is then on the disk.

        Raises:
            StoreError: the file cannot be written; it is unchanged.
        """
        self._file.append(json.dumps(_to_json(run)).encode() + b"\n")
        self.added.add(run.identity)
        return self._count(run)

    def _count(self, run: StoredRun) -> RunSummary:
        self._attempts[run.identity] += 1
        if run.is_settled or self._attempts[run.identity] >= _ATTEMPTS:
            self.known[run.identity] = run.result.summary
        return run.result.summary

    def __exit__(self, *error: object) -> None:
        self._file.__exit__(*error)


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
    return len(read_lines(path))
