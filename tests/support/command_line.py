"""The types of the fixtures that run the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Done:
    """The result of a command."""

    status: int
    out: str
    err: str


Cli = Callable[..., Done]
CliHere = Callable[..., Done]
