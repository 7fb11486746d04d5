"""Standard input as a file, for readers that need a name or read twice."""

from __future__ import annotations

import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pddl_pipeline.model.errors import InputError

DASH: Final = "-"
"""The name that stands for standard input on the command line."""
_HEAD: Final = 1 << 16
_GZIP: Final = b"\x1f\x8b"
_TAR: Final = slice(257, 262)


@contextmanager
def standard_input() -> Iterator[Path]:
    """Return a temporary file ``stdin`` with the content of standard input.

    Its suffix is that of the content: JSON, Parquet, a tar archive, PDDL or CSV, packed or not.

    Raises:
        InputError: standard input is closed.
    """
    if sys.stdin is None:
        raise InputError("standard input is closed", file=DASH)
    stream = sys.stdin.buffer
    head = stream.read(_HEAD)
    with TemporaryDirectory(prefix="pddl-pipeline-") as folder:
        path = Path(folder) / f"stdin{_suffix(head)}"
        with path.open("wb") as file:
            file.write(head)
            shutil.copyfileobj(stream, file)
        yield path


@contextmanager
def input_file(name: str) -> Iterator[Path]:
    """Return the file of a name; ``-`` is standard input.

    Raises:
        InputError: standard input is closed. Errors about its temporary file name it ``-``.
    """
    if name != DASH:
        yield Path(name)
        return
    with standard_input() as path:
        try:
            yield path
        except InputError as error:
            if error.file == str(path):
                error.file = DASH
            raise


def _suffix(head: bytes) -> str:
    """Return the suffix of a file that begins with these bytes."""
    if head.startswith(_GZIP):
        try:
            return f"{_suffix(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head))}.gz"
        except zlib.error:
            return ".gz"
    if head.startswith(b"PAR1"):
        return ".parquet"
    if head[_TAR] == b"ustar":
        return ".tar"
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return ".jsonl" if first in (b"[", b"{") else ".pddl" if first in (b"(", b";") else ".csv"
