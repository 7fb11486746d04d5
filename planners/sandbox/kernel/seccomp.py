"""A seccomp filter: the kernel refuses system calls that are not on a list.

Sources: the kernel's Documentation/userspace-api/seccomp_filter.rst, ``linux/seccomp.h``,
``linux/filter.h`` and ``linux/audit.h``; seccomp(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterator
from typing import Final, NamedTuple

from pddl_pipeline.planners.sandbox.kernel.syscall_table import FIRST_RECENT, INSTALL, NUMBERS
from pddl_pipeline.planners.sandbox.kernel.system_call import system_call

_SET_MODE_FILTER: Final = 1
_GET_ACTION_AVAIL: Final = 2
_ALL_THREADS: Final = 1

_KILL_PROCESS: Final = 0x80000000
_ERRNO: Final = 0x00050000
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = _ERRNO | errno.EPERM
_UNKNOWN: Final = _ERRNO | errno.ENOSYS

# Instructions of the kernel's classic BPF.
_LOAD: Final = 0x20
_AND: Final = 0x54
_JUMP_EQUAL: Final = 0x15
_JUMP_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06
# Offsets in ``struct seccomp_data``.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
_ARGUMENTS: Final = 16

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# The x32 ABI uses the architecture of x86_64, and numbers from here on.
_X32: Final = 0x40000000

# Threads share memory, signal handlers and number of their process (clone(2)).
_THREAD: Final = 0x00000100 | 0x00000800 | 0x00010000
# CLONE_PTRACE, CLONE_VFORK, CLONE_PARENT, and all namespaces.
_NO_THREAD: Final = 0x00002000 | 0x00004000 | 0x00008000 | 0x00020000 | 0x7E000000
_TEMPORARY: Final = 0o20000000  # an unnamed file would escape the limit on the folder's size
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
# Duplicate, flags, and the size of a pipe; not owners, signals, leases, locks and seals.
_FCNTL: Final = (0, 1, 2, 3, 4, 1030, 1032)
# Questions about terminals (TCGETS, TIOCGWINSZ, FIONREAD, TCGETS2), and close-on-exec.
_IOCTL: Final = (0x5401, 0x5413, 0x541B, 0x802C542A, 0x5450, 0x5451)
_PRCTL: Final = (15, 16)  # set and get the name of a thread


class Condition(NamedTuple):
    """What an argument of an allowed system call must be."""

    argument: int
    """Position of the argument, from 0. The kernel reads its lower 32 bits."""
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    """Bits that are compared."""


def usable_architecture() -> str | None:
    """Return this machine's architecture if there is a filter for it and the kernel takes it."""
    name = os.uname().machine
    if sys.platform != "linux" or sys.maxsize < 2**32 or name not in NUMBERS:
        return None
    try:
        for action in (_KILL_PROCESS, _REFUSE & ~0xFFFF):
            wanted = ctypes.c_uint32(action)
            system_call(INSTALL[name], _GET_ACTION_AVAIL, 0, ctypes.byref(wanted))
    except OSError:
        return None
    return name


def restrict_calls(architecture: str, *, writing: bool) -> None:
    """Restrict the system calls of this process and its threads, irrevocably.

    A refused call fails with EPERM, and a call that old kernels do not know with ENOSYS. A call in
    another ABI of the machine kills the process.

    Args:
        architecture: what `usable_architecture` returned.
        writing: whether files may be opened for writing; else no system call writes a file.

    Raises:
        OSError: the kernel refuses, for example because no_new_privs is not set.
    """
    conditions = _conditions(os.getpid(), writing=writing)
    program = filter_program(architecture, NUMBERS[architecture], conditions)
    install(architecture, program)


def install(architecture: str, program: bytes) -> None:
    """Install a filter program for all threads of this process.

    Raises:
        OSError: the kernel refuses.
    """
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    thread = system_call(
        INSTALL[architecture], _SET_MODE_FILTER, _ALL_THREADS, ctypes.c_char_p(header)
    )
    if thread != 0:
        raise OSError(errno.EAGAIN, f"thread {thread} has another seccomp filter")


def _conditions(process: int, *, writing: bool) -> dict[str, Condition]:
    forbidden = _TEMPORARY | (0 if writing else _WRITING)
    return {
        "open": Condition(1, (0,), forbidden),
        "openat": Condition(2, (0,), forbidden),
        "fcntl": Condition(1, _FCNTL),
        "ioctl": Condition(1, _IOCTL),
        "prctl": Condition(0, _PRCTL),
        # Its own limits, which it cannot raise.
        "prlimit64": Condition(0, (0,)),
        "clone": Condition(0, (_THREAD,), _THREAD | _NO_THREAD),
        "kill": Condition(0, (process,)),
        "tgkill": Condition(0, (process,)),
    }


def filter_program(
    architecture: str, allowed: dict[str, int], conditions: dict[str, Condition]
) -> bytes:
    """Return the filter as a BPF program.

    Args:
        architecture: ``x86_64`` or ``aarch64``.
        allowed: numbers of the allowed system calls, by name.
        conditions: what arguments of some of them must be, by name.
    """
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_JUMP_EQUAL, _ARCHITECTURES[architecture], 1, 0),
        _line(_RETURN, _KILL_PROCESS),
        _line(_LOAD, _NUMBER),
    ]
    if architecture == "x86_64":
        lines += [_line(_JUMP_AT_LEAST, _X32, 0, 1), _line(_RETURN, _KILL_PROCESS)]
    for name, number in allowed.items():
        decision = [*_decision(conditions.get(name))]
        lines += [_line(_JUMP_EQUAL, number, 0, len(decision)), *decision]
    lines += [
        _line(_JUMP_AT_LEAST, FIRST_RECENT, 0, 1),
        _line(_RETURN, _UNKNOWN),
        _line(_RETURN, _REFUSE),
    ]
    return b"".join(lines)


def _decision(condition: Condition | None) -> Iterator[bytes]:
    if condition is None:
        yield _line(_RETURN, _ALLOW)
        return
    yield _line(_LOAD, _ARGUMENTS + 8 * condition.argument)
    yield _line(_AND, condition.mask)
    for value in condition.values:
        yield _line(_JUMP_EQUAL, value, 0, 1)
        yield _line(_RETURN, _ALLOW)
    yield _line(_RETURN, _REFUSE)


def _line(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)
