"""Standard input and output where a user gives ``-`` instead of the name of a file."""

from __future__ import annotations

import io
import os
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


class StandardOutput(io.TextIOWrapper):
    """Standard output that discards what is written after its reader has exited.

    A command then does the rest of its work and ends with its own status.
    """

    # This wraps text and not bytes. If a signal arrives in Python code that writes bytes, the
    # buffer above it writes them a second time.

    is_strict = False
    """Whether to raise `BrokenPipeError` as well, so that a command stops."""

    def write(self, text: str, /) -> int:
        """Write text and return its length; see `io.TextIOBase.write`."""
        try:
            return super().write(text)
        except BrokenPipeError:
            self._discard()
            return len(text)

    def flush(self) -> None:
        """Write what is buffered; see `io.IOBase.flush`."""
        try:
            super().flush()
        except BrokenPipeError:
            self._discard()

    def _discard(self) -> None:
        """Let everything go to the null device, what is still buffered included."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        if self.is_strict:
            raise BrokenPipeError


def forgiving_output() -> None:
    """Let `sys.stdout` discard what is written after its reader has exited."""
    old = sys.stdout
    if old is sys.__stdout__ and isinstance(old, io.TextIOWrapper):
        sys.stdout = StandardOutput(
            old.buffer, encoding=old.encoding, errors=old.errors,
            line_buffering=old.line_buffering, write_through=old.write_through,
        )  # fmt: skip


@contextmanager
def standard_output() -> Iterator[IO[str]]:
    """Yield standard output for the results of a command.

    Raises:
        ReaderGone: the reader has exited; there is no use in more results.
    """
    stream = sys.stdout
    try:
        if isinstance(stream, StandardOutput):
            stream.is_strict = True
        yield stream
        stream.flush()
    except BrokenPipeError as error:
        raise ReaderGone from error
    finally:
        if isinstance(stream, StandardOutput):
            stream.is_strict = False


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
