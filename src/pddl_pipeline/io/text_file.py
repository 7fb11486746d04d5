"""Read complete text files."""

from __future__ import annotations

import os

from pddl_pipeline.io.binary_data import text_of
from pddl_pipeline.model.errors import InputError


def read_file(path: str | os.PathLike[str]) -> str:
    """Return the content of a text file, or of standard input for ``-``, without a byte order mark.

    Bytes that are not UTF-8 become a character that names cannot have; in comments, they are
    harmless.

    Raises:
        InputError: the file cannot be read, or is binary.
    """
    if os.fspath(path) == "-":
        from pddl_pipeline.io.standard_streams import standard_input  # noqa: PLC0415 -- rare

        return text_of(standard_input().read(), "-")
    try:
        # Importing pathlib takes a tenth of the time of a small `validate`.
        with open(path, "rb") as file:  # noqa: PTH123
            content = file.read()
    except (OSError, ValueError) as error:
        # ValueError: the path has a character that file names cannot have.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", file=os.fspath(path)) from error
    return text_of(content, os.fspath(path))
