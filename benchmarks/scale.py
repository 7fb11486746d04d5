"""Time and memory of large data: reports, starts of `run`, other shards, answers; and their growth.

``python benchmarks/scale.py FOLDER 10000 100000 1000000`` makes the data of each size from a
seeded random generator, the stores with the product's own writer, and measures each command in a
separate process:

- `report` on a store of so many runs, as long as those of satisficing planners; with a page,
- `run` on a store that has all its runs; its start alone, without the report at the end,
- the same for one of a million shards, so that all runs are of another shard,
- `score` of so many answers to as many countdown tasks, half of them wrong.

``--only report,html,run,start,shard,score`` chooses. Choose a folder in memory: a disk takes
milliseconds to confirm each line.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from report_page import made_runs
from unseen_tasks import countdown_rows

from pddl_pipeline import Limits, load_records
from pddl_pipeline.model.result import Improvement, RunResult
from pddl_pipeline.runs.jobs import Finished, JobQueue, ScheduledRun
from pddl_pipeline.runs.store import RunStore
from pddl_pipeline.runs.stored_commands import (
    CommandLimits,
    StoredCommand,
    add_command,
    new_command,
)

LIMIT_S = 30.0
PLANNER = "countdown-exact"
MODULE = ("-m", "pddl_pipeline")
WITHOUT_REPORT = """
from types import SimpleNamespace
from pddl_pipeline.cli.commands import run
from pddl_pipeline.cli.main import main
run._report = lambda _: SimpleNamespace(older={})
main()
"""


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


def make_tasks(folder: Path, count: int) -> None:
    """Write as many countdown tasks, and an answer to each, every second one wrong."""
    with (
        (folder / f"tasks-{count}.jsonl").open("w") as tasks,
        (folder / f"answers-{count}.jsonl").open("w") as answers,
    ):
        for number, row in enumerate(countdown_rows(count, 0)):
            fields = {"numbers": row["nums"], "target": row["target"] + number % 2}
            line = {"id": str(number), "domain": "countdown", **fields}
            tasks.write(json.dumps(line) + "\n")
            answers.write(json.dumps({"id": str(number), "answer": row["answer"]}) + "\n")


def make_full_store(folder: Path, tasks: Path) -> None:
    """Write the store that `run` would have after all runs of a planner on these tasks."""
    with RunStore(folder) as store, JobQueue([PLANNER], Limits(time_s=LIMIT_S)) as queue:
        runs = realistic_runs(10**9)
        for instance in load_records(tasks):
            queue.add(instance)
        for key, run in queue.runs.items():
            own = {name: getattr(run, name) for name in ("id", "domain", "size", "planner")}
            store.add(Finished(replace(next(runs), key=key, **own), {}))
        add_command(folder, new_command("pddl-pipeline run", queue))


def measured(program: tuple[str, str], *arguments: object) -> tuple[float, float]:
    """Return the seconds of CPU time and the largest memory, in MB, of a command."""
    command = [sys.executable, *program, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        said = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: {said.decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def measure(name: str, folder: Path, count: int) -> tuple[float, float]:
    """Return what a measurement of a size takes; see the top of this file."""
    store, full = folder / f"store-{count}", folder / f"full-{count}"
    tasks, answers = (folder / f"{kind}-{count}.jsonl" for kind in ("tasks", "answers"))
    is_report = name in {"report", "html"}
    if is_report and not store.exists():
        make_store(store, count)
    if not is_report and not tasks.exists():
        make_tasks(folder, count)
    if name in {"run", "start"} and not full.exists():
        make_full_store(full, tasks)
    options = ("--planner", PLANNER, "--time-limit", LIMIT_S)
    commands = {
        "report": ("report", store),
        "html": ("report", store, "--html", folder / "page.html"),
        "run": ("run", tasks, *options, "-o", full),
        "start": ("run", tasks, *options, "-o", full),
        "shard": ("run", tasks, *options, "-o", folder / "shards", "--shard", "1/999999"),
        "score": ("score", tasks, answers, "-j", "1", "-o", os.devnull),
    }
    return measured(("-c", WITHOUT_REPORT) if name == "start" else MODULE, *commands[name])


def main() -> None:
    """Print a line for each measurement and size, with the growth since the size before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--only", default="report,html,run,start,shard,score")
    given = parser.parse_args()
    for name in given.only.split(","):
        before: tuple[int, float] | None = None
        for count in given.sizes:
            seconds, memory = measure(name, given.folder, count)
            growth = ""
            if before is not None:
                exponent = math.log(seconds / before[1]) / math.log(count / before[0])
                growth = f", exponent {exponent:.2f}"
            each = f"{seconds / count * 1e6:.0f} µs each"
            print(f"{name}, {count:,}: {seconds:.1f} s CPU, {each}, {memory:.0f} MB{growth}")
            before = count, seconds


if __name__ == "__main__":
    main()
