"""Read complete text files: here bytes become text, and binary data are recognised."""

from __future__ import annotations

import codecs
import os
import re
from functools import partial
from typing import Final

from pddl_pipeline.io.standard_streams import joined, standard_input
from pddl_pipeline.model.errors import InputError, RecordError

_KINDS: Final = (
    (b"\x1f\x8b", "gzip data"),
    (b"PK\x03\x04", "a zip archive"),
    (rb"(?s).{257}ustar", "a tar archive"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    # Two characters of ASCII, the lower or the higher byte first.
    (rb"[^\0]\0[^\0]\0|\0[^\0]\0[^\0]", "UTF-16 text without its mark"),
)
_LARGEST_SHARE: Final = 0.3
"""Largest share of bytes that are not UTF-8 in a text, such as one with comments in Latin-1."""
_PART: Final = 2**20


def check_head(content: bytes, file: str) -> None:
    """Check that the beginning of a file is text; it may end within a character.

    A byte that is not UTF-8 is for the reader of its line, unless there are many.

    Raises:
        InputError: the content is binary.
    """
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError as error:
        _check(content, file, content.decode("utf-8", errors="replace"), error.start)
    else:
        _check(content, file)


def text_of(content: bytes, file: str) -> str:
    """Return the text of a complete file without a byte order mark.

    Bytes that are not UTF-8 become U+FFFD, such as those of a comment in Latin-1.

    Raises:
        InputError: the content has a NUL byte before its end, or most of it is not UTF-8.
    """
    try:
        text, wrong = content.decode("utf-8"), None
    except UnicodeDecodeError as error:
        text, wrong = content.decode("utf-8", errors="replace"), error.start
    _check(content, file, text, wrong)
    return text.removeprefix("\ufeff")


def text_of_line(raw: bytes, file: str, number: int, errors: str = "strict") -> str:
    """Return the text of a line.

    Args:
        raw: the line.
        file: name of the file, for messages.
        number: the number of the line, from 1; the first may start with a byte order mark.
        errors: how to handle bytes that are not UTF-8; an error handler of `codecs`.

    Raises:
        RecordError: the line has a NUL byte, or one that is not UTF-8 if `errors` is ``strict``.
    """
    try:
        if b"\0" not in raw:
            return raw.decode("utf-8-sig" if number == 1 else "utf-8", errors)
        at = raw.index(b"\0")
    except UnicodeDecodeError as error:
        raw, at = error.object, error.start
    column = len(raw[:at].decode("utf-8", errors="replace")) + 1
    raise RecordError(no_text(raw[at]), file=file, line=number, column=column)


def no_text(byte: int, kind: str = "") -> str:
    """Return what is wrong with a byte, or with a file that starts with it."""
    return f"expected UTF-8 text, found {f'{kind}, ' if kind else ''}byte 0x{byte:02x}"


def _check(content: bytes, file: str, text: str = "", wrong: int | None = None) -> None:
    """Check the content of a file.

    Args:
        content: the content.
        file: name of the file.
        text: the content with U+FFFD for the bytes that are not UTF-8, if there are any.
        wrong: the index of the first such byte.
    """
    kind = next((name for start, name in _KINDS if re.match(start, content)), "")
    nul = content.find(b"\0")
    if nul >= 0 and wrong is None:
        # Plan files may end in NUL bytes and Ctrl-Z; the readers of other files reject these.
        nul = content.rstrip(b"\0\x1a \t\r\n").find(b"\0")
    is_binary = wrong is not None and text.count("\ufffd") > _LARGEST_SHARE * len(content)
    if not kind and nul < 0 and not is_binary:
        return
    at = 0 if kind else min(each for each in (nul, wrong) if each is not None and each >= 0)
    start = content.rfind(b"\n", 0, at) + 1
    column = len(content[start:at].decode("utf-8", errors="replace")) + 1
    line = content.count(b"\n", 0, at) + 1
    raise InputError(no_text(content[at], kind), file=file, line=line, column=column)


def read_file(path: str | os.PathLike[str]) -> str:
    """Return the content of a text file, or of standard input for ``-``, without a byte order mark.

    Bytes that are not UTF-8 become a character that names cannot have; in comments, they are
    harmless.

    Raises:
        InputError: the file cannot be read, or is binary.
    """
    if os.fspath(path) == "-":
        return text_of(standard_input().read(), "-")
    try:
        # Importing pathlib takes a tenth of the time of a small `validate`.
        with open(path, "rb") as file:  # noqa: PTH123
            content = joined(iter(partial(file.read, _PART), b""), os.fspath(path))
    except (OSError, ValueError) as error:
        # ValueError: the path has a character that file names cannot have.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", file=os.fspath(path)) from error
    return text_of(content, os.fspath(path))
