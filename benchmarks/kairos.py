"""Read a task, and judge a plan, in a process each, by this project and by Kairos: CPU times.

    python benchmarks/kairos.py [--rounds 9]

Kairos has no interface within a process. This project's time within one, with reading, is printed
beside and is no comparison; nor is `kairos check`, which reads, beside `validate`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from clock import cpu_of, cpu_of_process
from rich.console import Console
from rich.table import Table
from tasks import Input, inputs

from pddl_pipeline import read_task
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


def main() -> None:
    """Print the table of medians."""
    parser = argparse.ArgumentParser(description="Time the validator beside Kairos.")
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
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
