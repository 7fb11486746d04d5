"""Distributions with plug-ins, as pip installs them, and the words of commands that use them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from command_line import Done
from places import ROOT

from pddl_pipeline.pddl_domains import domain_folder

PLANNER = "from pddl_pipeline.planners.planner import Planner\n"
EXAMPLE = ROOT / "examples" / "plugin"
FERRY = domain_folder("ferry")
PLACES = {
    "DATA": str(FERRY / "examples.jsonl"),
    "DOMAIN": str(FERRY / "domain.pddl"),
    "PROBLEM": str(FERRY / "p01.pddl"),
    "PLAN": str(FERRY / "p01.plan"),
}


def install(site: Path, name: str, entries: str, **modules: str) -> None:
    """Write a distribution as pip installs it: its metadata and its modules."""
    info = site / f"{name.replace('-', '_')}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(entries)
    for module, text in modules.items():
        (site / f"{module}.py").write_text(text)


def environment(site: Path) -> dict[str, str]:
    """Return the environment of a process that finds the distributions of a folder."""
    path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path}


# Runs command lines, which are words in JSON, and prints status and output of each as JSON.
_RUN = """
import contextlib, io, json, sys
from pddl_pipeline.cli.main import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["pddl-pipeline", *words]
    with contextlib.redirect_stdout(io.StringIO()) as out, \\
            contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
    print(json.dumps([status, out.getvalue(), err.getvalue()]))
"""


def run_lines(environment: dict[str, str], cwd: Path, *lines: str) -> list[Done]:
    """Run command lines one after another in one process, since each imports the package."""
    words = json.dumps([[PLACES.get(word, word) for word in shlex.split(line)] for line in lines])
    done = subprocess.run(
        [sys.executable, "-c", _RUN, words], cwd=cwd, env=environment,
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    return [Done(*json.loads(line)) for line in done.stdout.splitlines()]
