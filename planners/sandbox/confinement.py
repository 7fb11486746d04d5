"""Puts a process into the sandbox before it runs code of others.

- Landlock: the process may open only the files that it needs, and write only in one folder. Source:
  the kernel's Documentation/userspace-api/landlock.rst and ``linux/landlock.h``. A newer version of
  the interface knows more rights, and rights that it does not know must not be requested.
- Seccomp: the kernel refuses system calls that are not on a list. Sources: the kernel's
  Documentation/userspace-api/seccomp_filter.rst, ``linux/seccomp.h``, ``linux/filter.h`` and
  ``linux/audit.h``; seccomp(2). Numbers: ``arch/x86/entry/syscalls/syscall_64.tbl`` and
  ``include/uapi/asm-generic/unistd.h``. They never change. A call that an architecture lacks has no
  number there.
- Privileges. Sources: capabilities(7), capset(2), and the kernel's
  Documentation/userspace-api/no_new_privs.rst.

The list of system calls is what Python, NumPy, files that are open and threads need. All other
calls are refused: those that start or inspect processes, send signals, open sockets, change the
owner, mode, times, name or place of files, remove them, lock them, mount, load, trace, change
limits, users, namespaces or the clock, share memory, or wait for events of other kinds.

The process must not know this package, so this module imports nothing of it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import site
import stat
import struct
import sys
import sysconfig
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple


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


# The same numbers on all architectures.
_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1

_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_MAKE_FILE: Final = 1 << 8
_TRUNCATE: Final = 1 << 14
# Version 1 knows the rights of bits 0 to 12; a later one adds REFER, TRUNCATE and IOCTL_DEV.
_FILES: Final = {1: (1 << 13) - 1, 2: 1 << 13, 3: _TRUNCATE, 5: 1 << 15}
_NETWORK: Final = {4: 0b11}
"""TCP: bind and connect."""
_SCOPES: Final = {6: 0b11}
"""Abstract Unix sockets and signals: only within the sandbox."""
TRUNCATION_VERSION: Final = 3
"""First version that also decides about shortening a file; earlier ones leave a gap there."""


def landlock_version() -> int:
    """Return the version of Landlock's interface in this kernel; 0 if Landlock is not usable."""
    try:
        return system_call(_CREATE_RULESET, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict_files(
    version: int, readable: Iterable[str], writable: Path | None, hidden: Collection[str] = ()
) -> None:
    """Restrict this thread, and the threads and processes that it will start, irrevocably.

    Args:
        version: what `landlock_version` returned, at least 1.
        readable: files and folders that may be read; those that do not exist are skipped.
        writable: folder in which files may also be created and written, but not removed; None for
            no folder. It is readable.
        hidden: real paths of what may not be read in the readable folders, apart from names.

    Raises:
        OSError: the kernel refuses.
    """
    files, network, scopes = (
        sum(bits for since, bits in rights.items() if since <= version)
        for rights in (_FILES, _NETWORK, _SCOPES)
    )
    attributes = struct.pack("=QQQ", files, network, scopes)
    ruleset = system_call(
        _CREATE_RULESET, ctypes.c_char_p(attributes), ctypes.c_size_t(len(attributes)), 0
    )
    for path in readable:
        # Python lists a folder to find a module, and this right covers all folders below.
        _allow(ruleset, path, files & _READ_DIR)
        for part in _shown(os.path.realpath(path), hidden):
            _allow(ruleset, part, files & (_READ_FILE | _READ_DIR))
    _allow(ruleset, os.devnull, files & (_READ_FILE | _WRITE_FILE | _TRUNCATE))
    if writable is not None:
        rights = _READ_FILE | _READ_DIR | _WRITE_FILE | _MAKE_FILE | _TRUNCATE
        _allow(ruleset, os.fspath(writable), files & rights)
    system_call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _shown(path: str, hidden: Collection[str]) -> Iterator[str]:
    """Yield the largest parts of a tree that contain nothing hidden: Landlock only allows."""
    if not any(f"{each}/".startswith(f"{path}/") for each in hidden):
        yield path
    elif path not in hidden:
        with os.scandir(path) as entries:
            for entry in entries:
                if not entry.is_symlink():
                    yield from _shown(entry.path, hidden)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Allow rights on a file, or on a folder and all below it."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        # What cannot be reached cannot be read either.
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= _READ_FILE | _WRITE_FILE | _TRUNCATE
        if rights:
            rule = struct.pack("=Qi", rights, handle)
            system_call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.c_char_p(rule), 0)
    finally:
        os.close(handle)


