"""Runs Fast Downward inside a baseline, with a command line from the baseline's input."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.fast_downward import driver_ending, expanded_states, is_complete
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM
from pddl_pipeline.search.baseline import SearchInput


class DownwardRun(NamedTuple):
    """The result of a run."""

    expanded: int | None
    """Number of expanded states; None if it did not search."""
    plan: str | None
    unsolvable: bool
    """Whether it claims that there is no plan."""
    last_line: str
    """The last line that it printed."""


def run_downward(given: SearchInput, name: str) -> DownwardRun:
    """Run one of `SearchInput.commands` in a temporary folder; return the result."""
    with TemporaryDirectory(dir=given.folder, prefix="downward-") as folder:
        for file, copy in zip(given.files, (DOMAIN, PROBLEM), strict=True):
            shutil.copyfile(file, Path(folder) / copy)
        done = subprocess.run(
            given.commands[name], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        )  # fmt: skip
        file = Path(folder) / PLAN
        plan = file.read_text(encoding="utf-8") if file.is_file() else ""
    return _read(done.stdout, plan)


def _read(log: str, plan: str) -> DownwardRun:
    ending = driver_ending("Fast Downward", log, None)
    lines = log.strip().splitlines()
    return DownwardRun(
        expanded_states(log),
        plan if is_complete(plan, log) else None,
        ending is not None and ending.outcome is Outcome.CLAIMS_UNSOLVABLE,
        lines[-1] if lines else "it printed nothing",
    )
