"""The run store: a folder with one line for each finished run, which survives `kill -9`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final, Self

from pddl_pipeline.io.files import make_folder, write_bytes
from pddl_pipeline.io.synced_lines import append_line, cut_torn_line
from pddl_pipeline.io.writer_lock import lock_for_writing
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.model.format_version import STORE
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.planners.attempt import ANSWERS
from pddl_pipeline.runs.execution import Finished
from pddl_pipeline.runs.jobs import SHARD
from pddl_pipeline.runs.line_replacement import Replaced, replace_lines
from pddl_pipeline.runs.result_json import result_from_json, result_to_json
from pddl_pipeline.runs.stored_commands import (
    COMMANDS,
    StoredCommand,
    add_command,
    is_damaged_command,
)
from pddl_pipeline.runs.stored_problems import keep_problem

RUNS: Final = "runs.jsonl"
LOGS: Final = "logs"
ANSWERS_OF_RUNS: Final = "answers"
"""Folder with a file for each run that asked a language model."""
_LOCK: Final = ".lock"
# What reading a line raises if it is not a result.
_DAMAGE: Final = (ValueError, KeyError, TypeError, RecursionError)


class RunStore:
    """A store that is open for writing; a folder has at most one at a time."""

    def __init__(self, folder: Path, *, repair: bool = False) -> None:
        """Open or create a store.

        Args:
            folder: the folder of the store.
            repair: whether to move damaged lines to another file; see `replace_lines`.

        Raises:
            StoreError: the folder contains something else, another process writes to it, or a line
                before the last is damaged.
            InputError: the damaged lines cannot be written to another file.
        """
        self.folder = folder
        self._file = folder / RUNS
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder}: is a file, expected a folder for the runs")
        if folder.is_dir() and not self._file.exists() and _foreign(folder):
            raise StoreError(f"{folder}: holds '{_foreign(folder)}' but no {RUNS}; not a run store")
        self._lock = lock_for_writing(folder / _LOCK, folder, "to this run store")
        try:
            self._file.touch()
            files = {self._file: _is_damaged, folder / COMMANDS: is_damaged_command}
            present = {file: damaged for file, damaged in files.items() if file.exists()}
            self.torn_lines = sum(map(cut_torn_line, present))
            """Number of incomplete last lines that were removed."""
            self.moved = _repaired(present) if repair else []
            """The damaged lines that were moved to other files."""
            self._open()
            self.added: set[str] = set()
            """Keys of the results that were added since the store was opened."""
        except BaseException:
            self._lock.release()
            raise

    def _open(self) -> None:
        self.known = {result.key: result.summary for _, result in iterate_places(self.folder)}
        self._stream = self._file.open("ab", buffering=0)

    def update(
        self, is_wanted: Callable[[RunResult], bool], new: Callable[[RunResult], RunResult]
    ) -> Replaced | None:
        """Replace results; see `replace_lines`. Fields of later versions are kept.

        Raises:
            InputError: a file cannot be written; the store is unchanged.
        """

        def updated(line: bytes) -> bytes:
            fields = json.loads(line)
            result = result_from_json(fields)
            found = new(result)
            if found == result:
                return line
            return json.dumps(fields | result_to_json(found)).encode() + b"\n"

        self._stream.close()
        try:
            return replace_lines(
                self._file, "rejudged",
                lambda line: is_wanted(result_from_json(json.loads(line))), updated,
            )  # fmt: skip
        finally:
            self._open()

    def add(self, finished: Finished) -> RunSummary:
        """Append a result and return its summary; its line is then on disk.

        A result that was added before is not added again, so that an interrupt cannot duplicate it.
        After the store is opened again, a later run of the same job is appended.

        Raises:
            StoreError: a file cannot be written, for example because the disk is full. The store
                is unchanged.
        """
        result = finished.result
        if result.key in self.added:
            return result.summary
        files = dict(finished.files)
        answers = files.pop(ANSWERS, b"")
        if answers:
            self._keep_answers(result.key, answers)
        if files:
            self._keep(result.key, files)
        line = json.dumps(result_to_json(result)).encode() + b"\n"
        # Recorded before the write: an interrupt in between loses a result, which is then run
        # again. In the opposite order, it would be stored twice.
        self.added.add(result.key)
        self.known[result.key] = result.summary
        append_line(self._stream, self._file, line)
        return result.summary

    def _keep_answers(self, key: str, content: bytes) -> None:
        """Write the answers to a run, unless they are there because it ran on this machine."""
        file = answers_file(self.folder, key)
        if not file.is_file() or file.read_bytes() != content:
            make_folder(file.parent)
            write_bytes(file, content)

    def begin(self, command: StoredCommand) -> None:
        """Store a command that is to make runs, before the first of them.

        Raises:
            StoreError: the file cannot be read or written.
        """
        add_command(self.folder, command)

    def keep_problem(self, key: str, instance: Instance[Any]) -> None:
        """Store the problem of a result that follows, unless it is there.

        Args:
            key: the instance's `problem_hash`.
            instance: the instance.

        Raises:
            StoreError: the file cannot be written; nothing is left behind.
        """
        keep_problem(self.folder, key, instance)

    def _keep(self, key: str, files: Mapping[str, bytes]) -> None:
        """Write the files of a run completely or not at all."""
        folder, draft = self.folder / LOGS / key, self.folder / LOGS / f".{key}"
        try:
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(parents=True)
            for name, content in files.items():
                (draft / name).write_bytes(content)
            shutil.rmtree(folder, ignore_errors=True)
            draft.rename(folder)
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise StoreError(f"{folder}: cannot be written: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stream.close()
        self._lock.release()


def answers_file(folder: Path, key: str) -> Path:
    """Return the file of a store with a language model's answers in a run."""
    return folder / ANSWERS_OF_RUNS / f"{key}.jsonl"


