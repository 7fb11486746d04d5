"""The run store: a folder with one line for each finished run, which survives `kill -9`."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, fields, make_dataclass, replace
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Final, TypeVar, cast, get_type_hints
from weakref import finalize

import msgspec

from pddl_pipeline.io.files import make_folder, write_bytes, writing
from pddl_pipeline.io.synced_lines import (
    OneWriter,
    append_line,
    checked_line,
    cut_torn_line,
    is_damaged,
    is_intact,
)
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.model.format_version import STORE
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import number_from_json
from pddl_pipeline.model.result import Improvement, RunResult, RunSummary
from pddl_pipeline.model.text import shortened
from pddl_pipeline.planners.attempting import ANSWERS
from pddl_pipeline.runs.jobs import SHARD, Finished, entry_of
from pddl_pipeline.runs.stored_commands import COMMANDS
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.records import from_record, to_record

# As numbers are in JSON: rational numbers as text, and whole ones not changed to floats.
_NUMBER = int | float | str | None
_Improvement: Any = msgspec.defstruct(
    "_Improvement",
    [
        (name, _NUMBER if name == "cost" else kind)
        for name, kind in get_type_hints(Improvement).items()
    ],
)
_IN_JSON: dict[str, Any] = {
    "cost": _NUMBER,
    "optimal_cost": _NUMBER,
    "delta": _NUMBER,
    "improvements": list[_Improvement] | None,
    **{
        name: kind | int
        for name, kind in get_type_hints(RunResult).items()
        if kind in (float, float | None)
    },
}
# A line is decoded as a subclass, whose fields have the types of JSON, without calling `__init__`.
_Line: Any = make_dataclass(
    "_Line",
    [
        (attribute.name, _IN_JSON[attribute.name], field(default=attribute.default))
        for attribute in fields(RunResult)
        if attribute.name in _IN_JSON
    ],
    bases=(RunResult,),
    frozen=True,
    slots=True,
    kw_only=True,
)
_DECODER: Final = msgspec.json.Decoder(_Line)
_Run = TypeVar("_Run")
_parts: Final = attrgetter(*Improvement._fields)


result_to_json = RunResult.to_json


def result_from_json(line: dict[str, Any]) -> RunResult:
    """Return the result of a JSON object; ignore fields of later versions.

    Raises:
        KeyError, TypeError, ValueError: a field is missing, or has an invalid value.
    """
    return _result_of(msgspec.convert(line, _Line))


def _result_of(line: Any) -> RunResult:
    """Return the result of a line, whose fields have the types that they have in JSON."""
    set_field = object.__setattr__
    for name in ("cost", "delta", "optimal_cost"):
        if isinstance(getattr(line, name), str):
            set_field(line, name, number_from_json(getattr(line, name)))
    if line.improvements is not None:
        for improvement in line.improvements:
            improvement.cost = number_from_json(improvement.cost)
        found = tuple([Improvement(*_parts(each)) for each in line.improvements])
        set_field(line, "improvements", found)
    # The classes have the same slots, so that the object is now a result like any other.
    set_field(line, "__class__", RunResult)
    return line  # type: ignore[no-any-return]


PROBLEMS: Final = "problems"
"""Name of the folder in a run store."""
# The fastest level; higher levels gain little.
_LEVEL: Final = 1
# What reading a file raises if it is not a compressed record.
_NOT_A_RECORD: Final = (OSError, EOFError, zlib.error, ValueError, TypeError, KeyError, FieldFault)


def stored_problem(folder: Path, key: str) -> Instance[Any] | None:
    """Return the instance with this `problem_hash`; None if it is not stored, or damaged."""
    try:
        return from_record(json.loads(gzip.decompress(_file(folder, key).read_bytes())))
    except _NOT_A_RECORD:
        return None


def _file(folder: Path, key: str) -> Path:
    return entry_of(folder / PROBLEMS, f"{key}.json.gz")


RUNS: Final = "runs.jsonl"
LOGS: Final = "logs"
ANSWERS_OF_RUNS: Final = "answers"
"""Folder with a file for each run that asked a language model."""
_LOCK: Final = ".lock"


class RunStore(OneWriter):
    """A store that is open for writing; a folder has at most one at a time."""

    def __init__(self, folder: Path) -> None:
        """Open or create a store.

        Raises:
            StoreError: the folder contains something else, another process writes to it, or a newer
                version of this program wrote a line.
        """
        self.folder = folder
        self._file = folder / RUNS
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder}: is a file, expected a folder for the runs")
        # The folder is read before: another process may create the store now, this file first.
        if folder.is_dir() and (name := _foreign(folder)) and not self._file.exists():
            raise StoreError(f"{folder}: holds '{name}' but no {RUNS}; not a run store")
        self.damaged: list[str] = []
        """The damaged lines that were moved to another file, each with what is wrong."""
        self.added: set[str] = set()
        """Keys of the results that were added since the store was opened."""
        super().__init__(folder / _LOCK, folder, "to this run store")

    def _open(self) -> None:
        self._file.touch()
        files = (self._file, self.folder / COMMANDS)
        self.torn_lines = sum(cut_torn_line(file) for file in files if file.exists())
        """Number of incomplete last lines that were removed."""
        self._read()

    def finished(self, retry: Collection[Outcome]) -> dict[str, RunSummary]:
        """Return the summaries of the runs that need not be made, by key.

        Args:
            retry: outcomes for which a run is made again.
        """
        return {key: run for key, run in self.known.items() if run.outcome not in retry}

    def _read(self) -> None:
        damaged = list[str]()
        runs = _places_of_runs(self.folder, damaged, _summary)
        self.known = {run.key: run for _, run in runs}
        if damaged:
            # The lines move to another file, so that their runs are made again and no byte is lost.
            self._replace("damaged", self._unless_damaged)
            self.damaged += damaged
        self._stream = self._file.open("ab", buffering=0)

    def _unless_damaged(self, line: bytes, number: int) -> bytes:
        try:
            _summary(line, self._file, number)
        except DamagedLine:
            return b""
        return line

    def update(
        self, is_wanted: Callable[[RunResult], bool], new: Callable[[RunResult], RunResult]
    ) -> Path | None:
        """Replace results; return the file with the old lines, byte for byte, if any changed.

        Fields of later versions are kept.

        Raises:
            InputError: a file cannot be written; the store is unchanged.
        """
        if not any(map(is_wanted, iterate_store(self.folder))):
            return None

        def changed(line: bytes, _: int) -> bytes:
            fields = json.loads(line)
            result = result_from_json(fields)
            found = new(result) if is_wanted(result) else result
            return line if found == result else _line(fields | result_to_json(found))

        self._stream.close()
        try:
            return self._replace("rejudged", changed)
        finally:
            self._read()

    def _replace(self, name: str, change: Callable[[bytes, int], bytes]) -> Path | None:
        """Change lines, given each with its number; return the file with the old lines, if any.

        That file is complete before the store's file changes, as a whole. If the process is killed
        at any moment, nothing is lost.
        """
        names = (self.folder / f"runs.{name}-{number}.jsonl" for number in count(1))
        target = next(name for name in names if not name.exists())
        is_changed = False
        # The old lines are inside, so that they are complete before the file is replaced.
        with (
            self._file.open("rb") as lines,
            writing(self._file, durable=True) as runs,
            writing(target, durable=True) as kept,
        ):
            for number, line in enumerate(lines, start=1):
                found = change(line, number)
                _binary(runs).write(found)
                if found != line:
                    _binary(kept).write(line)
                    is_changed = True
        if not is_changed:
            target.unlink()
        return target if is_changed else None

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
        # Files are written before the line, so that a run in the store has all of them.
        files = dict(finished.files)
        answers = files.pop(ANSWERS, b"")
        place = answers_file(self.folder, result.key)
        # They are there if the run was made on this machine.
        if answers and not (place.is_file() and place.read_bytes() == answers):
            make_folder(place.parent)
            write_bytes(place, answers)
        if files:
            self._keep(result.key, files)
        line = _line(result_to_json(result))
        # Recorded before the write: an interrupt in between loses a result, which is then run
        # again. In the opposite order, it would be stored twice.
        self.added.add(result.key)
        self.known[result.key] = result.summary
        append_line(self._stream, self._file, line)
        return result.summary

    def keep_problem(self, key: str, instance: Instance[Any]) -> None:
        """Store the problem of a result that follows, unless it is there.

        Args:
            key: the instance's `problem_hash`.
            instance: the instance.

        Raises:
            InputError: the file cannot be written; nothing is left behind.
        """
        file = _file(self.folder, key)
        if not file.exists():
            make_folder(file.parent)
            content = json.dumps(to_record(instance)).encode()
            write_bytes(file, gzip.compress(content, _LEVEL, mtime=0))

    def _keep(self, key: str, files: Mapping[str, bytes]) -> None:
        """Write the files of a run completely or not at all."""
        folder = self.folder / LOGS / key[:2] / key
        draft = folder.with_name(f".{key}")
        try:
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(parents=True)
            for name, content in files.items():
                (draft / name).write_bytes(content)
            # There is one if the run is repeated, or if its line was never written.
            shutil.rmtree(folder, ignore_errors=True)
            draft.rename(folder)
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise StoreError(f"{folder}: cannot be written: {error.strerror}") from error

    def __exit__(self, *error: object) -> None:
        self._stream.close()
        super().__exit__(*error)


def answers_file(folder: Path, key: str) -> Path:
    """Return the file of a store with a language model's answers in a run."""
    return entry_of(folder / ANSWERS_OF_RUNS, f"{key}.jsonl")


