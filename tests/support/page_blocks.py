"""The code blocks of a page of the documentation, and how they are executed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from command_line import CliHere, Done
from places import PACKAGE, ROOT

_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A line with its continuation lines, or a line and the text of its standard input.
_COMMAND = re.compile(r"^.*<< '(\w+)'\n(?:.*\n)*?\1$|^(?:.*\\\n)*.+$", re.MULTILINE)
_STATUS = "  # exit status "
_NEEDS_SHELL = re.compile(r"[*<>|$&;]")


class Command(NamedTuple):
    """A command or program of a page."""

    kind: str
    """``sh`` or ``python``."""
    text: str
    status: int
    """The exit status that the page gives; 0 if it gives none."""


def commands_of(page: str) -> Iterator[Command]:
    """Yield the commands and programs of a page's text in their order, except those of make."""
    for kind, text in _BLOCK.findall(page):
        lines = [text] if kind == "python" else [found[0] for found in _COMMAND.finditer(text)]
        for line in lines:
            command, _, status = line.partition(_STATUS)
            if not line.startswith("make "):  # CI runs these, since the suite cannot run itself
                yield Command(kind, command, int(status or 0))


def link_checkout(folder: Path) -> Path:
    """Make a writable folder look like the checkout to the commands, and return it."""
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "pddl_domains").symlink_to(PACKAGE / "pddl_domains")
    return folder


def run_in_shell(line: str, place: Path) -> Done:
    """Run a line in bash; the project's commands are those of this Python."""
    done = subprocess.run(
        ["bash", "-c", line], cwd=place, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def run_line(line: str, place: Path, cli_here: CliHere) -> Done:
    """Run a line in this process if it is a command of the project that needs no shell."""
    line = re.sub(r" # .*", "", line.replace("\\\n", " "))  # without a comment at the end
    if not line.startswith("pddl-pipeline ") or _NEEDS_SHELL.search(line):
        return run_in_shell(line, place)
    return cli_here(*shlex.split(line)[1:], cwd=place)


def run_in_processes(command: Command, place: Path) -> Done:
    """Run a command or program in a process of its own."""
    if command.kind == "sh":
        return run_in_shell(command.text, place)
    return run_in_shell(f"{shlex.quote(sys.executable)} -c {shlex.quote(command.text)}", place)


def check_page(page: Path, run: Callable[[Command], Done]) -> int:
    """Run all commands in order, since later ones use the files of earlier ones.

    Returns:
        The number of commands.
    """
    commands = list(commands_of(page.read_text(encoding="utf-8")))
    for command in commands:
        done = run(command)
        assert done.status == command.status, f"{command.text}\n{done.out}{done.err}"
    return len(commands)
