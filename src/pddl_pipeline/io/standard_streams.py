"""Standard input and output where a user gives ``-`` instead of the name of a file.

Every command imports this module, so imports that take long are inside functions.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final, TextIO, cast

from pddl_pipeline.model.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

STANDARD: Final = "-"
"""The name that stands for standard input or output."""
_CHUNK: Final = 1 << 16
LARGEST: Final = 2**30
"""The number of bytes at which reading a text as a whole ends, such as that of a device."""
# All but tab and line feed; marks of direction; a carriage return that ends no line.
_CONTROLS: Final = r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)"
_GZIP: Final = b"\x1f\x8b"


class ReaderGone(Exception):
    """The reader of standard output has exited, as in ``| head -1``."""


def for_terminal(text: str) -> str:
    """Return text for a terminal, with its control characters escaped.

    Names, plans and logs may contain sequences that erase lines, change the clipboard or reverse
    the direction of writing.
    """
    # Not compiled here: few commands write to a terminal.
    return re.sub(_CONTROLS, lambda match: match[0].encode("unicode_escape").decode(), text)


class StandardOutput(io.TextIOWrapper):
    """A standard stream that discards what is written after its reader has exited.

    A command then does the rest of its work and ends with its own status. On a terminal, control
    characters are escaped; see `for_terminal` and `styled`.
    """

    # This wraps text and not bytes. If a signal arrives in Python code that writes bytes, the
    # buffer above it writes them a second time.

    is_strict = False
    """Whether to raise `BrokenPipeError` as well, so that a command stops."""

    is_terminal = False

    def write(self, text: str, /) -> int:
        """Write text and return its length; see `io.TextIOBase.write`."""
        return self.write_styled(for_terminal(text) if self.is_terminal else text)

    def write_styled(self, text: str) -> int:
        """Write text without escaping its control characters."""
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


class _Styled:
    """A standard stream for text whose escape sequences are this program's own."""

    def __init__(self, stream: StandardOutput) -> None:
        self._stream = stream
        self.write = stream.write_styled

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def styled(stream: TextIO) -> IO[str]:
    """Return a standard stream for text with colours; who writes there escapes all other text."""
    return cast("IO[str]", _Styled(stream)) if isinstance(stream, StandardOutput) else stream


def safe_streams() -> None:
    """Replace the standard streams for output by those that `StandardOutput` describes."""
    for name in ("stdout", "stderr"):
        old = getattr(sys, name)
        # A stream that a caller has put there, as `redirect_stdout` does, stays.
        if old is getattr(sys, f"__{name}__") and isinstance(old, io.TextIOWrapper):
            stream = StandardOutput(
                old.buffer,
                encoding=old.encoding,
                errors=old.errors,
                line_buffering=old.line_buffering,
                write_through=old.write_through,
            )
            stream.is_terminal = old.isatty()
            setattr(sys, name, stream)


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
        InputError: it cannot be read, or is too large.
    """
    return io.BytesIO(_content(sys.stdin))


@lru_cache(maxsize=1)
def _content(stream: TextIO | None) -> bytes:
    """Return the content of standard input, which is kept: a pipe can be read only once."""
    if stream is None:
        raise InputError("standard input is closed", file=STANDARD)
    try:
        return joined(iter(partial(stream.buffer.read, _CHUNK), b""), STANDARD)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=STANDARD) from error


@contextmanager
def standard_input_file() -> Iterator[Path]:
    """Yield a temporary file ``stdin`` with the content of standard input.

    Its suffix is that of the content: JSON, Parquet, PDDL or CSV, packed or not.

    Raises:
        InputError: as for `standard_input`.
    """
    from pathlib import Path  # slow to import
    from tempfile import TemporaryDirectory

    content = _content(sys.stdin)
    with TemporaryDirectory(prefix="pddl-pipeline-") as folder:
        path = Path(folder) / f"stdin{_suffix(content[:_CHUNK])}"
        path.write_bytes(content)
        yield path


def joined(parts: Iterable[bytes], file: str) -> bytes:
    """Return the content of a file or a stream that is read in parts.

    Raises:
        InputError: it has more than `LARGEST` bytes.
    """
    content = bytearray()
    for part in parts:
        content += part
        if len(content) > LARGEST:
            raise InputError(f"found more than {LARGEST:,} bytes", file=file)
    return bytes(content)


def _suffix(head: bytes) -> str:
    """Return the suffix of a file that begins with these bytes."""
    import zlib  # rarely needed

    if head.startswith(_GZIP):
        try:
            # 16 stands for gzip's header. The head may end within the data.
            return f"{_suffix(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head))}.gz"
        except zlib.error:
            return ".gz"
    if head.startswith(b"PAR1"):
        return ".parquet"
    # A dataset on standard input has no name that says its format.
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return ".jsonl" if first in (b"[", b"{") else ".pddl" if first in (b"(", b";") else ".csv"
