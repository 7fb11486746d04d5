"""The processes of a test: where they work, and whether they have ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil


def is_in(process: psutil.Process, folder: Path, word: str = "") -> bool:
    """Return whether a process works in a folder or names it, and has a word in its command."""
    try:
        command = " ".join(process.cmdline())
        return str(folder) in f"{process.cwd()} {command}" and word in command
    except psutil.Error:
        return False


def wait_for(condition: Callable[[], object], seconds: float = 200) -> None:
    """Wait until a condition holds; fail after this time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def assert_ended(processes: Iterable[psutil.Process], seconds: float = 30) -> None:
    """Wait until processes have ended. A container may have no process that reaps them."""
    known = list(processes)
    wait_for(lambda: not any(map(_is_alive, known)), seconds)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
