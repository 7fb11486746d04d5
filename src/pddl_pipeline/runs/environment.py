"""The machine and the installed versions on which results depend."""

from __future__ import annotations

import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import psutil

from pddl_pipeline.model.cores import usable_cores
from pddl_pipeline.model.package_version import VERSION

_PACKAGES: Final = (
    "numpy", "scipy", "numba", "up-enhsp", "up-fast-downward", "up-symk",
    "kstar-planner", "forbiditerative",
)  # fmt: skip


def installed_versions() -> dict[str, str]:
    """Return the versions of this package and of the installed packages that results depend on."""
    found = {"pddl-pipeline": VERSION}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def machine() -> str:
    """Return a description of this machine: cores, memory, processor, Python version."""
    cores = usable_cores()
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{cores} cores, {memory:.0f} GiB, {platform.machine()}, Python {platform.python_version()}"
    )
