"""Read a task, and judge a plan, in a process each, by this project and by Kairos: CPU times.

    python benchmarks/kairos.py [--rounds 9] [--read FOLDER...]

Kairos has no interface within a process. This project's time within one, with reading, is printed
beside and is no comparison; nor is `kairos check`, which reads, beside `validate`. With folders, up
to 300 of their problems are read, each with `domain.pddl` of its folder or the one above: sums of
the smaller of two times each, with and without the start of Kairos' processes.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from statistics import median

from clock import cpu_of, cpu_of_process
from rich.console import Console
from rich.table import Table
from tasks import Input, inputs

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import PipelineError
from pddl_pipeline.planners.other_engines import kairos_program


def times(given: Input, plan: str, folder: Path) -> tuple[float, float, float, float]:
    """Return the CPU times of reading and of judging by Kairos, and of judging by this project."""
    files = [folder / name for name in ("domain.pddl", "problem.pddl", "plan")]
    for file, text in zip(files, (given.domain, given.problem, plan), strict=True):
        file.write_text(text, encoding="utf-8")
    names, kairos = [str(file) for file in files], kairos_program()
    return (
        cpu_of_process([kairos, "check", *names[:2]]),
        cpu_of_process([kairos, "validate", *names]),
        cpu_of_process([sys.executable, "-m", "pddl_pipeline", "validate", *names]),
        cpu_of(lambda: read_task(files[0], files[1]).judge(files[2])),
    )


def read_public(folders: list[Path]) -> None:
    """Print the times of reading public problems."""
    found = [file for folder in folders for file in sorted(folder.rglob("*.pddl"))]
    domains = {file: file.with_name("domain.pddl") for file in found if "domain" not in file.name}
    pairs = [
        (domain if domain.exists() else file.parents[1] / domain.name, file)
        for file, domain in domains.items()
    ]
    pairs = [pair for pair in pairs if pair[0].exists()]
    random.Random(1).shuffle(pairs)
    kairos, ours, theirs = kairos_program(), list[float](), list[float]()
    start = min(cpu_of_process([kairos, "--version"]) for _ in range(40))
    for domain, problem in pairs[:300]:
        try:
            ours.append(min(cpu_of(lambda d=domain, p=problem: read_task(d, p)) for _ in "12"))
        except PipelineError:
            continue
        command = [kairos, "check", str(domain), str(problem)]
        theirs.append(min(cpu_of_process(command) for _ in "12"))
    whole, own = sum(ours) / sum(theirs), sum(ours) / (sum(theirs) - start * len(theirs))
    print(f"{len(ours)} read: {whole:.2f} of Kairos' processes, {own:.2f} without their starts")


def main() -> None:
    """Print the table of medians."""
    parser = argparse.ArgumentParser(description="Time the validator beside Kairos.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--read", type=Path, nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    rounds = options.rounds
    if options.read:
        read_public(options.read)
        return
    table = Table(title="Medians, ms of CPU time")
    for column in ("input", "Kairos reads", "judges", "we judge", "ratio", "within a process"):
        table.add_column(column, justify="left" if column == "input" else "right")
    for given in inputs():
        with tempfile.TemporaryDirectory() as folder:
            plans = (given.plans * rounds)[:rounds]
            found = [times(given, plan, Path(folder)) for plan in plans]
        reads, judges, ours, within = (median(each) * 1e3 for each in zip(*found, strict=True))
        cells = (f"{reads:.1f}", f"{judges:.1f}", f"{ours:.1f}", f"{ours / judges:.1f}")
        table.add_row(given.name, *cells, f"{within:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
