"""Tests of the README: every command and every Python block is executed."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import CliHere, Done
from documented_commands import run_in_shell, run_line
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


@pytest.fixture
def run(cli_here: CliHere, place: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Run a block or line in this process where no shell is needed; others run in a shell."""

    def here(kind: str, text: str) -> Done:
        if kind == "python":
            monkeypatch.chdir(place)
            exec(text, {"__name__": "__main__"})  # noqa: S102 -- a block of the README
            return Done(0, "", "")
        return run_line(text, place, cli_here)

    return here


@pytest.mark.early
def test_every_command_and_block_runs(run: Callable[..., Done]) -> None:
    """They run in the order of the text, since later ones use the files of earlier ones."""
    run_all(run)


@pytest.mark.long
def test_every_command_and_block_runs_in_its_own_process(place: Path) -> None:
    python = shlex.quote(sys.executable)

    def run(kind: str, text: str) -> Done:
        return run_in_shell(f"{python} -c {shlex.quote(text)}" if kind == "python" else text, place)

    run_all(run)


def run_all(run: Callable[..., Done]) -> None:
    ran = 0
    for kind, text in BLOCKS:
        for line in [text] if kind == "python" else [m[0] for m in COMMAND.finditer(text)]:
            if line.startswith("make "):
                continue  # see test_make_commands_exist
            command, _, comment = line.partition("  # exit status ")
            done = run(kind, command)
            assert done.status == int(comment or 0), f"{line}\n{done.out}{done.err}"
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
