"""Read text files line by line, compressed or not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError
from pathlib import Path
from typing import BinaryIO, Final, cast

from pddl_pipeline.io.standard_streams import STANDARD, standard_input
from pddl_pipeline.io.text_file import check_head, text_of_line
from pddl_pipeline.model.errors import InputError, RecordError

_HEAD: Final = 1 << 13


def suffix_of(path: Path) -> str:
    """Return the suffix of a file in lower case, without the suffix of a compression."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def stem_of(path: Path) -> str:
    """Return the name of a file without its suffix and the suffix of a compression."""
    name = path.name.removesuffix(".gz")
    return name.rpartition(".")[0] or name


@contextmanager
def open_binary(path: Path) -> Iterator[BinaryIO]:
    """Open a text file; decompress it if its name ends in ``.gz``. ``-`` is standard input.

    Raises:
        InputError: the file cannot be opened, is binary, or cannot be read in the block.
    """
    with _open(path) as file:
        check_head(_head(file), str(path))
        yield file


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    try:
        with _opened(path) as file:
            yield file
    except (EOFError, zlib.error) as error:
        raise InputError("the compressed file is truncated or damaged", file=str(path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be read: {reason}", file=str(path)) from error


def _opened(path: Path) -> BinaryIO:
    if str(path) == STANDARD:
        return standard_input()
    packed = path.suffix.lower() == ".gz"
    return cast("BinaryIO", gzip.open(path)) if packed else path.open("rb")


def _head(file: BinaryIO) -> bytes:
    """Return the beginning of a file without consuming it."""
    # Standard input, which was read before, is a stream in memory without `peek`.
    peek = getattr(file, "peek", None)
    if peek is not None:
        return cast("bytes", peek(_HEAD))[:_HEAD]
    head = file.read(_HEAD)  # the content of standard input, in memory
    file.seek(0)
    return head


def check_readable(path: Path) -> None:
    """Check that a file can be opened, before it is read row by row.

    Raises:
        InputError: the file cannot be opened.
    """
    with _open(path):
        pass


def text_lines(path: Path, errors: str = "strict") -> Iterator[tuple[int, str | RecordError]]:
    """Yield the lines that are not blank, with their 1-based numbers.

    For a line with a NUL byte, or one that is not UTF-8, yield an error instead.

    Args:
        path: the file.
        errors: how to handle bytes that are not UTF-8; an error handler of `codecs`.

    Raises:
        InputError: the file cannot be read.
    """
    name = str(path)
    with open_binary(path) as file:
        for number, raw in enumerate(file, start=1):
            try:
                line = text_of_line(raw, name, number, errors)
            except RecordError as error:
                yield number, error
            else:
                if line.strip():
                    yield number, line.rstrip("\r\n")


_EXPECTED: Final = (
    ("Expecting value", "a JSON value"),
    ("Expecting property name", "a field name in double quotes"),
    ("Expecting ':'", "':'"),
    ("Expecting ','", "',' or a closing bracket"),
    ("Unterminated string", "'\"' at the end of the string"),
    ("Invalid control character", "an escape such as \\n in a string"),
    ("Invalid \\", "an escape such as \\n in a string"),
    ("Illegal trailing comma", "a JSON value after the comma"),
    ("Extra data", "nothing after the JSON value"),
)


def json_fault(error: JSONDecodeError, end: str = "the end of the text") -> str:
    """Return what was expected and found at the place of an error.

    Args:
        error: the error of Python's decoder.
        end: what the end of the decoded text is called.
    """
    expected = next((said for start, said in _EXPECTED if error.msg.startswith(start)), "JSON")
    rest = error.doc[error.pos :]
    # The place of a string that is not closed is its start.
    if not rest.strip() or error.msg.startswith("Unterminated"):
        return f"expected {expected}, found {end}"
    return f"expected {expected}, found {rest[:1]!r}"
