"""The run store: a folder with one line for each finished run, which survives being killed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from filelock import FileLock, Timeout

from pddl_pipeline.experiment.result_json import result_from_json, result_to_json
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.model.result import RunResult

RUNS: Final = "runs.jsonl"
LOGS: Final = "logs"
_LOCK: Final = ".lock"


class RunStore:
    """A store that is open for writing; there is at most one such a folder."""

    def __init__(self, folder: Path) -> None:
        """Open or make a store.

        Raises:
            StoreError: the folder holds something else, another process writes to it, or a line
                before the last cannot be read.
        """
        self.folder = folder
        self._file = folder / RUNS
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder}: is a file, expected a folder for the runs")
        if folder.is_dir() and not self._file.exists() and _foreign(folder):
            raise StoreError(f"{folder}: holds '{_foreign(folder)}' but no {RUNS}; not a run store")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(folder / _LOCK)
            self._lock.acquire(timeout=0)
        except Timeout:
            raise StoreError(f"{folder}: another process is writing to this run store") from None
        except OSError as error:
            raise StoreError(f"{folder}: {error.strerror}") from error
        try:
            self._file.touch()
            self.torn_lines = self._cut_torn_line()
            self.results = {result.key: result for result in read_store(folder)}
            self._stream = self._file.open("ab", buffering=0)
        except BaseException:
            self._lock.release()
            raise

    def _cut_torn_line(self) -> int:
        """Cut a last line that was not written whole; return how many there were, 0 or 1."""
        content = self._file.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole == len(content):
            return 0
        with self._file.open("r+b") as stream:
            stream.truncate(whole)
        return 1

    def add(self, result: RunResult) -> None:
        """Append a result that is not there yet; when this returns, it is on the disk."""
        if result.key in self.results:
            return
        line = json.dumps(result_to_json(result)).encode() + b"\n"
        # Noted first: an interrupt in between loses a result, which is run again then; the other
        # way round it would be stored twice.
        self.results[result.key] = result
        self._stream.write(line)
        os.fsync(self._stream.fileno())

    def log_file(self, key: str) -> Path:
        """Return where the raw output of a run goes."""
        return self.folder / LOGS / key / "engine.log"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()
        self._lock.release()


def _foreign(folder: Path) -> str | None:
    """Return the name of something in the folder that no store leaves behind."""
    return next((path.name for path in sorted(folder.iterdir()) if path.name != _LOCK), None)


def read_store(folder: Path) -> list[RunResult]:
    """Return the results of a store at once; see `iterate_store`."""
    return list(iterate_store(folder))


def iterate_store(folder: Path) -> Iterator[RunResult]:
    """Yield the results of a store, in the order in which they were written.

    A torn last line, of a run that is being written or was killed, is passed over.

    Raises:
        InputError: the folder is no run store.
        StoreError: a line before the last cannot be read.
    """
    try:
        stream = (folder / RUNS).open("rb")
    except OSError as error:
        reason = f"is no run store: {RUNS} cannot be read, {error.strerror}"
        raise InputError(reason, file=str(folder)) from None
    with stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                result = result_from_json(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise StoreError(
                    f"{folder / RUNS}:{number}: is no line of a run store ({error})"
                ) from error
            yield result
