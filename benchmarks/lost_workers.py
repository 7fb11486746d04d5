"""Run planners on a Dask cluster that loses a worker every ten seconds, and count the runs.

    python benchmarks/lost_workers.py [--runs 400] [--workers 4]

A killed worker is replaced at once. Each run must be stored once, with its plan.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

PROGRAMS = Path(sys.executable).parent
EVERY_S = 10
ADDRESS = "tcp://127.0.0.1:18786"


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """Start one of the programs beside this Python; what it prints goes to a file."""
    with (folder / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [PROGRAMS / words[0], *words[1:]], cwd=folder, stdout=log, stderr=log
        )


def worker(folder: Path) -> subprocess.Popen[bytes]:
    """Start a worker that makes one attempt at a time."""
    return start(folder, "dask", "worker", ADDRESS, "--nthreads", "1", "--no-nanny")


def main(runs: int, workers: int) -> None:
    """Print how many runs were stored, with which outcomes, and how many workers were lost."""
    rng = random.Random(1)
    with TemporaryDirectory() as name:
        folder = Path(name)
        data = ("generate", "blocksworld", "--size", "5", "--count", str(runs), "-o", "data.jsonl")
        start(folder, "pddl-pipeline", *data).wait()
        host, port = ADDRESS.removeprefix("tcp://").split(":")
        scheduler = start(folder, "dask", "scheduler", "--host", host, "--port", port)
        cluster = [worker(folder) for _ in range(workers)]
        asked = ("--planner", "lama-first", "--scheduler", ADDRESS, "-o", "runs")
        started, lost = time.monotonic(), 0
        command = start(folder, "pddl-pipeline", "run", "data.jsonl", *asked)
        while command.poll() is None:
            time.sleep(0.1)
            if time.monotonic() - started >= EVERY_S * (lost + 1):
                killed = cluster.pop(rng.randrange(workers))
                killed.kill()
                killed.wait()
                lost += 1
                cluster.append(worker(folder))
        seconds = time.monotonic() - started
        for process in (*cluster, scheduler):
            process.terminate()
            process.wait()
        rows = [json.loads(line) for line in (folder / "runs" / "runs.jsonl").open()]
    outcomes = Counter(row["outcome"] for row in rows)
    print(
        f"status {command.returncode}, {seconds:.0f} s, {lost} workers lost; {len(rows)} runs of "
        f"{len({row['key'] for row in rows})} keys: {dict(outcomes)}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--workers", type=int, default=4)
    given = parser.parse_args()
    main(given.runs, given.workers)
