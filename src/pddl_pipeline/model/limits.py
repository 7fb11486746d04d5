"""The limits of an attempt, its cores, and limits and ranges as users write them."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Final

from pddl_pipeline.model.errors import InputError, check_type

_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
_BYTES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one attempt. They apply to the planner and all processes that it starts."""

    time_s: float = 1800.0
    """Wall-clock seconds, counted from when the planner starts to read the problem."""
    memory_bytes: int = int(3.5 * 2**30)
    """Resident memory of all processes of the attempt together, in bytes."""
    cpu_s: float | None = None
    """CPU seconds of all processes of the attempt together; None for no limit but the time."""
    core: int | None = None
    """The core that all processes of the attempt share; None for all cores. Linux only."""

    def __post_init__(self) -> None:
        check_type("time_s", self.time_s, Real, "seconds such as 60")
        check_type("memory_bytes", self.memory_bytes, int, "a whole number of bytes")
        check_type("cpu_s", self.cpu_s, Real | None, "seconds such as 60, or None")
        check_type("core", self.core, int | None, "the number of a core, or None")
        for limit in (self.time_s, self.memory_bytes, self.cpu_s):
            if limit is not None and not 0 < limit < math.inf:
                raise InputError("time and memory limits must be positive and finite")


def check_limits(limits: Limits | None) -> Limits:
    """Return the limits, or the default limits for None.

    Raises:
        TypeError: ``limits`` has a different type.
    """
    if limits is None:
        return Limits()
    check_type("limits", limits, Limits, "Limits, such as Limits(time_s=60)")
    return limits


def parse_duration(text: str) -> float:
    """Return the seconds of a duration such as ``30m``, ``90``, ``1.5h`` or ``10s``.

    Raises:
        InputError: the text is not a duration, or the duration is zero.
    """
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smh]?)", text.strip())
    if match is None or float(match[1]) == 0:
        raise InputError(f"'{text}' is not a duration; expected one such as 30m, 90s or 1.5h")
    return float(match[1]) * _SECONDS[match[2]]


def parse_size(text: str) -> int:
    """Return the bytes of a memory size such as ``3.5G`` or ``512M``; ``G`` is 2^30 bytes.

    Raises:
        InputError: the text is not a memory size, or the size is zero.
    """
    match = re.fullmatch(
        r"(\d{1,15}(?:\.\d{1,9})?)([KMG]?)", text.strip().upper().removesuffix("B")
    )
    if match is None or float(match[1]) == 0:
        raise InputError(f"'{text}' is not a memory size; expected one such as 3.5G or 512M")
    return int(float(match[1]) * _BYTES[match[2]])


def parse_range(text: str) -> range:
    """Return the range of a text such as ``7`` or ``4-10``, which includes both ends.

    Raises:
        InputError: the text is not a range, or the range is empty.
    """
    match = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise InputError(f"'{text}' is not a range; expected one such as 7 or 4-10")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def parse_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a text of numbers and ranges such as ``6,9,14`` or ``4-10,20``.

    The numbers are in ascending order, each once.

    Raises:
        InputError: a part of the text is not a range, or the range is empty.
    """
    return tuple(sorted({number for part in text.split(",") for number in parse_range(part)}))


def numbers_text(numbers: Iterable[int]) -> str:
    """Return ascending numbers in the shortest form that `parse_numbers` reads."""
    runs: list[range] = []
    for number in numbers:
        if runs and number == runs[-1].stop:
            runs[-1] = range(runs[-1].start, number + 1)
        else:
            runs.append(range(number, number + 1))
    return ",".join(map(range_text, runs))


def range_text(values: range) -> str:
    """Return a range in the form that `parse_range` reads."""
    return str(values[0]) if len(values) == 1 else f"{values[0]}-{values[-1]}"


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
        # 0 for the first logical core of each physical one, 1 for the second.
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
