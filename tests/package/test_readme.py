"""In README and the pages for newcomers every command runs; README shows what is printed."""

from __future__ import annotations

import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path

import click
import pytest
from command_line import CliHere, Done
from page_blocks import Command, check_page, commands_of, link_checkout, run_line
from places import ROOT

from pddl_pipeline.cli.group import GROUP

README = ROOT / "README.md"
DOCS = ROOT / "docs"
# The pages beside README, and the least number of commands on each.
PAGES = {
    DOCS / "index.md": 3,
    DOCS / "commands.md": 35,
    DOCS / "library.md": 3,
    DOCS / "planners.md": 1,
    DOCS / "score-a-model.md": 4,
    DOCS / "compare-planners.md": 6,
    DOCS / "make-a-benchmark.md": 5,
    DOCS / "train-with-rewards.md": 3,
    DOCS / "validate-plans.md": 8,
}
# The least number of outputs that a tutorial shows.
SHOWN = {
    "index": 1,
    "compare-planners": 4,
    "make-a-benchmark": 3,
    "score-a-model": 4,
    "validate-plans": 6,
}
# Commands that take long do less in `make test`; `make test-long` runs them as they stand.
SMALLER = {
    # Tries every engine; tests/cli/test_commands.py runs it and reads what it prints.
    "pddl-pipeline doctor": "pddl-pipeline doctor --help",
}
MOST_WORDS = 900
COLUMNS = 90


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return link_checkout(tmp_path)


@pytest.fixture
def run(
    cli_here: CliHere, place: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Command], Done]:
    """Run a command or program in this process where no shell is needed."""

    def here(command: Command) -> Done:
        if command.kind == "python":
            monkeypatch.chdir(place)
            exec(command.text, {"__name__": "__main__"})  # noqa: S102 -- a block of the page
            return Done(0, "", "")
        text = command.text
        for usual, smaller in SMALLER.items():
            text = text.replace(usual, smaller)
        return run_line(text, place, cli_here)

    return here


@pytest.mark.parametrize("usual", SMALLER)
def test_what_is_made_smaller_is_a_command_of_one_page(usual: str) -> None:
    texts = [command.text for page in PAGES for command in commands_of(page.read_text())]
    assert sum(usual in text for text in texts) == 1


@pytest.mark.early
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_and_program_runs(page: Path, run: Callable[[Command], Done]) -> None:
    assert check_page(page, run) >= PAGES[page]


def test_make_commands_exist() -> None:
    """CI runs them, since the suite cannot run itself."""
    targets = re.findall(r"^make (\w+)$", README.read_text(), re.MULTILINE)
    assert targets == ["demo", "test"]
    makefile = (ROOT / "Makefile").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
        assert f"make {target}" in ci


def test_every_command_is_shown() -> None:
    shown = {
        shlex.split(command.text)[1]
        for command in commands_of((DOCS / "commands.md").read_text())
        if command.text.startswith("pddl-pipeline ")
    }
    assert shown == {*GROUP.list_commands(click.Context(GROUP))}


def test_readme_is_short() -> None:
    assert len(README.read_text().split()) <= MOST_WORDS


def on_terminal(line: str, place: Path) -> Done:
    """Run a line in bash, on a terminal of 90 columns."""
    near, far = pty.openpty()
    ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1"}
    for name in ("COLUMNS", "LINES"):
        environment.pop(name, None)
    printed = b""
    with subprocess.Popen(
        ["bash", "-c", line], cwd=place, env=environment, stdout=far, stderr=far
    ) as process:
        os.close(far)
        with suppress(OSError):  # Linux reports the end of a terminal as an error.
            while chunk := os.read(near, 4096):
                printed += chunk
    os.close(near)
    return Done(process.returncode, printed.decode().replace("\r", ""), "")


def comparable(text: str) -> set[str]:
    """Return the lines with single spaces, and without times and the scores that depend on them.

    These are a last number with decimals, and all numbers behind a coverage.
    """
    times = re.compile(r"(?<=\d\.\d )[\d. ]+$|\d+\.\d+$")
    return {times.sub("#", " ".join(line.split())) for line in text.splitlines()}


def check_texts(page: Path, place: Path, columns: int = 200) -> int:
    """Run a page's commands on a terminal; a shown text leaves out lines, but changes none.

    Returns:
        The number of shown texts.
    """
    printed: set[str] = set()
    shown = 0
    for block in re.findall(r"^```\w+\n.*?^```", page.read_text(), re.MULTILINE | re.DOTALL):
        if block.startswith("```text"):
            text = block.removeprefix("```text\n").removesuffix("\n```")
            assert max(map(len, text.splitlines())) <= columns
            assert comparable(text) <= printed
            shown += 1
            continue
        printed = set()
        for command in commands_of(block):
            program = f"{shlex.quote(sys.executable)} -c {shlex.quote(command.text)}"
            done = on_terminal(program if command.kind == "python" else command.text, place)
            assert done.status == command.status, f"{command.text}\n{done.out}"
            printed |= comparable(done.out)
    return shown


def test_readme_shows_what_is_printed(place: Path) -> None:
    assert check_texts(README, place, COLUMNS) == 4


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(page: Path, place: Path) -> None:
    assert check_texts(page, place) >= SHOWN.get(page.stem, 0)
