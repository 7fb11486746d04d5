"""Every command and program of docs/look-at-a-plan.md is executed; its pictures exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CliHere
from page_blocks import run_line
from places import PACKAGE, ROOT

PAGE = (ROOT / "docs" / "look-at-a-plan.md").read_text()
COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]  # fmt: skip
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PICTURES = re.findall(r"!\[[^\]]+\]\((.*?)\)", PAGE)
MOST_BYTES = 300_000


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "pddl_domains").symlink_to(PACKAGE / "pddl_domains")
    return tmp_path


def test_the_commands_run(place: Path, cli_here: CliHere) -> None:
    """In their order, since later commands use the files of earlier ones."""
    printed = ""
    for command in COMMANDS:
        done = run_line(command, place, cli_here)
        assert done.status == 0, done.err
        printed += done.out
    assert "failing.html: the plan is invalid: step 3 (" in printed
    assert "answers/index.html: 1 page" in printed
    assert len(list((place / "plans").glob("ferry-*.html"))) == 2
    assert (place / "countdown" / "step-04.svg").exists()


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_run(place: Path, program: str) -> None:
    subprocess.run([sys.executable, "-c", program], cwd=place, check=True)


@pytest.mark.parametrize("picture", PICTURES)
def test_the_pictures_are_small(picture: str) -> None:
    assert 0 < (ROOT / "docs" / picture).stat().st_size < MOST_BYTES
