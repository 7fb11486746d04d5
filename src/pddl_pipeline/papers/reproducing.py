"""The run of a study under a workbench's conditions."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from pddl_pipeline.papers.section import Section
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.runs.stored_commands import installed_versions, machine


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
