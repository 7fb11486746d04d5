"""What code in the sandbox must not touch, and whether it did."""

from __future__ import annotations

import os
import socket
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest


def processes() -> set[int]:
    """Return the workers of this process, wherever they are in the tree of processes."""
    found = set()
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if str(os.getpid()) in words and any("functions.supervised" in word for word in words):
            found.add(process.pid)
    return found


@dataclass
class Watcher:
    """What can be touched from inside of the sandbox, and must not be."""

    outside: Path
    sockets: list[socket.socket] = field(default_factory=list)
    signals: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.secret = self.outside / "secret.txt"
        self.secret.write_text("SECRET")
        self.before = self._state()
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", 0)),
            (socket.AF_UNIX, str(self.outside / "socket")),
            (socket.AF_UNIX, f"\0pddl-pipeline-{os.getpid()}"),
        ):
            listening = socket.socket(family)
            listening.bind(address)
            listening.listen()
            listening.settimeout(0)
            self.sockets.append(listening)
        self.before = self._state()

    def at(self, attempt: str) -> dict[str, Any]:
        """Return the argument of the function `succ` of hostile code."""
        return {
            "attempt": attempt, "outside": str(self.outside), "secret": str(self.secret),
            "new": str(self.outside / "new"), "parent": os.getpid(),
            "port": self.sockets[0].getsockname()[1],
        }  # fmt: skip

    def _state(self) -> list[Any]:
        return sorted(
            (path.name, stat.filemode(seen.st_mode), seen.st_uid, seen.st_size, seen.st_mtime_ns)
            for path in self.outside.iterdir()
            for seen in [path.lstat()]
        )

    def check(self) -> None:
        """Assert that nothing was written, sent or signalled."""
        assert self._state() == self.before
        assert self.secret.read_text() == "SECRET"
        assert not Path("/dev/shm/pddl-pipeline-test").exists()  # noqa: S108 -- not used
        assert self.signals == []
        for each in self.sockets:
            with pytest.raises(BlockingIOError):
                each.accept()