def _foreign(folder: Path) -> str | None:
    """Return the name of an entry of the folder that is not part of a store, or None."""
    names = (path.name for path in sorted(folder.iterdir()))
    return next((name for name in names if name != _LOCK and not name.startswith(SHARD)), None)


def read_store(folder: Path) -> list[RunResult]:
    """Return a list of the results of a store; see `iterate_store`."""
    return list(iterate_store(folder))


def iterate_store(folder: Path) -> Iterator[RunResult]:
    """Yield the results of a store, in the order in which they were written.

    An incomplete last line, of a run that is being written or was killed, is skipped.

    Raises:
        InputError: the folder is not a run store.
        StoreError: a line before the last cannot be read.
    """
    return (result for _, result in iterate_places(folder))


def iterate_places(folder: Path) -> Iterator[tuple[int, RunResult]]:
    """Yield each result with its offset in the file, in bytes; see `iterate_store`."""
    place = 0
    with _opened(folder) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                return
            yield place, _result(line, folder, number)
            place += len(line)


def check_store(folder: Path) -> None:
    """Check that a folder is a run store, without reading its lines.

    Raises:
        InputError: it is not.
    """
    _opened(folder).close()


def _opened(folder: Path) -> IO[bytes]:
    try:
        return (folder / RUNS).open("rb")
    except OSError as error:
        reason = f"is not a run store: {RUNS} cannot be read, {error.strerror}"
        raise InputError(reason, file=str(folder)) from None


def read_line(file: Path, place: int) -> RunResult:
    """Return the result at an offset that `iterate_places` yielded."""
    with file.open("rb") as stream:
        stream.seek(place)
        return _result(stream.readline(), file.parent, 0)


def _result(line: bytes, folder: Path, number: int) -> RunResult:
    try:
        return _decoded(line, folder / RUNS)
    except _DAMAGE as error:
        raise StoreError(
            f"{folder / RUNS}:{number}: is not a line of a run store ({shortened(str(error))}); "
            "`run --repair` moves damaged lines to another file and repeats their runs"
        ) from error


def _repaired(files: Mapping[Path, Callable[[bytes], bool]]) -> list[Replaced]:
    """Move the damaged lines of each file to another one; see `replace_lines`."""
    moved = (replace_lines(file, "damaged", test) for file, test in files.items())
    return [*filter(None, moved)]


def _is_damaged(line: bytes) -> bool:
    try:
        _decoded(line, RUNS)
    except _DAMAGE:
        return True
    return False


def _decoded(line: bytes, file: str | Path) -> RunResult:
    """Return the result of a line.

    Raises:
        StoreError: a newer version of this program wrote the line.
        ValueError, KeyError, TypeError, RecursionError: the line is damaged.
    """
    fields = json.loads(line)
    if isinstance(fields, dict) and (fault := STORE.fault(fields)):
        raise StoreError(f"{file}: {fault}")
    return result_from_json(fields)