_X86_64: Final = """
read 0 write 1 close 3 fstat 5 lseek 8 mmap 9 munmap 11 mprotect 10 brk 12 futex 202
rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15 rt_sigpending 127 rt_sigsuspend 130
rt_sigtimedwait 128 sigaltstack 131 pread64 17 pwrite64 18 readv 19 writev 20 access 21
madvise 28 mremap 25 dup 32 dup2 33 dup3 292 stat 4 lstat 6 newfstatat 262 statx 332
faccessat 269 faccessat2 439 readlink 89 readlinkat 267 getdents64 217 getcwd 79 ftruncate 77
fsync 74 fdatasync 75 poll 7 ppoll 271 select 23 pselect6 270 sched_yield 24
sched_getaffinity 204 getcpu 309 nanosleep 35 clock_nanosleep 230 clock_gettime 228
clock_getres 229 gettimeofday 96 time 201 times 100 getitimer 36 setitimer 38 alarm 37 pause 34
restart_syscall 219 getpid 39 getppid 110 gettid 186 getuid 102 geteuid 107 getgid 104
getegid 108 getpgrp 111 uname 63 sysinfo 99 getrusage 98 getrlimit 97 getrandom 318
set_robust_list 273 set_tid_address 218 rseq 334 membarrier 324 exit 60 exit_group 231
close_range 436 open 2 openat 257 fcntl 72 ioctl 16 prctl 157 prlimit64 302 clone 56 kill 62
tgkill 234
"""
_AARCH64: Final = """
read 63 write 64 close 57 fstat 80 lseek 62 mmap 222 munmap 215 mprotect 226 brk 214 futex 98
rt_sigaction 134 rt_sigprocmask 135 rt_sigreturn 139 rt_sigpending 136 rt_sigsuspend 133
rt_sigtimedwait 137 sigaltstack 132 pread64 67 pwrite64 68 readv 65 writev 66 madvise 233
mremap 216 dup 23 dup3 24 newfstatat 79 statx 291 faccessat 48 faccessat2 439 readlinkat 78
getdents64 61 getcwd 17 ftruncate 46 fsync 82 fdatasync 83 ppoll 73 pselect6 72 sched_yield 124
sched_getaffinity 123 getcpu 168 nanosleep 101 clock_nanosleep 115 clock_gettime 113
clock_getres 114 gettimeofday 169 times 153 getitimer 102 setitimer 103 restart_syscall 128
getpid 172 getppid 173 gettid 178 getuid 174 geteuid 175 getgid 176 getegid 177 uname 160
sysinfo 179 getrusage 165 getrlimit 163 getrandom 278 set_robust_list 99 set_tid_address 96
rseq 293 membarrier 283 exit 93 exit_group 94 close_range 436 openat 56 fcntl 25 ioctl 29
prctl 167 prlimit64 261 clone 220 kill 129 tgkill 131
"""


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


NUMBERS: Final = {"x86_64": _numbers(_X86_64), "aarch64": _numbers(_AARCH64)}
"""Numbers of the allowed system calls, by architecture and name."""
INSTALL: Final = {"x86_64": 317, "aarch64": 277}
"""Number of ``seccomp(2)``, by architecture."""
FIRST_RECENT: Final = 424
"""From this number on, all architectures have the same numbers. Calls from here on, such as
``clone3`` and ``openat2``, are so new that libraries fall back to older ones without them."""


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