def _foreign(folder: Path) -> str | None:
    """Return the name of an entry of the folder that is not part of a store, or None."""
    names = (path.name for path in sorted(folder.iterdir()))
    return next((name for name in names if name != _LOCK and not name.startswith(SHARD)), None)


class DamagedLine(StoreError):
    """A line of a store cannot be read, or differs from its checksum."""


def iterate_store(folder: Path, damaged: list[str] | None = None) -> Iterator[RunResult]:
    """Yield the results of a store; see `RunsByPlace`."""
    return (result for _, result in _places_of_runs(folder, damaged, _result))


def _places_of_runs(
    folder: Path, damaged: list[str] | None, read: Callable[[bytes, Path, int], _Run]
) -> Iterator[tuple[int, _Run]]:
    """Yield the results of a store in the order in which they were written, each with its place.

    An incomplete last line, of a run that is being written or was killed, is skipped.

    Args:
        folder: the store.
        damaged: gets what is wrong with each damaged line, which is then skipped.
        read: reads a line of the file, given its number.

    Raises:
        InputError: the folder is not a run store.
        DamagedLine: a line before the last is damaged, and `damaged` is None.
        StoreError: a newer version of this program wrote a line.
    """
    start, file = 0, folder / RUNS
    with _opened(folder) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                found = read(line, file, number)
            except DamagedLine as error:
                if damaged is None:
                    raise
                damaged.append(str(error))
            else:
                yield start, found
            # Damaged lines count, since places are offsets in the file.
            start += len(line)


