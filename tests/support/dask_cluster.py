"""A Dask cluster as processes of a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
from processes_of_tests import wait_for


class Cluster:
    """A Dask scheduler and its workers, of one thread each, as processes of this test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "scheduler.json"
        self._scheduler = self._start("scheduler", "--port", "0", "--no-dashboard")
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(
                [
                    sys.executable, "-m", "dask", what,
                    "--scheduler-file", str(self._file), *arguments,
                ],
                cwd=self.folder, stdout=log, stderr=log,
                # Files that a killed worker leaves must not affect other tests.
                env={**os.environ, "TMPDIR": str(self.folder)},
            )  # fmt: skip

    def add_worker(self) -> None:
        self.workers.append(
            self._start("worker", "--nthreads", "1", "--no-dashboard", "--nworkers", "1")
        )

    def lose_scheduler(self) -> None:
        self._scheduler.kill()

    @property
    def address(self) -> str:
        wait_for(lambda: self._file.exists() and self._file.read_text())
        return str(json.loads(self._file.read_text())["address"])

    def close(self) -> None:
        family = [
            p for each in (*self.workers, self._scheduler) if psutil.pid_exists(each.pid)
            for p in psutil.Process(each.pid).children(recursive=True)
        ]  # fmt: skip
        for each in (*self.workers, self._scheduler):
            each.kill()
            each.wait()
        for process in family:
            with suppress(psutil.Error):
                process.kill()
