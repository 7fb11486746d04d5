"""Recognise binary data where text is expected."""

from __future__ import annotations

import codecs
from typing import Final

from pddl_pipeline.model.errors import InputError

_KINDS: Final = (
    (b"\x1f\x8b", "gzip data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)
_LARGEST_SHARE: Final = 0.3
"""Largest share of bytes that are not UTF-8 in a text, such as one with comments in Latin-1."""


def check_text(content: bytes, file: str) -> None:
    """Check that the content of a file, or its beginning, is text.

    Text has no NUL byte, and most of it is UTF-8: a single byte that is not is for the caller.

    Raises:
        InputError: the content is binary.
    """
    kind = next((name for start, name in _KINDS if content.startswith(start)), None)
    at = _first_undecodable(content) if kind is None else 0
    if kind is None:
        nul = content.find(b"\0")
        if nul < 0 and (at < 0 or not _is_mostly_undecodable(content)):
            return
        at = min(place for place in (nul, at) if place >= 0)
    found = f"{kind or 'binary data'} (byte 0x{content[at]:02x} at offset {at})"
    raise InputError(f"expected UTF-8 text, found {found}", file=file)


def _first_undecodable(content: bytes) -> int:
    """Return the index of the first byte that is not UTF-8, or -1; the end may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError as error:
        return error.start
    return -1


def _is_mostly_undecodable(content: bytes) -> bool:
    wrong = content.decode("utf-8", errors="replace").count("\ufffd")
    return wrong > _LARGEST_SHARE * len(content)
