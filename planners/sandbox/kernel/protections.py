"""The parts of the sandbox that this machine's kernel has."""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.planners.sandbox.kernel.landlock import TRUNCATION_VERSION, landlock_version
from pddl_pipeline.planners.sandbox.kernel.seccomp import usable_architecture


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
            found.append("without Landlock, it can read every file that you can read")
        if self.architecture is None:
            can = "start processes, use the network and send signals"
            changed = " and change files" if not self.writing else ""
            found.append(f"without seccomp, it can {can}{changed}")
        return found


def protections() -> Protections:
    """Return the parts of the sandbox that this machine's kernel has."""
    return Protections(landlock_version(), usable_architecture())
