"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile

from pddl_pipeline.model.errors import InputError


def write_file(path: Path, text: str) -> None:
    """Write a text file; readers see the old content or the new, never a part.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}-", delete=False
        ) as draft:
            draft.write(text)
        Path(draft.name).chmod(0o644)
        Path(draft.name).replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from error
