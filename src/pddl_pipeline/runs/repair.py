"""Move the damaged lines of a run store to another file."""

from __future__ import annotations

from collections.abc import Callable
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from typing import NamedTuple, cast

from pddl_pipeline.io.files import remove_drafts, writing


class Moved(NamedTuple):
    """The damaged lines that were moved."""

    lines: int
    """Their number."""
    file: Path
    """The file that now contains them, byte for byte."""


def move_damaged_lines(file: Path, is_damaged: Callable[[bytes], bool]) -> Moved | None:
    """Move the damaged lines of a file to a new file beside it; return None if there are none.

    No other process may write to the file. The new file is complete before the lines are removed,
    so that nothing is lost if the process is killed in between.

    Raises:
        InputError: a file cannot be written; the lines are where they were.
    """
    with file.open("rb") as lines:
        damaged = {number for number, line in enumerate(lines) if is_damaged(line)}
    if not damaged:
        return None
    names = (file.with_name(f"{file.stem}.damaged-{n}{file.suffix}") for n in count(1))
    target = next(name for name in names if not name.exists())
    for each in (target, file):
        remove_drafts(each)
    _copy(file, target, damaged.__contains__)
    _copy(file, file, lambda number: number not in damaged)
    return Moved(len(damaged), target)


def _copy(source: Path, target: Path, is_wanted: Callable[[int], bool]) -> None:
    """Write the wanted lines of a file to another, or to itself; lines are counted from 0."""
    with source.open("rb") as lines, writing(target, durable=True) as stream:
        raw = cast("TextIOWrapper", stream).buffer
        for number, line in enumerate(lines):
            if is_wanted(number):
                raw.write(line)
