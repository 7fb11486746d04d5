"""Replace lines of a run store, and keep the old ones in another file."""

from __future__ import annotations

from collections.abc import Callable
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from typing import NamedTuple, cast

from pddl_pipeline.io.files import remove_drafts, writing


class Replaced(NamedTuple):
    """The old lines that were replaced or removed."""

    lines: int
    """Their number."""
    file: Path
    """The file that now contains them, byte for byte."""


def replace_lines(
    file: Path,
    kind: str,
    is_wanted: Callable[[bytes], bool],
    new: Callable[[bytes], bytes] = lambda _: b"",
) -> Replaced | None:
    """Replace lines of a file; return None if there are none.

    No other process may write to the file. The old lines are complete in a new file beside it
    before the file changes, as a whole. If the process is killed at any moment, nothing is lost.

    Args:
        file: the file.
        kind: a word for the name of the new file, such as ``damaged``.
        is_wanted: whether a line is to be replaced.
        new: returns what replaces a line. The same line leaves it as it is.

    Raises:
        InputError: a file cannot be written; the lines are where they were.
    """
    with file.open("rb") as lines:
        wanted = {number for number, line in enumerate(lines) if is_wanted(line)}
    if not wanted:
        return None
    names = (file.with_name(f"{file.stem}.{kind}-{n}{file.suffix}") for n in count(1))
    target = next(name for name in names if not name.exists())
    for each in (target, file):
        remove_drafts(each)
    replaced = 0
    # The target is inside, so that it is complete before the file is replaced.
    with (
        file.open("rb") as lines,
        writing(file, durable=True) as changed,
        writing(target, durable=True) as kept,
    ):
        for number, line in enumerate(lines):
            content = new(line) if number in wanted else line
            cast("TextIOWrapper", changed).buffer.write(content)
            if content != line:
                cast("TextIOWrapper", kept).buffer.write(line)
                replaced += 1
    if not replaced:
        target.unlink()
        return None
    return Replaced(replaced, target)
