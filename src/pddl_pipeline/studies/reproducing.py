"""The run of a study under a workbench's conditions."""

from __future__ import annotations

import platform
import time
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import psutil

from pddl_pipeline.model.cores import usable_cores
from pddl_pipeline.studies.section import Section
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.workbench import Workbench

_PACKAGES: Final = (
    "pddl-pipeline", "numpy", "scipy", "numba", "up-enhsp", "up-fast-downward", "up-symk",
    "kstar-planner", "forbiditerative",
)  # fmt: skip


def reproduce(study: Study, bench: Workbench, command: str) -> Section:
    """Run a study and return its section.

    Args:
        study: the study.
        bench: the conditions.
        command: the command line that repeats the study, which the section records.

    Raises:
        EngineError: a required planner is not installed.
        InputError: the data cannot be read, or the folder of runs cannot be written.
    """
    started, clock = datetime.now(UTC), time.monotonic()
    findings = study.run(bench)
    return Section(
        study=study.name,
        title=study.title,
        made=started.isoformat(timespec="seconds"),
        machine=machine(),
        command=command,
        seconds=round(time.monotonic() - clock, 1),
        findings=findings,
        versions=installed_versions(),
    )


def installed_versions() -> dict[str, str]:
    """Return the versions of this package and of the installed packages that results depend on."""
    found = {}
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
