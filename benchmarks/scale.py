"""Time and memory of `report` on stores of up to a million runs, and how both grow.

``python benchmarks/scale.py FOLDER 10000 100000 1000000`` makes the stores with the product's own
writer, from a seeded random generator, and measures `report` on each in a process of its own.
Choose a folder in memory: a disk takes milliseconds to confirm each line.
"""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from report_page import made_runs

from pddl_pipeline.model.result import Improvement, RunResult
from pddl_pipeline.runs.jobs import Finished, ScheduledRun
from pddl_pipeline.runs.store import RunStore
from pddl_pipeline.runs.stored_commands import CommandLimits, StoredCommand, add_command

LIMIT_S = 30.0


def realistic_runs(count: int, seed: int = 0) -> Iterator[RunResult]:
    """Yield runs whose lines are as long as those of satisficing planners: about 1.5 KB."""
    random = Random(seed)
    for number, run in enumerate(made_runs(count, LIMIT_S, seed)):
        key = hashlib.sha256(str(number).encode()).hexdigest()[:32]
        minutes, millis = divmod(number, 60_000)
        filled = replace(
            run,
            key=key,
            expanded=random.randrange(10**6),
            evaluated=random.randrange(10**6),
            generated=random.randrange(10**6),
            search_s=round(run.wall_s / 2, 6),
            memory_mb=round(25 + random.random() * 100, 1),
            opinions={}
            if run.status is None
            else {"referee": {"status": str(run.status), "reason": None}},
            started=f"2026-01-{1 + minutes // 1440:02}T{minutes // 60 % 24:02}:{minutes % 60:02}:"
            f"{millis // 1000:02}.{millis % 1000:03}+00:00",
            log=f"logs/{key}/engine.log",
            problem=key[::-1],
            verdict_version=None if run.status is None else 10,
            maximise=None if run.cost is None else False,
        )
        if run.status is not None and run.cost is not None:
            plan = tuple(f"(sail l{n} l{n + 1})" for n in range(run.cost // 2))
            first = Improvement(run.wall_s / 2, run.status, run.cost + 2, run.cost, run.reason)
            found = (first, Improvement(run.wall_s, run.status, run.cost, run.steps, run.reason))
            filled = replace(filled, plan=plan, plans=1, improvements=found)
        yield filled


def make_store(folder: Path, count: int) -> None:
    """Write a store of this many runs, as `run` does, with the command that planned them."""
    with RunStore(folder) as store:
        planned = []
        for run in realistic_runs(count):
            store.add(Finished(run, {}))
            planned.append(ScheduledRun(run.planner, run.domain, run.id, run.size))
        add_command(
            folder,
            StoredCommand(
                "2026-01-01T00:00:00.000+00:00", "pddl-pipeline run", "2 cores", {},
                CommandLimits(LIMIT_S, 3584.0, None), planned=tuple(planned),
            ),
        )  # fmt: skip


def measured_report(folder: Path) -> tuple[float, float]:
    """Return the seconds of CPU time and the largest memory, in MB, of a report."""
    command = [sys.executable, "-m", "pddl_pipeline", "report", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def main() -> None:
    """Print a line for each store, and the exponent of growth since the one before."""
    before: tuple[int, float] | None = None
    for count in map(int, sys.argv[2:]):
        folder = Path(sys.argv[1]) / f"store-{count}"
        if not folder.exists():
            make_store(folder, count)
        seconds, memory = measured_report(folder)
        growth = (
            ""
            if before is None
            else (f", exponent {math.log(seconds / before[1]) / math.log(count / before[0]):.2f}")
        )
        print(f"{count:,} runs: {seconds:.1f} s of CPU time, {memory:.0f} MB{growth}", flush=True)
        before = count, seconds


if __name__ == "__main__":
    main()
