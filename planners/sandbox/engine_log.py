"""The raw output of a planner, limited in size."""

from __future__ import annotations

import errno
import os
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from pddl_pipeline.io.platform import fcntl

# Messages about the problem are at the beginning, statistics at the end.
_HEAD_BYTES: Final = 2**22
_TAIL_BYTES: Final = 2**22
_CHUNK_BYTES: Final = 2**20


class EngineLog:
    """Copies a pipe to a file; keeps the beginning and the end of more than 8 MiB."""

    def __init__(self, file: Path) -> None:
        """Create the file.

        Raises:
            OSError: the file cannot be written.
        """
        self.source, self.sink = os.pipe()
        os.set_blocking(self.source, False)
        with suppress(PermissionError):
            # The system rejects more than it allows for one user.
            fcntl.fcntl(self.sink, fcntl.F_SETPIPE_SZ, _CHUNK_BYTES)
        self._file = file
        self._stream = file.open("wb", buffering=0)
        self._head = 0
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._left_out = 0

    def copy(self) -> bool:
        """Copy the available output, at most one mebibyte; return whether there was any."""
        try:
            chunk = os.read(self.source, _CHUNK_BYTES)
        except BlockingIOError:
            return False
        self._take(chunk)
        return bool(chunk)

    def _take(self, chunk: bytes) -> None:
        room = _HEAD_BYTES - self._head
        self._write(chunk[:room])
        self._head += len(chunk[:room])
        rest = chunk[room:]
        if rest:
            self._tail.append(rest)
            self._tail_bytes += len(rest)
        while self._tail_bytes > _TAIL_BYTES:
            dropped = len(self._tail.popleft())
            self._tail_bytes -= dropped
            self._left_out += dropped

    def _write(self, chunk: bytes) -> None:
        try:
            number = None if self._stream.write(chunk) == len(chunk) else errno.ENOSPC
        except OSError as error:
            number = error.errno
        if number is not None:
            raise OSError(number, os.strerror(number), str(self._file))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        while self.copy():
            pass
        if self._left_out:
            self._write(b"\n... %d bytes left out ...\n" % self._left_out)
        for chunk in self._tail:
            self._write(chunk)
        self._stream.close()
        os.close(self.source)
