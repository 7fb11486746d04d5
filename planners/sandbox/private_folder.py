"""Folders that only one attempt uses, and that go with it."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

import psutil

_PREFIX: Final = "pddl-pipeline-"


def private_folder() -> TemporaryDirectory[str]:
    """Return a new folder for temporary files, to be used in a ``with`` statement.

    Those of processes that were killed at the very end of an attempt are removed before the first.
    """
    _sweep()
    return TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True)


@cache
def _sweep() -> None:
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
