"""Write files completely or not at all. ``-`` is standard output."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from io import TextIOWrapper
from itertools import combinations
from pathlib import Path
from secrets import token_hex
from shutil import copymode
from typing import IO, Final, cast
from urllib.parse import quote

from pddl_pipeline.io.platform import fcntl
from pddl_pipeline.io.standard_streams import STANDARD, standard_output
from pddl_pipeline.model.errors import EngineError, InputError

_DRAFT: Final = ".pddl-pipeline-"
# The files of datasets and run stores. Reports and prompts may stand in their folders, too.
_DATA: Final = re.compile(r"(commands|instances|manifest|runs)\.jsonl|.*\.(gz|pddl)").fullmatch
# Without locks, as on some network drives or on Windows, what a killed process left stays.
_NO_LOCKS: Final = (OSError, EngineError)


def check_writable(path: Path) -> None:
    """Check, before long work, that its result can be written.

    Raises:
        InputError: the path is a folder, or its parent folder does not exist.
    """
    if str(path) == STANDARD:
        return
    if path.is_dir():
        raise InputError("is a folder, expected a file to write to", file=str(path))
    if not path.parent.is_dir():
        raise InputError("cannot be written: there is no such folder", file=str(path))


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Check, before long work, that its results can be written and do not overwrite its inputs.

    Args:
        outputs: files to write; None for an output that is not requested.
        inputs: files and folders that are read.

    Raises:
        InputError: as for `check_writable`; or an output is also an input, or two outputs are the
            same file.
    """
    written = [path for path in outputs if path is not None and str(path) != STANDARD]
    read = [Path(path) for path in inputs if path is not None and str(path) != STANDARD]
    for path in written:
        check_writable(path)
        if any(other.exists() and _is_read(path, other) for other in read):
            raise InputError("is an input and would be overwritten", file=str(path))
    for path, other in combinations(written, 2):
        if _is_same(path, other):
            message = "is the file of two outputs and would be written twice"
            raise InputError(message, file=str(path))


def _is_read(path: Path, read: Path) -> bool:
    """Return whether a path is a file that is read, or a data file of a folder that is read."""
    is_data = path.exists() and _DATA(path.name) is not None
    return _is_same(path, read) or (is_data and path.resolve().is_relative_to(read.resolve()))


def _is_same(path: Path, other: Path) -> bool:
    """Return whether two paths are the same regular file, following links; it may not exist yet."""
    if path.exists() and other.exists():
        return path.is_file() and path.samefile(other)
    return path.resolve() == other.resolve()


def make_folder(path: Path) -> None:
    """Create a folder and its parents, unless they exist.

    Raises:
        InputError: the folder cannot be created.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be created: {error.strerror}", file=str(path)) from error


def write_file(path: Path, text: str) -> None:
    """Write a text file completely or not at all; see `writing`.

    Raises:
        InputError: the file cannot be written; nothing is left behind.
    """
    with writing(path) as stream:
        stream.write(text)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a binary file completely or not at all; see `writing`.

    Raises:
        InputError: the file cannot be written; nothing is left behind.
    """
    with writing(path) as stream:
        cast("TextIOWrapper", stream).buffer.write(data)


@contextmanager
def writing(path: Path, *, durable: bool = False) -> Iterator[IO[str]]:
    """Open a text file for writing; readers see the old or the new content, never a part of it.

    Links are followed. A path that is not a regular file, such as a pipe, is written directly, and
    so is standard output.

    Args:
        path: the file.
        durable: whether the content is on the disk when the file gets it, which takes
            milliseconds.

    Raises:
        InputError: the file cannot be written; nothing is left behind, nor if the block raises
            another exception.
        ReaderGone: the reader of standard output has exited.
    """
    check_writable(path)
    if str(path) == STANDARD:
        with standard_output() as stream:
            yield stream
        return
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8") as stream:
                yield stream
        else:
            with _replacing(path.resolve(), durable=durable) as stream:
                yield stream
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from error


@contextmanager
def writing_in_view(path: Path) -> Iterator[IO[str]]:
    """Open a text file as `writing` does; its lines are in the file `part_of` as they come.

    An interrupt leaves that file.

    Raises:
        InputError, ReaderGone: as `writing`.
    """
    if str(path) == STANDARD or (path.exists() and not path.is_file()):
        with writing(path) as stream:
            yield stream
        return
    check_writable(path)
    target, part = path.resolve(), part_of(path)
    try:
        with part.open("w", encoding="utf-8", buffering=1) as stream:
            if target.exists():
                copymode(target, part)
            yield stream
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from error


def part_of(path: Path) -> Path:
    """Return the file with the lines of another one that is not complete; see `writing_in_view`."""
    return path.resolve().with_name(f"{path.resolve().name}.part")


@contextmanager
def _replacing(target: Path, *, durable: bool) -> Iterator[IO[str]]:
    _remove_drafts(target.parent)
    draft, stream = _new_draft(target.parent)
    try:
        # The umask applies to a new file; a file that is replaced keeps its mode.
        with stream:
            if target.exists():
                copymode(target, draft)
            yield stream
            stream.flush()
            # Else the new name may be on the disk before the content when the machine crashes.
            if durable:
                os.fsync(stream.fileno())
            # Before it is closed, which unlocks it: others remove drafts without a lock.
            draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _new_draft(folder: Path) -> tuple[Path, IO[str]]:
    """Return a new hidden file and its stream, which is locked until it is closed."""
    while True:
        # Without the name of the target, which may have the greatest length of a name.
        draft = folder / f"{_DRAFT}{token_hex(8)}"
        stream = draft.open("x", encoding="utf-8")
        with suppress(*_NO_LOCKS):
            fcntl.flock(stream, fcntl.LOCK_EX)
        # Another process may have removed it before it was locked.
        if draft.exists():
            return draft, stream
        stream.close()


@cache
def _remove_drafts(folder: Path) -> None:
    """Remove, once, what killed processes left in a folder; the files of others are locked."""
    for draft in folder.glob(f"{_DRAFT}*"):
        with suppress(*_NO_LOCKS), draft.open("r+b") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            draft.unlink()


def relative_link(folder: Path, page: Path) -> str:
    """Return the link from a page to a folder, as part of an address.

    Args:
        folder: the folder.
        page: the file of the page; for standard output, links start in the working directory.
    """
    start = Path.cwd() if str(page) == STANDARD else page.absolute().parent
    return quote(os.fsencode(os.path.relpath(folder.absolute(), start).replace(os.sep, "/")))
