"""Private temporary folders, each used and deleted by one attempt."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

import psutil

from pddl_pipeline.io.platform import fcntl

_PREFIX: Final = "pddl-pipeline-"


@contextmanager
def private_folder() -> Iterator[Path]:
    """Create a folder for temporary files, and delete it afterwards.

    The first call also deletes folders that killed processes left behind.
    """
    _sweep()
    prefix = f"{_PREFIX}{os.getpid()}-"
    with TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield Path(folder)
        finally:
            os.close(handle)


@cache
def _sweep() -> None:
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            with suppress(OSError):
                _remove_if_unlocked(folder)


def _remove_if_unlocked(folder: Path) -> None:
    """Delete a folder unless its process is running on another machine or in another container."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)
