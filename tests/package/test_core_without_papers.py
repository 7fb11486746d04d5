"""The core without the papers: the package is installed without their folder, and used."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

FILES = ("pyproject.toml", "README.md", "LICENSE", "NOTICE")
ROOMS = ("pddl_domains", "planners", "translators", "validation")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package without its papers into a folder."""
    source = tmp_path_factory.mktemp("source")
    for name in FILES:
        shutil.copy(ROOT / name, source)
    for name in ("src", *ROOMS):
        ignored = shutil.ignore_patterns("__pycache__", "papers", "*.egg-info")
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=ignored)
    target = tmp_path_factory.mktemp("site")
    install = ("install", "--quiet", "--no-deps", "--no-build-isolation", "--target", target)
    subprocess.run([sys.executable, "-m", "pip", *map(str, install), str(source)], check=True)
    assert not (target / "pddl_pipeline" / "papers").exists()
    return target


@pytest.mark.early
def test_every_core_command_works_without_the_papers(site: Path, tmp_path: Path) -> None:
    def start(*arguments: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pddl_pipeline", *arguments], cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    data = site / "pddl_pipeline" / "pddl_domains" / "ferry" / "solved.jsonl"
    record = json.loads(data.read_text().splitlines()[0])
    (tmp_path / "one.jsonl").write_text(json.dumps(record) + "\n")
    (tmp_path / "answers.jsonl").write_text(
        json.dumps({"id": record["id"], "answer": "\n".join(record["witness"])}) + "\n"
    )
    (tmp_path / "a.plan").write_text("\n".join(record["witness"]))
    start("translate", "one.jsonl", "-o", "pddl")
    task = ("pddl/domain.pddl", f"pddl/problems/{record['id']}.pddl")
    assert "valid" in start("validate", *task, "a.plan")
    assert "plan-found" in start("solve", *task, "--planner", "goal-count")
    start("run", "one.jsonl", "--planner", "goal-count", "--planner", "bfs", "-o", "runs")
    assert "goal-count" in start("report", "runs")
    assert "100.00" in start("score", "one.jsonl", "answers.jsonl")
    assert "1 page" in start("show", "one.jsonl", "answers.jsonl", "-o", "pages")
    assert "reproduce" not in start("-h")
    assert "No module named 'pddl_pipeline.papers'" in start("reproduce", "all", status=2)
