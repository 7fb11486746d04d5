"""Code that looks for what it is compared with: it finds nothing of the package, so it is wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from command_line import Cli
from looking_code import FILES, GAME24, WAYS, looking
from places import PACKAGE, SUPPORT

from pddl_pipeline.planners.sandbox.confinement import protections

pytestmark = pytest.mark.skipif(
    bool(protections().missing()), reason="this kernel lacks a part of the sandbox"
)
CHECK = ("autotos", "check", "code.py", "--domain", "24game", "--json")


def checked(*command: str | Path, cwd: Path) -> str | None:
    """Run a check as a program, and return the category of the failure."""
    words = [*command, "-m", "pddl_pipeline", *CHECK]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    category: str | None = json.loads(done.stdout)["category"]
    return category


def test_code_finds_nothing_of_the_package(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One check looks in all ways: its goal test is right if one of them finds something."""
    (tmp_path / "code.py").write_text(looking(WAYS, PACKAGE, tmp_path))
    monkeypatch.setenv("LEAK", "length_misstep")
    with (PACKAGE / GAME24).open():
        done = cli(*CHECK)
    assert json.loads(done.out)["category"] == "isgoal-soundness", done.out


def test_without_landlock_code_finds_it(tmp_path: Path) -> None:
    """So the ways to look are real ones. The command prints a warning."""
    (tmp_path / "code.py").write_text(looking(FILES, PACKAGE, tmp_path, len(FILES)))
    lacking = (sys.executable, SUPPORT / "lacking_kernel.py", "landlock", sys.executable)
    assert checked(*lacking, cwd=tmp_path) is None


@pytest.mark.long
@pytest.mark.parametrize("folder", [".", "other/src"])
def test_code_finds_nothing_of_an_installed_package(tmp_path: Path, folder: str) -> None:
    """The package is among others, as a wheel installs it, in a folder that the code may read."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    here = Path(sysconfig.get_path("purelib"))
    (distribution,) = here.glob("pddl_pipeline-*.dist-info")
    shutil.copytree(distribution, packages / distribution.name)
    package = Path(shutil.copytree(PACKAGE, packages / folder / PACKAGE.name))
    lines = f"{packages / folder}\nimport site; site.addsitedir({str(here)!r})\n"
    (packages / "here.pth").write_text(lines)
    (packages / "third_party.py").write_text("FOUND = [True]")
    python, code = tmp_path / "venv" / "bin" / "python", looking(WAYS, package, tmp_path)
    for found, category in (
        ("FOUND = []", "isgoal-soundness"),
        ("from third_party import *", None),
    ):
        (tmp_path / "code.py").write_text(code.replace("FOUND = []", found))
        assert checked(python, cwd=tmp_path) == category
