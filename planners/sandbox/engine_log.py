"""The raw output of a planner, limited in size."""

from __future__ import annotations

import os
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
        self._stream = file.open("wb")
        self._tail = bytearray()
        self._left_out = 0

    def copy(self) -> bool:
        """Copy the available output, at most one mebibyte; return whether there was any."""
        try:
            chunk = os.read(self.source, _CHUNK_BYTES)
        except BlockingIOError:
            return False
        room = _HEAD_BYTES - self._stream.tell()
        self._write(chunk[:room])
        self._tail += chunk[room:]
        excess = max(0, len(self._tail) - _TAIL_BYTES)
        del self._tail[:excess]
        self._left_out += excess
        return bool(chunk)

    def _write(self, chunk: bytes | bytearray) -> None:
        try:
            self._stream.write(chunk)
            self._stream.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._file)) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        while self.copy():
            pass
        if self._left_out:
            self._write(b"\n... %d bytes left out ...\n" % self._left_out)
        self._write(self._tail)
        self._stream.close()
        os.close(self.source)
