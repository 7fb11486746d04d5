"""The cores of this machine."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    # Some systems cannot restrict a process to a part of the cores.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
