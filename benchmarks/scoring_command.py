"""Measure ``pddl-pipeline score`` as a command: one and two processes, and the peak of the memory.

`benchmarks/scoring.py` prints the table. The answers are random expressions of about 1 KB, with
prose before them, to the examples of countdown.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psutil
from rich.table import Table

from pddl_pipeline import load_records
from pddl_pipeline.pddl_domains import domain_folder

ROUNDS = 3
DATA = domain_folder("countdown") / "examples.jsonl"
PROSE = "I look at the numbers and think about the target for a while before I answer it. " * 11


class Usage(NamedTuple):
    """What a command took."""

    wall_s: float
    cpu_s: float
    """CPU time of the process and its children together."""
    peak_mib: float
    """Peak of the resident memory of the process and its children together."""


def write_answers(path: Path, count: int) -> None:
    """Write random expressions over the numbers of the examples, one line each."""
    rng, instances = random.Random(1), list(load_records(DATA))
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            instance = instances[number % len(instances)]
            parts = [str(each) for each in instance.record.numbers]
            rng.shuffle(parts)
            text = parts[0]
            for part in parts[1:]:
                text = f"({text} {rng.choice('+-*')} {part})"
            row = {"id": instance.id, "answer": f"{PROSE}\nAnswer: {text}", "model": "any"}
            file.write(f"{json.dumps(row)}\n")


def usage_of(command: Sequence[str | Path]) -> Usage:
    """Return what a command took; its memory is sampled 10 times a second."""
    begin, before, peak = time.perf_counter(), _cpu_s(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while True:
            try:
                process.wait(0.1)
                break
            except subprocess.TimeoutExpired:
                peak = max(peak, _memory(process.pid))
    return Usage(time.perf_counter() - begin, _cpu_s() - before, peak / 2**20)


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _memory(number: int) -> int:
    try:
        process = psutil.Process(number)
        family = [process, *process.children(recursive=True)]
        return sum(each.memory_info().rss for each in family)
    except psutil.Error:  # a process ended meanwhile
        return 0


def command_table(count: int) -> Table:
    """Return the table of the command with one and two processes, measured in turns."""
    with TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.jsonl"
        write_answers(answers, count)
        command = [sys.executable, "-m", "pddl_pipeline", "score", str(DATA), str(answers), "-q"]
        found: dict[int, list[Usage]] = {1: [], 2: []}
        for _ in range(ROUNDS):
            for workers, usages in found.items():
                usages.append(usage_of([*command, "-j", str(workers)]))
    best = {workers: min(usages) for workers, usages in found.items()}
    table = Table(title=f"The command on {count:,} countdown answers of 1 KB, best of {ROUNDS}")
    for column in (
        "processes",
        "wall-clock s",
        "CPU s",
        "answers/s",
        "times -j 1",
        "peak MiB, all",
    ):
        table.add_column(column, justify="right")
    for workers, (wall_s, _, _) in best.items():
        peak = max(usage.peak_mib for usage in found[workers])
        cpu_s = min(usage.cpu_s for usage in found[workers])
        table.add_row(
            str(workers), f"{wall_s:.1f}", f"{cpu_s:.1f}", f"{count / wall_s:,.0f}",
            f"{best[1].wall_s / wall_s:.2f}", f"{peak:.0f}",
        )  # fmt: skip
    return table
