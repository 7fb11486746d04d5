"""System calls for which Python has no function."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any


def system_call(number: int, *arguments: Any) -> int:
    """Make a system call, and return its result.

    Args:
        number: number of the call on this architecture.
        arguments: integers, None for a null pointer, or values of `ctypes`.

    Raises:
        OSError: the kernel refuses, or this is not Linux.
    """
    words = (ctypes.c_long(a or 0) if isinstance(a, int | None) else a for a in arguments)
    return checked(library().syscall(ctypes.c_long(number), *words))


def control_process(option: int, value: int, *others: int) -> int:
    """Call ``prctl(2)``, and return its result.

    Raises:
        OSError: the kernel refuses, or this is not Linux.
    """
    words = (ctypes.c_ulong(word) for word in (value, *others, 0, 0, 0)[:4])
    return checked(library().prctl(ctypes.c_int(option), *words))


def checked(result: int) -> int:
    """Return the result of a function of the C library.

    Raises:
        OSError: the result is -1.
    """
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(result)


@cache
def library() -> ctypes.CDLL:
    """Return the C library; its functions set the error number that `ctypes.get_errno` returns."""
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library
