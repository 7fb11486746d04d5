"""The code blocks of a page of the documentation, and how they are executed."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from typing import NamedTuple

from command_line import Done
from places import PACKAGE, ROOT

_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A line with its continuation lines, or a line and the text of its standard input.
_COMMAND = re.compile(r"^.*<< '(\w+)'\n(?:.*\n)*?\1$|^(?:.*\\\n)*.+$", re.MULTILINE)
_STATUS = "  # exit status "
_COLUMNS = 90


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


def line_of(command: Command) -> str:
    """Return the line of bash that runs a command or program."""
    program = f"{shlex.quote(sys.executable)} -c {shlex.quote(command.text)}"
    return command.text if command.kind == "sh" else program


def check_page(page: str, place: Path) -> None:
    """Run all commands of a page's text in order: later ones use the files of earlier ones."""
    for command in commands_of(page):
        done = subprocess.run(
            ["bash", "-c", line_of(command)], cwd=place, capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == command.status, f"{command.text}\n{done.stdout}{done.stderr}"


def on_terminal(line: str, place: Path) -> Done:
    """Run a line in bash, on a terminal of 90 columns."""
    near, far = pty.openpty()
    ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, _COLUMNS, 0, 0))
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
    return Done(process.returncode, printed.decode().replace("\r\n", "\n"), "")


_END = "<end>"
_IN_TURN = f"""
import json, sys
from pddl_pipeline.cli.main import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["pddl-pipeline", *words]
    try:
        main()
    except SystemExit as ended:
        print("{_END}", ended.code, "{_END}", sep="", flush=True)
"""


def in_turn(
    commands: Iterable[Sequence[str]], place: Path, before: str, after: str = ""
) -> list[Done]:
    """Run commands on a terminal in one process, whose start takes longer than they do.

    Args:
        commands: their words.
        place: the folder where they run.
        before: settings of the environment, and what else bash needs before the program.
        after: what follows in the line of bash.
    """
    words = shlex.join([sys.executable, "-c", _IN_TURN, json.dumps([*commands])])
    parts = on_terminal(f"{before} {words} {after}", place).out.split(_END)
    return [
        Done(int(status), out, "") for out, status in zip(parts[:-1:2], parts[1::2], strict=True)
    ]


def comparable(text: str) -> set[str]:
    """Return the lines with single spaces, and without times and the scores that depend on them.

    These are a last number with decimals, and the numbers around a coverage.
    """
    times = re.compile(r"\d+\.\d\d (?=\d+\.\d )|(?<=\d\.\d )[\d. ]+$|\d+\.\d+$")
    return {times.sub("#", " ".join(line.split())) for line in text.splitlines()}


def check_texts(page: str, place: Path, columns: int = 200) -> int:
    """Run a page's commands on a terminal; a shown text leaves out lines, but changes none.

    Returns:
        The number of shown texts.
    """
    printed: set[str] = set()
    shown = 0
    for block in re.findall(r"^```\w+\n.*?^```", page, re.MULTILINE | re.DOTALL):
        if block.startswith("```text"):
            text = block.removeprefix("```text\n").removesuffix("\n```")
            assert max(map(len, text.splitlines())) <= columns
            changed = comparable(text) - printed
            assert not changed, changed
            shown += 1
            continue
        printed = set()
        for command in commands_of(block):
            done = on_terminal(line_of(command), place)
            assert done.status == command.status, f"{command.text}\n{done.out}"
            printed |= comparable(done.out)
    return shown
