"""Text files that are read as a whole."""

from __future__ import annotations

import os

from pddl_pipeline.model.errors import InputError


def read_file(path: str | os.PathLike[str]) -> str:
    """Return a text file's content without a byte order mark.

    Bytes that are not UTF-8 become a sign that no name may have: in a comment they do no harm.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        # pathlib takes a tenth of a small `validate` to import.
        with open(path, "rb") as file:  # noqa: PTH123
            return decode_text(file.read())
    except (OSError, ValueError) as error:
        # ValueError: a path with a character that no file name has.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", file=os.fspath(path)) from error


def decode_text(content: bytes) -> str:
    """Return the text of a file; see `read_file`."""
    return content.decode("utf-8", errors="replace").removeprefix("\ufeff")
