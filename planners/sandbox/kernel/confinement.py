"""Puts this process into the sandbox, before it runs code of others.

Sources for its privileges: capabilities(7), capset(2), and the kernel's
Documentation/userspace-api/no_new_privs.rst.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from pathlib import Path
from typing import Final

from pddl_pipeline.io.platform import resource
from pddl_pipeline.planners.sandbox.kernel.landlock import restrict_files
from pddl_pipeline.planners.sandbox.kernel.protections import Protections, protections
from pddl_pipeline.planners.sandbox.kernel.python_files import python_files
from pddl_pipeline.planners.sandbox.kernel.seccomp import restrict_calls
from pddl_pipeline.planners.sandbox.kernel.system_call import checked, control_process, library

FILE_BYTES: Final = 2**24
"""Largest file."""
_OPEN_FILES: Final = 64
# The checker ends calls after seconds; this ends what the checker does not end.
_CPU_S: Final = 24 * 3600
_NO_NEW_PRIVS: Final = 38
_VERSION_3: Final = 0x20080522
# Root keeps reading what other users installed; Landlock decides which files.
_DAC_READ_SEARCH: Final = 1 << 2


def confine(folder: Path, memory_bytes: int) -> Protections:
    """Restrict this process with all that the kernel has; nothing reverts it.

    It must have no other threads. Its open files stay usable.

    Args:
        folder: the only folder in which it may write, if the kernel can confine writing.
        memory_bytes: limit of its address space.

    Returns:
        The parts of the sandbox that are in force.

    Raises:
        OSError: the kernel refuses a part that it has.
    """
    found = protections()
    _limit_resources(memory_bytes, processes=found.architecture is not None)
    if sys.platform == "linux":
        _give_up_privileges()
    if found.landlock:
        restrict_files(found.landlock, python_files(), folder if found.writing else None)
    if found.architecture is not None:
        restrict_calls(found.architecture, writing=found.writing)
    return found


def _limit_resources(memory_bytes: int, *, processes: bool) -> None:
    """Limit this process, irrevocably.

    Without `processes`, it may start no other process or thread. The kernel ignores it for root,
    and it counts all processes of the user, so any other number would mean little.
    """
    limits = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: _CPU_S,
    }
    if not processes:
        limits[resource.RLIMIT_NPROC] = 0
    for kind, wanted in limits.items():
        _, most = resource.getrlimit(kind)
        value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(kind, (value, value))


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
