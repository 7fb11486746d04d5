"""Limits on memory, files and CPU time, which a sandboxed process cannot raise."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.io.platform import resource

FILE_BYTES: Final = 2**24
"""Largest file."""
_OPEN_FILES: Final = 64
# The checker ends calls after seconds; this ends what the checker does not end.
_CPU_S: Final = 24 * 3600


def limit_resources(memory_bytes: int, *, processes: bool) -> None:
    """Limit this process.

    Args:
        memory_bytes: address space.
        processes: whether to allow no other process or thread. The kernel ignores it for root,
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
