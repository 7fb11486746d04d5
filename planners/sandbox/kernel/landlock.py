"""Landlock: this process may open only the files that it needs, and write only in one folder.

Source: the kernel's documentation of Landlock (Documentation/userspace-api/landlock.rst) and its
header ``linux/landlock.h``. The kernel numbers the versions of the interface; a newer version knows
more rights, and rights that it does not know must not be requested.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pddl_pipeline.planners.sandbox.kernel.system_call import system_call

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


def restrict_files(version: int, readable: Iterable[str], writable: Path | None) -> None:
    """Restrict this thread, and the threads and processes that it will start, irrevocably.

    Args:
        version: what `landlock_version` returned, at least 1.
        readable: files and folders that may be read; those that do not exist are skipped.
        writable: folder in which files may also be created and written, but not removed; None for
            no folder. It is readable.

    Raises:
        OSError: the kernel refuses.
    """
    files, network, scopes = (_known(rights, version) for rights in (_FILES, _NETWORK, _SCOPES))
    attributes = struct.pack("=QQQ", files, network, scopes)
    ruleset = system_call(
        _CREATE_RULESET, ctypes.c_char_p(attributes), ctypes.c_size_t(len(attributes)), 0
    )
    for path in readable:
        _allow(ruleset, path, files & (_READ_FILE | _READ_DIR))
    _allow(ruleset, os.devnull, files & (_READ_FILE | _WRITE_FILE | _TRUNCATE))
    if writable is not None:
        rights = _READ_FILE | _READ_DIR | _WRITE_FILE | _MAKE_FILE | _TRUNCATE
        _allow(ruleset, os.fspath(writable), files & rights)
    system_call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _known(rights: dict[int, int], version: int) -> int:
    found = 0
    for since, bits in rights.items():
        if since <= version:
            found |= bits
    return found


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
        rule = struct.pack("=Qi", rights, handle)
        system_call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.c_char_p(rule), 0)
    finally:
        os.close(handle)
