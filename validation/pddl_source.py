"""The forms in which a caller can pass PDDL: a path, or the text itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pddl_pipeline.io.text_file import read_file

if TYPE_CHECKING:
    from pathlib import Path


def read_pddl(source: str | Path, kind: str) -> tuple[str, str]:
    """Return a PDDL text and its name for messages, from a path or the text itself.

    Raises:
        InputError: the file cannot be read.
        TypeError: ``source`` is neither a string nor a path.
    """
    if not isinstance(source, (str, os.PathLike)):
        found = type(source).__name__
        raise TypeError(f"{kind}: found {found}, expected a path or PDDL text")
    if isinstance(source, str) and ("(" in source or not source.strip()):
        return source, f"<{kind}>"
    return read_file(source), str(source)
