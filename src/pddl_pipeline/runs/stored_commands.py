"""The commands that wrote to a run store: when, where, and which runs they were to make.

A report needs them to tell a complete store from one whose runs are not all made.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import msgspec
import psutil

from pddl_pipeline.io.synced_lines import append_to, checked_line, is_damaged
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.model.format_version import STORE
from pddl_pipeline.model.limits import usable_cores
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.model.text import shortened
from pddl_pipeline.runs.jobs import JobQueue, ScheduledRun

_PACKAGES: Final = (
    "numpy", "scipy", "numba", "up-enhsp", "up-fast-downward", "up-symk",
    "kstar-planner", "forbiditerative",
)  # fmt: skip


def installed_versions() -> dict[str, str]:
    """Return the versions of this package and of the installed packages that results depend on."""
    found = {"pddl-pipeline": VERSION}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def machine() -> str:
    """Return a description of this machine: cores, memory, processor, Python version."""
    cores = usable_cores()
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{cores} cores, {memory:.0f} GiB, {platform.machine()}, Python {platform.python_version()}"
    )


COMMANDS: Final = "commands.jsonl"
"""Name of the file in a run store."""
_RUNS_OF_A_LINE: Final = 10_000


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """The limits that a command set for each run."""

    time_s: float
    """Wall-clock seconds."""
    memory_mb: float
    cpu_s: float | None
    """CPU seconds; None for no limit."""


@dataclass(frozen=True, slots=True)
class StoredCommand:
    """One line of ``commands.jsonl``: a command that wrote to the store."""

    started: str
    """UTC time, ISO 8601."""
    command: str
    """The command line."""
    machine: str
    versions: dict[str, str]
    """The version of each installed distribution that computes or searches, by its name."""
    limits: CommandLimits
    shard: str | None = None
    """The part of the experiment, such as ``3/8``; None if it is not split."""
    planned: tuple[ScheduledRun, ...] = ()
    """The runs that the command was to make here. A line does not repeat the runs of earlier lines
    of the store with the same limits."""
    elsewhere: tuple[ScheduledRun, ...] = ()
    """The runs that belong to other shards; likewise."""
    unread: tuple[str, ...] = ()
    """The PDDL files that could not be read, so that no run was planned, each with the error."""

    def repeats(self, other: StoredCommand) -> bool:
        """Return whether another command differs in nothing but its time and its runs."""
        return self == replace(
            other, started=self.started, planned=self.planned, elsewhere=self.elsewhere
        )


def new_command(text: str, queue: JobQueue, unread: Iterable[object] = ()) -> StoredCommand:
    """Return the description of a command that starts now on this machine.

    Args:
        text: the command line.
        queue: the runs of all shards.
        unread: the errors of the PDDL files that could not be read.
    """
    limits, shard = queue.limits, queue.shard
    return StoredCommand(
        started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        # An argument that is not UTF-8 has unpaired surrogates, which JSON has not.
        command=text.encode(errors="backslashreplace").decode(),
        machine=machine(),
        versions=installed_versions(),
        limits=CommandLimits(limits.time_s, round(limits.memory_bytes / 2**20, 1), limits.cpu_s),
        shard=f"{shard.index}/{shard.count}" if shard.count > 1 else None,
        planned=tuple(queue.runs.values()),
        elsewhere=tuple(queue.elsewhere),
        unread=tuple(map(str, unread)),
    )


def note_command(folder: Path, text: str, queue: JobQueue, unread: Iterable[object] = ()) -> None:
    """Store what starts now: the command, as `new_command` describes it, and the keys of its runs.

    Raises:
        StoreError, InputError: a file cannot be read or written.
    """
    add_command(folder, new_command(text, queue, unread))
    queue.keys.save(folder)


def add_command(folder: Path, command: StoredCommand) -> None:
    """Append a command to a store, without the runs that earlier commands have.

    A command that repeats an earlier one and plans no further runs is not stored again.

    Raises:
        StoreError: the file cannot be read or written.
    """
    known: tuple[dict[ScheduledRun, float], ...] = ({}, {})
    is_stored, limit = False, command.limits.time_s
    for each in read_commands(folder):
        for runs, limits in zip((each.planned, each.elsewhere), known, strict=True):
            limits.update(dict.fromkeys(runs, each.limits.time_s))
        is_stored = is_stored or command.repeats(each)
    new = (
        tuple(run for run in runs if limits.get(run) != limit)
        for runs, limits in zip((command.planned, command.elsewhere), known, strict=True)
    )
    # In parts, so that no line has more than a reader should hold in memory.
    parts = [
        [runs[start : start + _RUNS_OF_A_LINE] for start in range(0, len(runs), _RUNS_OF_A_LINE)]
        for runs in new
    ]
    lines = [*zip_longest(*parts, fillvalue=())]
    if not (lines or is_stored):
        # The command is new, though earlier ones planned all of its runs.
        lines = [((), ())]
    for here, elsewhere in lines:
        part = replace(command, planned=here, elsewhere=elsewhere)
        append_to(folder / COMMANDS, checked_line(msgspec.json.encode(part)))


def read_commands(folder: Path) -> Iterator[StoredCommand]:
    """Yield the commands of a store, in the order in which they were written.

    A command with many runs is several, each with a part of them. Stores of former versions have
    none. An incomplete last line is skipped.

    Raises:
        StoreError: a line before the last cannot be read.
        InputError: the file cannot be read.
    """
    file = folder / COMMANDS
    try:
        stream = file.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(file)) from None
    with stream:
        for number, line in enumerate(stream, start=1):
            # Of a command that is being stored, or was killed meanwhile.
            if not line.endswith(b"\n"):
                return
            try:
                found = _decoded(line, file)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise StoreError(
                    f"{file}:{number}: is not a line of a run store ({shortened(str(error))}); "
                    "delete it, and `run` writes it again"
                ) from error
            yield found


_VERSION: Final = msgspec.json.Decoder(msgspec.defstruct("_Version", [(STORE.field, Any, 1)]))


def _decoded(line: bytes, file: Path) -> StoredCommand:
    """Return the command of a line.

    Raises:
        StoreError: a newer version of this program wrote the line.
        MsgspecError, UnicodeDecodeError: the line is damaged.
    """
    if is_damaged(line):
        raise msgspec.ValidationError("it differs from its field crc32")
    # The version is read alone, since a newer version may have other fields.
    if fault := STORE.fault(msgspec.structs.asdict(_VERSION.decode(line))):
        raise StoreError(f"{file}: {fault}")
    return msgspec.json.decode(line, type=StoredCommand)
