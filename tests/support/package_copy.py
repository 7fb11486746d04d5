"""A copy of the package to which a test adds files, and the command line of the copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from places import PACKAGE


class PackageCopy:
    """A copy of the package in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.package = folder / PACKAGE.name
        # With the compiled files, which are valid for the copy, too: it starts in half the time.
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("*.nb?"))

    def add(self, place: str, text: str) -> None:
        """Write a file of the package."""
        file = self.package / place
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def run(self, *arguments: str, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run pddl-pipeline of the copy; fail if its exit status is not `code`."""
        done = subprocess.run(
            [sys.executable, "-m", "pddl_pipeline", *arguments],
            cwd=cwd, env={**os.environ, "PYTHONPATH": str(self._folder)},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done
