"""The types of the fixtures that run the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from command_table import READING


@dataclass(frozen=True)
class Done:
    """The result of a command."""

    status: int
    out: str
    err: str


Cli = Callable[..., Done]
CliHere = Callable[..., Done]


def check_mistake(done: Done, message: str) -> None:
    """Check for one line of error with a message, status 2 and an empty standard output."""
    *notes, fault = done.err.splitlines()
    assert (done.status, done.out, fault[:7]) == (2, "", "error: "), done.err
    assert all(re.search(READING, line) for line in notes), done.err
    assert message in fault


def json_lines(file: Path) -> list[dict[str, Any]]:
    """Return the objects in the lines of a file."""
    return [json.loads(line) for line in file.read_text().splitlines()]


def write_script(file: Path, text: str) -> None:
    """Write a file that can be executed."""
    file.write_text(text)
    file.chmod(0o755)
