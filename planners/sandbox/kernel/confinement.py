"""Puts this process into the sandbox, before it runs code of others."""

from __future__ import annotations

import sys
from pathlib import Path

from pddl_pipeline.planners.sandbox.kernel.landlock import restrict_files
from pddl_pipeline.planners.sandbox.kernel.privileges import give_up_privileges
from pddl_pipeline.planners.sandbox.kernel.protections import Protections, protections
from pddl_pipeline.planners.sandbox.kernel.python_files import python_files
from pddl_pipeline.planners.sandbox.kernel.resource_limits import limit_resources
from pddl_pipeline.planners.sandbox.kernel.seccomp import restrict_calls


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
    limit_resources(memory_bytes, processes=found.architecture is not None)
    if sys.platform == "linux":
        give_up_privileges()
    if found.landlock:
        restrict_files(found.landlock, python_files(), folder if found.writing else None)
    if found.architecture is not None:
        restrict_calls(found.architecture, writing=found.writing)
    return found
