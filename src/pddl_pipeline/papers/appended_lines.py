"""Lines of a compressed, append-only file.

The file is a sequence of gzip members of one line each, so ``zcat`` reads it. A line is appended
whole and synchronised to the disk. A member that a crash cut off at the end of the file is ignored
by readers and removed by the next writer.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from pddl_pipeline.io.synced_lines import append_to
from pddl_pipeline.io.writer_lock import lock_for_writing
from pddl_pipeline.model.errors import StoreError

_MAGIC: Final = b"\x1f\x8b\x08"
_GZIP: Final = 16 + zlib.MAX_WBITS
_BLOCK_BYTES: Final = 2**14


class AppendedLines(AbstractContextManager["AppendedLines"]):
    """A file of lines that is open for writing; it has at most one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open or create a file.

        Raises:
            StoreError: another process writes to the file, it cannot be written, or it is damaged
                before its end.
        """
        self.path = path
        self._lock = lock_for_writing(path.with_name(f".{path.name}.lock"), path, "these runs")
        try:
            path.touch()
            self.lines, complete = _members(path)
            """Each line that was in the file, with its offset."""
            self.cut_bytes = path.stat().st_size - complete
            """The size of an incomplete last member, which was removed."""
            if self.cut_bytes:
                os.truncate(path, complete)
        except BaseException:
            self._lock.release()
            raise

    def append(self, line: bytes) -> None:
        """Append a line, which is then on the disk.

        Raises:
            StoreError: the file cannot be written; it is unchanged.
        """
        append_to(self.path, gzip.compress(line, mtime=0))

    def __exit__(self, *error: object) -> None:
        self._lock.release()


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