_SYSTEM: Final = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
    "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/dev/zero",
    "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage",
)  # fmt: skip
_LIBRARY: Final = re.compile(r"(/.*)/[^/]+\.so[^/]*$")


def python_files() -> list[str]:
    """Return files and folders that Python reads when it imports installed packages.

    Packages that are installed in editable form are elsewhere, and not among them.
    """
    paths = sysconfig.get_paths()
    packages = [
        *site.getsitepackages(),
        *([site.getusersitepackages()] * bool(site.ENABLE_USER_SITE)),
    ]
    libraries = sysconfig.get_config_var("LIBDIR")
    found = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    found += [*packages, *filter(None, [libraries]), *_loaded(), *_SYSTEM]
    return [*dict.fromkeys(found)]


def _copies(folder: str) -> list[str]:
    """Return what belongs to this package in a folder of packages, or in one above it."""
    names = ("*ddl?pipeline*", "*-packages/*ddl?pipeline*", "python3*/*-packages/*ddl?pipeline*")
    return [str(found) for name in names for found in Path(folder).glob(name)]


def _loaded() -> list[str]:
    """Return the folders of the shared libraries of this process, wherever they are."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape")
    paths = (line.split(maxsplit=5)[-1] for line in lines.splitlines())
    return [match[1] for match in map(_LIBRARY.match, paths) if match]


class Protections(NamedTuple):
    """The parts of the sandbox that the kernel has."""

    landlock: int
    """Version of Landlock's interface; 0 without Landlock."""
    architecture: str | None
    """Architecture of the seccomp filter; None without seccomp, or on another architecture."""

    @property
    def writing(self) -> bool:
        """Whether the kernel can confine writing to one folder; else nothing may be written."""
        return self.landlock >= TRUNCATION_VERSION

    def missing(self) -> list[str]:
        """Return the missing parts, each with its consequence; empty if nothing is missing."""
        found = []
        if not self.landlock:
            found.append(
                "without Landlock, it can read every file that you can read, solutions included"
            )
        if self.architecture is None:
            can = "start processes, use the network and send signals"
            changed = " and change files" if not self.writing else ""
            found.append(f"without seccomp, it can {can}{changed}")
        return found


def protections() -> Protections:
    """Return the parts of the sandbox that this machine's kernel has."""
    return Protections(landlock_version(), usable_architecture())


_NO_NEW_PRIVS: Final = 38
_VERSION_3: Final = 0x20080522
# Root keeps reading what other users installed; Landlock decides which files.
_DAC_READ_SEARCH: Final = 1 << 2


def confine(folder: Path, package: str) -> Protections:
    """Restrict this process with all that the kernel has; nothing reverts it.

    It must have no other threads. Its open files stay usable.

    Args:
        folder: the only folder in which it may write, if the kernel can confine writing.
        package: folder that it may not read, with every other copy of this package.

    Returns:
        The parts of the sandbox that are in force.

    Raises:
        OSError: the kernel refuses a part that it has.
    """
    found = protections()
    if sys.platform == "linux":
        _give_up_privileges()
    if found.landlock:
        readable = python_files()
        hidden = [package, *chain.from_iterable(map(_copies, map(os.path.realpath, readable)))]
        restrict_files(found.landlock, readable, folder if found.writing else None, hidden)
    if found.architecture is not None:
        restrict_calls(found.architecture, writing=found.writing)
    return found


def _give_up_privileges() -> None:
    """Give up all capabilities but that of reading files, and the right to gain others.

    Raises:
        OSError: the kernel refuses, or this is not Linux.
    """
    control_process(_NO_NEW_PRIVS, 1)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _VERSION_3, 0))
    data = ctypes.create_string_buffer(24)
    checked(library().capget(header, data))
    effective, permitted, *_ = struct.unpack("=6I", data.raw[:24])
    kept = effective & permitted & _DAC_READ_SEARCH
    checked(library().capset(header, struct.pack("=6I", kept, kept, 0, 0, 0, 0)))
