"""Append lines to a file with one writer, and cut a line that a crash left incomplete."""

from __future__ import annotations

import errno
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO, Final, Self
from zlib import crc32

from filelock import FileLock, Timeout

from pddl_pipeline.io.files import check_writable, writing
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError, PipelineError, StoreError

_BLOCK_BYTES: Final = 2**16
_CHECKSUM: Final = re.compile(rb', "crc32": "([0-9a-f]{8})"}\n')
_CHECKSUM_BYTES: Final = len(', "crc32": "01234567"}\n')
_NO_LOCKS: Final = "; the file system has no locks, so choose a folder on a local disk"


def checked_line(content: bytes) -> bytes:
    """Return a line of a JSON object; its last field is a checksum of the others."""
    # The brace that closes the object moves behind the checksum.
    return b'%s, "crc32": "%08x"}\n' % (content[:-1], crc32(content))


def is_damaged(line: bytes) -> bool:
    """Return whether a line differs from its checksum; a line without one does not."""
    return _fits_checksum(line) is False


def is_intact(line: bytes) -> bool:
    """Return whether a line has a checksum, and does not differ from it."""
    return _fits_checksum(line) is True


def _fits_checksum(line: bytes) -> bool | None:
    """Return whether a line agrees with its checksum; None if it has none."""
    found = _CHECKSUM.fullmatch(line[-_CHECKSUM_BYTES:])
    return found and crc32(line[:-_CHECKSUM_BYTES] + b"}") == int(found[1], 16)


def append_line(stream: IO[bytes], file: Path, line: bytes) -> None:
    """Append a line, which is then on the disk.

    Args:
        stream: the file, open for appending and without a buffer.
        file: the path of the file, for messages.
        line: the line, with its line break.

    Raises:
        StoreError: the file cannot be written, for example because the disk is full. It is
            unchanged.
    """
    handle = stream.fileno()
    end = os.fstat(handle).st_size
    try:
        # Without a buffer, a full disk may take a part of the line and raise no error.
        fits = stream.write(line) == len(line)
        os.fsync(handle)
        fault = None if fits else os.strerror(errno.ENOSPC)
    except OSError as error:
        fault = error.strerror
    if fault is not None:
        # A partial line followed by another line would be unreadable.
        os.ftruncate(handle, end)
        raise StoreError(f"{file}: cannot be written: {fault}")


def append_to(file: Path, line: bytes) -> None:
    """Append a line to a file, which is created if it does not exist; see `append_line`.

    Raises:
        StoreError: the file cannot be written. It is unchanged.
    """
    try:
        with file.open("ab", buffering=0) as stream:
            append_line(stream, file, line)
    except OSError as error:
        raise StoreError(f"{file}: cannot be written: {error.strerror}") from error


def cut_torn_line(file: Path) -> int:
    """Remove an incomplete last line; return the number of removed lines, 0 or 1."""
    with file.open("r+b") as stream:
        size = complete = stream.seek(0, os.SEEK_END)
        while complete > 0:
            start = max(0, complete - _BLOCK_BYTES)
            stream.seek(start)
            found = stream.read(complete - start).rfind(b"\n")
            complete = start + found + 1 if found >= 0 else start
            if found >= 0:
                break
        if complete == size:
            return 0
        stream.truncate(complete)
    return 1


def lock_for_writing(lock: Path, target: Path, what: str, *, wait_s: float = 0.0) -> FileLock:
    """Acquire a lock, and return it; its folder is created if it does not exist.

    The kernel releases the lock when the process ends, for whatever reason.

    Args:
        lock: the file of the lock.
        target: what is written, for messages.
        what: what another process is writing, such as ``to this folder``.
        wait_s: seconds to wait for another writer.

    Raises:
        StoreError: another process has the lock, or the file cannot be created.
    """
    acquired = FileLock(lock)
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            # Where the kernel has no locks, filelock warns and takes a file, which a kill leaves.
            warnings.simplefilter("error", UserWarning)
            acquired.acquire(timeout=wait_s)
    except Timeout:
        raise StoreError(f"{target}: another process is writing {what}") from None
    except (UserWarning, NotImplementedError) as error:
        raise StoreError(f"{target}: {os.strerror(errno.ENOSYS)}{_NO_LOCKS}") from error
    except OSError as error:
        advice = _NO_LOCKS if error.errno == errno.ENOLCK else ""
        raise StoreError(f"{target}: {error.strerror}{advice}") from error
    return acquired


class OneWriter:
    """Base of what is open for writing; it has at most one writer at a time."""

    def __init__(self, lock: Path, target: Path, what: str, *, wait_s: float = 0.0) -> None:
        """Acquire a lock and open what it is for; see `lock_for_writing` for the arguments."""
        self._lock = lock_for_writing(lock, target, what, wait_s=wait_s)
        try:
            self._open()
        except BaseException:
            self._lock.release()
            raise

    def _open(self) -> None:
        """Read what is there, and remove what a crash left incomplete."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()


@contextmanager
def continuing(path: Path, work: str) -> Iterator[tuple[Path | None, IO[str]]]:
    """Open a text file for lines; continue where the same work was interrupted.

    The lines go to a hidden file in the same folder, which replaces the file at the end. An
    interruption or a full disk leaves it there; other errors would occur again and remove it. Yield
    the hidden file, which may have lines that must not be written again, and the stream.

    Args:
        path: the file; standard output, pipes and devices are written directly, with no hidden
            file.
        work: a description of the work. Different work on the same file has another hidden file.

    Raises:
        InputError: the file cannot be written.
        StoreError: another process does the same work.
    """
    check_writable(path)
    if str(path) == STANDARD or (path.exists() and not path.is_file()):
        with writing(path) as stream:
            yield None, stream
        return
    target = path.resolve()
    digest = blake2b(work.encode(), digest_size=6)
    draft = target.with_name(f".{target.name}-{digest.hexdigest()}.jsonl")
    lock = lock_for_writing(draft.with_suffix(".lock"), path, "to this file")
    try:
        with draft.open("a", encoding="utf-8", buffering=1) as stream:
            cut_torn_line(draft)
            yield draft, stream
        draft.replace(target)
    # After an error in the input, the next run starts again.
    except PipelineError:
        draft.unlink()
        raise
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from error
    finally:
        # There is nothing to continue from.
        if draft.exists() and b"\n" not in draft.read_bytes():
            draft.unlink()
        # Remove it before the release: later, it may be the lock of another process.
        draft.with_suffix(".lock").unlink(missing_ok=True)
        lock.release()
