"""Tests of the README: every command and every Python block is executed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from places import PACKAGE, ROOT

BLOCKS = re.findall(
    r"^```(sh|python)\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
)
# A line, or a line and the text of its standard input.
COMMAND = re.compile(r"^.*<< '(\w+)'\n(?:.*\n)*?\1$|^.+$", re.MULTILINE)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a writable folder that looks like the checkout to the commands."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "pddl_domains").symlink_to(PACKAGE / "pddl_domains")
    return tmp_path


def shell(line: str, place: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=place,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_every_command_and_block_runs(place: Path) -> None:
    """They run in the order of the text, since later ones use the files of earlier ones."""
    ran = 0
    for kind, text in BLOCKS:
        if kind == "python":
            done = subprocess.run(
                [sys.executable, "-c", text],
                cwd=place,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            assert done.returncode == 0, f"{text}\n{done.stderr}"
            ran += 1
            continue
        for line in (match[0] for match in COMMAND.finditer(text)):
            if line.startswith("make "):
                continue  # see test_make_commands_exist
            command, _, comment = line.partition("  # exit status ")
            expected = int(comment or 0)
            done = shell(command, place)
            assert done.returncode == expected, f"{line}\n{done.stdout}{done.stderr}"
            ran += 1
    assert ran >= 14


def test_make_commands_exist() -> None:
    """CI runs the commands, since the suite cannot run itself."""
    lines = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    targets = [line.split()[1] for line in lines if line.startswith("make ")]
    assert targets == ["demo", "test"]
    makefile = (ROOT / "Makefile").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
        assert f"make {target}" in ci


def test_readme_shows_every_command() -> None:
    shown = {
        shlex.split(line)[1]
        for kind, text in BLOCKS
        if kind == "sh"
        for line in text.splitlines()
        if line.startswith("pddl-pipeline ")
    }
    files = (PACKAGE / "cli" / "commands").glob("*.py")
    assert shown == {file.stem.replace("_", "-") for file in files if file.stem != "__init__"}
