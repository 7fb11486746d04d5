"""Distributions with plug-ins, as pip installs them, and the words of commands that use them."""

from __future__ import annotations

import os
from pathlib import Path

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
