"""Privileges: this process gives up root's, and can gain none.

Sources: capabilities(7), capset(2), and the kernel's Documentation/userspace-api/no_new_privs.rst.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Final

from pddl_pipeline.planners.sandbox.kernel.system_call import checked, control_process, library

_NO_NEW_PRIVS: Final = 38
_VERSION_3: Final = 0x20080522
# Root keeps reading what other users installed; Landlock decides which files.
_DAC_READ_SEARCH: Final = 1 << 2


def give_up_privileges() -> None:
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
