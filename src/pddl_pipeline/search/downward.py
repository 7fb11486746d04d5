"""Runs Fast Downward inside a baseline, with a command line from the baseline's input."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from pddl_pipeline.search.baseline import SearchInput

_PLAN: Final = "plan"
_LAST_LINE: Final = re.compile(r"^; cost = \d+ \(.+\)\n\Z", re.MULTILINE)
# The exit codes of Fast Downward's components for unsolvable tasks, as its driver documents them.
_UNSOLVABLE: Final = {"10", "11"}


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
        for file, copy in zip(given.files, ("domain.pddl", "problem.pddl"), strict=True):
            shutil.copyfile(file, Path(folder) / copy)
        done = subprocess.run(
            given.commands[name], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        )  # fmt: skip
        file = Path(folder) / _PLAN
        plan = file.read_text(encoding="utf-8") if file.is_file() else ""
    return _read(done.stdout, plan)


def is_whole(plan: str) -> bool:
    """Return whether a plan file is complete: its last line has the cost."""
    return _LAST_LINE.search(plan) is not None


def _read(log: str, plan: str) -> DownwardRun:
    expanded = re.findall(r"Expanded (\d+) state", log)
    codes = set(re.findall(r"exit code: (-?\d+)", log))
    lines = log.strip().splitlines()
    return DownwardRun(
        int(expanded[-1]) if expanded else None,
        plan if is_whole(plan) else None,
        bool(codes & _UNSOLVABLE),
        lines[-1] if lines else "it printed nothing",
    )
