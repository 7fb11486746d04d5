"""The processes of a test, found by their working directory."""

from __future__ import annotations

from pathlib import Path

import psutil


def is_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return str(folder) in " ".join([process.cwd(), *process.cmdline()])
    except psutil.Error:
        return False
