"""The cores of this machine."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Final

from pddl_pipeline.model.errors import InputError

_TOPOLOGY: Final = Path("/sys/devices/system/cpu")


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    # Some systems cannot restrict a process to a part of the cores.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def separate_cores(number: int) -> list[int]:
    """Return the numbers of cores for attempts that must not share one.

    Different physical cores come first, since two logical cores of a physical one slow each other
    down.

    Raises:
        InputError: this process may use fewer cores, or the system is not Linux.
    """
    if not hasattr(os, "sched_setaffinity"):
        raise InputError("pinning attempts to cores requires Linux")
    seen = Counter[str]()
    ranked = []
    for core in sorted(os.sched_getaffinity(0)):
        physical = _physical(core)
        ranked.append((seen[physical], core))
        seen[physical] += 1
    if number > len(ranked):
        found = len(ranked)
        raise InputError(
            f"pinning {number} attempts at a time requires {number} cores, found {found}"
        )
    return [core for _, core in sorted(ranked)[:number]]


def _physical(core: int) -> str:
    """Return the logical cores of the same physical core, as the kernel prints them."""
    try:
        place = _TOPOLOGY / f"cpu{core}" / "topology" / "thread_siblings_list"
        return place.read_text(encoding="ascii").strip()
    except OSError:
        return str(core)
