"""Control groups, version 2: if a cgroup is delegated to this user, the kernel measures the memory.

The kernel's documentation of cgroup v2 describes the files in the sections "Core Interface Files"
and "Memory Interface Files". A group that contains processes cannot enable its memory controller
for its children, so the processes of this program first move into a group below the delegated one.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.sandbox.supervisor import Family, ProcessMeter

_MOUNTS: Final = Path("/proc/self/mounts")
_OWN: Final = Path("/proc/self/cgroup")
_LEAF: Final = "pddl-pipeline-runner"
_INIT: Final = 1
_PATIENCE_S: Final = 5.0


def own_group() -> Path | None:
    """Return the folder of this process's cgroup; None without cgroup v2."""
    mounts = [line.split() for line in _MOUNTS.read_text(encoding="utf-8").splitlines()]
    mount = next((fields[1] for fields in mounts if fields[2] == "cgroup2"), None)
    lines = _OWN.read_text(encoding="utf-8").splitlines()
    inner = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), None)
    if mount is None or inner is None:
        return None
    folder = Path(mount) / inner.lstrip("/")
    return folder.parent if folder.name == _LEAF else folder


def unavailable_reason(group: Path | None) -> str | None:
    """Return why this cgroup cannot measure memory; None if it can."""
    if group is None or not (group / "cgroup.controllers").exists():
        return "no cgroup v2"
    try:
        if "memory" not in _words(group / "cgroup.controllers"):
            return "cgroup v2 without its memory controller"
        if not all(os.access(group / name, os.W_OK) for name in ("cgroup.procs", ".")):
            return "cgroup v2, not delegated to this user"
        return "cgroup v2, shared with other programs" if _strangers(group) else None
    except OSError as error:
        return f"cgroup v2, not usable: {error.strerror}"


def _words(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split()


def _strangers(group: Path) -> set[int]:
    """Return the processes in a group that are not related to this process."""
    this = psutil.Process()
    inside = set(map(int, _words(group / "cgroup.procs")))
    eldest = next((p for p in reversed(this.parents()) if p.pid in inside), this)
    return inside - ({eldest.pid, *(p.pid for p in eldest.children(recursive=True))} - {_INIT})


def take_over(group: Path) -> bool:
    """Set up a delegated cgroup for the attempts. Return True on success."""
    leaf = group / _LEAF
    try:
        leaf.mkdir(exist_ok=True)
        for number in _words(group / "cgroup.procs"):
            with suppress(ProcessLookupError):
                _write(leaf / "cgroup.procs", number)
        _write(group / "cgroup.subtree_control", "+memory")
    except OSError:
        # For example, the mount is read-only below this folder. Memory is sampled instead.
        return False
    return True


def _write(file: Path, text: str) -> None:
    # Unlike `Path.write_text`, this does not create a missing file.
    with file.open("r+", encoding="utf-8") as stream:
        stream.write(text)


class Cgroup:
    """The cgroup of one attempt."""

    def __init__(self, delegated: Path, name: str, memory_bytes: int) -> None:
        """Create the group with a memory limit and without swap.

        At the limit, the kernel kills all of its processes.
        """
        self.folder = delegated / name
        self.folder.mkdir()
        _write(self.folder / "memory.max", str(memory_bytes))
        for file, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
            with suppress(FileNotFoundError):
                _write(self.folder / file, value)

    def enter(self) -> None:
        """Move this process into the group; its child processes start there."""
        _write(self.folder / "cgroup.procs", str(os.getpid()))

    def kill(self) -> None:
        """Kill all processes of the group at once."""
        with suppress(FileNotFoundError):
            _write(self.folder / "cgroup.kill", "1")

    def remove(self) -> None:
        """Kill the remaining processes and delete the group."""
        self.kill()
        deadline = time.monotonic() + _PATIENCE_S
        while self.folder.exists() and time.monotonic() < deadline:
            with suppress(OSError):
                self.folder.rmdir()
                return
            time.sleep(0.01)

    def numbers(self, file: str) -> dict[str, int]:
        """Return the ``name value`` lines of one of the group's files."""
        lines = (self.folder / file).read_text(encoding="utf-8").splitlines()
        return {name: int(value) for name, value in (line.split() for line in lines)}


class CgroupMeter(ProcessMeter):
    """Reads the kernel's counters of a cgroup."""

    name = "cgroup"

    def __init__(self, family: Family, limits: Limits, group: Cgroup) -> None:
        super().__init__(family, limits)
        self._group = group

    def sample(self) -> str | None:
        """Read the counters, excluding cached files, which the kernel also counts."""
        memory = self._group.numbers("memory.stat")
        return self._measured(memory["anon"] + memory["shmem"])

    def finish(self) -> str | None:
        """Read the CPU time, which includes ended processes."""
        return self._measured(0)

    def _measured(self, memory_bytes: int) -> str | None:
        # The kernel may have killed the group at its limit, possibly between two samples.
        if self._group.numbers("memory.events").get("oom_kill", 0):
            memory_bytes = self._limits.memory_bytes + 1
        return self._over(memory_bytes, self._group.numbers("cpu.stat")["usage_usec"] / 1e6)