_LARGEST_FILE: Final = 2**44
_USUAL: Final = 1 << 12
"""So many bytes are read at first: most lines are shorter."""
_MAX_OPEN: Final = 100
"""The number of files that are open at a time, below the limit of most systems."""


class RunsByPlace:
    """The runs of stores by place: which store, and where its line begins."""

    def __init__(self, sources: Sequence[tuple[Path, str]], damaged: list[str]) -> None:
        """Prepare to read.

        Args:
            sources: the stores, each with what follows its planners' names.
            damaged: gets what is wrong with each damaged line, when the runs are iterated.
        """
        self._sources = sources
        self._damaged = damaged
        self._open: dict[int, IO[bytes]] = {}

    def __reduce__(self) -> tuple[type[RunsByPlace], tuple[object, ...]]:
        return RunsByPlace, (self._sources, self._damaged)  # each copy opens the files itself

    def __iter__(self) -> Iterator[tuple[int, RunResult]]:
        for number, (folder, _) in enumerate(self._sources):
            for start, result in _places_of_runs(folder, self._damaged, _result):
                yield number * _LARGEST_FILE + start, self._labelled(number, result)

    def read(self, place: int) -> RunResult:
        """Return the run at a place.

        Raises:
            StoreError: the line has changed since the runs were iterated.
        """
        number, start = divmod(place, _LARGEST_FILE)
        stream = self._open.get(number)
        if stream is None:
            if len(self._open) >= _MAX_OPEN:
                self._open.pop(next(iter(self._open))).close()
            stream = self._open[number] = (self._sources[number][0] / RUNS).open("rb", buffering=0)
            finalize(self, stream.close)
        stream.seek(start)
        line = stream.read(_USUAL)
        while b"\n" not in line and (more := stream.read(len(line))):
            line += more
        line = line[: line.find(b"\n") + 1]
        return self._labelled(number, _result(line, stream.name, 0))

    def _labelled(self, number: int, result: RunResult) -> RunResult:
        label = self._sources[number][1]
        return replace(result, planner=f"{result.planner}{label}") if label else result


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


