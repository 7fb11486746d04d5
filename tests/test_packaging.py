"""The wheel as users get it: one top-level name, the domains in it, and it works."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from places import ROOT

from pddl_pipeline.pddl_domains import domain_names


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel without leaving anything in the checkout."""
    place = tmp_path_factory.mktemp("wheel")
    config = place / "build.cfg"
    config.write_text(f"[build]\nbuild_base = {place}/build\n[egg_info]\negg_base = {place}\n")
    command = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", place, ROOT]
    environment = {**os.environ, "DIST_EXTRA_CONFIG": str(config)}
    subprocess.run([sys.executable, "-m", *command], env=environment, check=True)
    return next(place.glob("*.whl"))


def test_one_top_level_name(wheel: Path) -> None:
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"pddl_pipeline"}


def test_wheel_holds_all_code_and_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "pddl_pipeline/py.typed" in names
    for folder in ("validation", "translators", "planners"):
        for path in (ROOT / folder).glob("*.py"):
            assert f"pddl_pipeline/{folder}/{path.name}" in names
    for path in (ROOT / "pddl_pipeline" / "integrations").rglob("*.yaml"):
        assert str(path.relative_to(ROOT)) in names
    for path in (ROOT / "pddl_domains").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert f"pddl_pipeline/{path.relative_to(ROOT)}" in names


USE_THE_WHEEL = """
import pddl_pipeline, sys
from pathlib import Path
from pddl_pipeline import read_task
from pddl_pipeline.pddl_domains import domain_folder, domain_names
assert Path(pddl_pipeline.__file__).is_relative_to(sys.argv[1])
for name in domain_names():
    folder = domain_folder(name)
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    print(name, task.judge((folder / "p01.plan").read_text()).status)
"""


def test_installed_wheel_works_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", USE_THE_WHEEL, tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [word for name in domain_names() for word in (name, "valid")]


def test_constraints_name_exact_versions_only() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        name, _, version = line.partition("==")
        assert name, line
        assert version, line
        assert "/" not in line
