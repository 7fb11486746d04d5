"""Byte strings stored on disk."""

from __future__ import annotations

import zlib
from array import array
from contextlib import AbstractContextManager, suppress
from tempfile import TemporaryFile, gettempdir
from typing import Final

from pddl_pipeline.model.errors import InputError

# The fastest level: it makes PDDL four to eight times smaller; higher levels gain little.
_LEVEL: Final = 1


class Spool(AbstractContextManager["Spool"]):
    """Compressed byte strings in a temporary file; memory stores only where each one ends.

    The file has no name and is removed when the spool is closed or the process ends.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 -- closed by `close`
        self._ends = array("Q", [0])

    def add(self, content: bytes) -> None:
        """Append a byte string.

        Raises:
            InputError: the file cannot be written, for example because the disk is full.
        """
        start = self._ends[-1]
        packed = zlib.compress(content, _LEVEL)
        try:
            self._file.seek(start)
            self._file.write(packed)
            self._file.flush()
        except OSError as error:
            reason = f"a temporary file cannot be written: {error.strerror}"
            raise InputError(reason, file=gettempdir()) from error
        self._ends.append(start + len(packed))

    def __getitem__(self, index: int) -> bytes:
        start, end = self._ends[index : index + 2]
        self._file.seek(start)
        return zlib.decompress(self._file.read(end - start))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def close(self) -> None:
        """Remove the file."""
        with suppress(OSError):  # of a string that does not fit on the disk
            self._file.close()

    def __exit__(self, *error: object) -> None:
        self.close()
