"""The limits of one attempt of a planner."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pddl_pipeline.model.errors import InputError

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
        for limit in (self.time_s, self.memory_bytes, self.cpu_s):
            if limit is not None and not 0 < limit < math.inf:
                raise InputError("time and memory limits must be positive and finite")
        if not isinstance(self.memory_bytes, int):
            raise InputError("the memory limit must be a whole number of bytes")


def check_limits(limits: Limits | None) -> Limits:
    """Return the limits, or the default limits for None.

    Raises:
        TypeError: ``limits`` has a different type.
    """
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        found = type(limits).__name__
        raise TypeError(f"limits: found {found}, expected Limits, such as Limits(time_s=60)")
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
