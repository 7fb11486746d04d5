"""Standard input and output where a user gives ``-`` instead of the name of a file."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import IO, BinaryIO, Final, TextIO

from pddl_pipeline.model.errors import InputError

STANDARD: Final = "-"
"""The name that stands for standard input or output."""


class ReaderGone(Exception):
    """The reader of standard output has exited, as in ``| head -1``."""


class StandardOutput(io.FileIO):
    """Standard output that discards what is written after its reader has exited.

    A command then does the rest of its work and ends with its own status.
    """

    strict = False
    """Whether to raise `BrokenPipeError` once, so that a command stops."""
    _failed = False

    def write(self, data: bytes, /) -> int:  # type: ignore[override] # any buffer
        """Write bytes and return their number; see `io.RawIOBase.write`."""
        if self._failed:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            # What is left in the buffer must not raise again when the program ends.
            self._failed = True
            if isinstance(error, BrokenPipeError) and not self.strict:
                return len(data)
            raise


def forgiving_output() -> None:
    """Let `sys.stdout` discard what is written after its reader has exited."""
    old = sys.stdout
    if old is not sys.__stdout__ or not isinstance(old, io.TextIOWrapper):
        return
    raw = StandardOutput(old.fileno(), "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=old.encoding, errors=old.errors,
        line_buffering=old.line_buffering, write_through=old.write_through,
    )  # fmt: skip


@contextmanager
def standard_output() -> Iterator[IO[str]]:
    """Yield standard output for the results of a command.

    Raises:
        ReaderGone: the reader has exited; there is no use in more results.
    """
    stream = sys.stdout
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    try:
        if isinstance(raw, StandardOutput):
            raw.strict = True
        yield stream
        stream.flush()
    except BrokenPipeError as error:
        raise ReaderGone from error
    finally:
        if isinstance(raw, StandardOutput):
            raw.strict = False


def standard_input() -> BinaryIO:
    """Return the content of standard input from its beginning, also if it was read before.

    Raises:
        InputError: it cannot be read.
    """
    return io.BytesIO(_content(sys.stdin))


@lru_cache(maxsize=1)
def _content(stream: TextIO | None) -> bytes:
    """Return all of a stream: a pipe can be read only once."""
    if stream is None:
        raise InputError("standard input is closed", file=STANDARD)
    try:
        return stream.buffer.read()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=STANDARD) from error