def _result(line: bytes, file: Path | str, number: int) -> RunResult:
    """Return the result of a line.

    Raises:
        DamagedLine: the line is damaged.
        StoreError: a newer version of this program wrote it.
    """
    if is_damaged(line):
        # A bit may have changed. Without its checksum, a line that was edited is read.
        edited = "it differs from its field crc32; remove that field to keep an edited line"
        raise _damaged(line, file, number, edited)
    try:
        try:
            found = _result_of(_DECODER.decode(line))
            if _VERSION not in line:
                return found
        except ValueError:
            pass  # also text that Python alone reads as JSON: NaN, halves of surrogate pairs
        values = json.loads(line)
        if isinstance(values, dict) and (fault := STORE.fault(values)):
            raise StoreError(f"{file}: {fault}") from None
        return result_from_json(values)
    except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
        raise _damaged(line, file, number, shortened(str(error))) from error


_VERSION: Final = STORE.field.encode()
_SUMMARIES: Final = msgspec.json.Decoder(RunSummary)


def _summary(line: bytes, file: Path, number: int) -> RunSummary:
    """Return the summary of a line, whose other fields are not decoded if its checksum is right.

    Raises:
        DamagedLine, StoreError: as `_result`.
    """
    if _VERSION not in line and is_intact(line):
        with suppress(ValueError):
            return _SUMMARIES.decode(line)
    return _result(line, file, number).summary


def _damaged(line: bytes, file: Path | str, number: int, reason: str) -> DamagedLine:
    key = _KEY.search(line)
    named = f" with the key {key[1].decode()}" if key else ""
    return DamagedLine(
        f"{file}:{number}: the line{named} is damaged: {reason}; `run` repeats its run"
    )


_KEY: Final = re.compile(rb'"key": "([\w.-]{1,64})"')


def _line(fields: dict[str, Any]) -> bytes:
    fields.pop("crc32", None)
    return checked_line(json.dumps(fields).encode())


def _binary(stream: IO[str]) -> IO[bytes]:
    return cast("Any", stream).buffer  # type: ignore[no-any-return]


_SHARD: Final = re.compile(rf"{SHARD}(\d+)-of-(\d+)")


def store_folders(folder: Path) -> list[Path]:
    """Return the run stores of a folder: itself, and its sub-folders ``shard-3-of-8``.

    If there are none, return the folder itself: reading it then raises the appropriate error.
    """
    parts = (place for place in folder.glob(f"{SHARD}*") if _SHARD.fullmatch(place.name))
    # By the number of shards, then by the index of each.
    places = [
        folder,
        *sorted(parts, key=lambda place: [*map(int, re.findall(r"\d+", place.name))][::-1]),
    ]
    return [place for place in places if (place / RUNS).exists()] or [folder]
