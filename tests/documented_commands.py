"""Commands of README and docs, executed as users would in a shell, or faster in this process."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from conftest import CliHere, Done

_NEEDS_SHELL = re.compile(r"[*<>|$&;]")


def program_path() -> str:
    """Return a PATH with the programs of this environment before all others."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def run_in_shell(line: str, folder: Path) -> Done:
    """Run a line in bash, which finds the programs of this environment."""
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, env={**os.environ, "PATH": program_path()},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def run_line(line: str, folder: Path, cli_here: CliHere) -> Done:
    """Run a line in this process if it needs no shell. It does if it is another program's."""
    if not line.startswith("pddl-pipeline ") or _NEEDS_SHELL.search(line):
        return run_in_shell(line, folder)
    return cli_here(*shlex.split(line)[1:], cwd=folder)
