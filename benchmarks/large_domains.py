"""Read large domain files and judge a first plan: CPU time, and the ratio to a process of VAL.

    python benchmarks/large_domains.py FOLDER... --val VALIDATE [--megabytes 3] [--only 10]

The script takes the problems below folders whose domain file is large: ground domains with
thousands of actions. A process of its own reads each and judges one plan, which consists of
applicable steps that are found beforehand. The smallest of several measurements counts, of this
project and VAL in turn.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from clock import cpu_of_process
from rich.console import Console
from rich.table import Table
from sweep import pairs

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import PddlError, StepFails
from pddl_pipeline.model.plan import Plan, Step

STEPS = 50
"""Maximum length of a plan."""
_MEASURE = """
import json, sys, time
from pathlib import Path
from pddl_pipeline.validation.task import read_task
domain, problem, plan = map(Path, sys.argv[1:])
begin = time.process_time()
task = read_task(domain, problem)
read = time.process_time()
task.judge(plan)
print(json.dumps([read - begin, time.process_time() - read]))
"""


class Given(NamedTuple):
    """A large domain file with one of its problems, and a plan."""

    domain: Path
    problem: Path
    plan: Plan
    actions: int


def main() -> None:
    """Print one line per domain, and the median and largest ratio."""
    options = _options()
    table = Table(title="Reading a domain and judging a first plan, CPU ms")
    for column in ("domain", "MB", "actions", "steps", "read", "judge", "VAL", "ours / VAL"):
        table.add_column(column, justify="left" if column == "domain" else "right")
    ratios: list[float] = []
    for given in _given(options):
        cells, ratio = _measured(given, options)
        table.add_row(*cells)
        ratios += [] if ratio is None else [ratio]
    console = Console(width=130)
    console.print(table)
    if ratios:
        console.print(
            f"ours / VAL: median {median(ratios):.1f}, largest {max(ratios):.1f}, n = {len(ratios)}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("folders", type=Path, nargs="+", metavar="FOLDER")
    add("--val", type=Path, help="VAL's program Validate.")
    add("--megabytes", type=float, default=3.0, metavar="MB", help="Smallest size of a domain.")
    add("--only", type=int, default=10, metavar="N", help="Measure a random sample of N problems.")
    add("--seed", type=int, default=0)
    add("--rounds", type=int, default=3, metavar="N")
    add("--time-limit", type=int, default=20, metavar="SECONDS", help="CPU time of a VAL process.")
    return parser.parse_args()


def _given(options: argparse.Namespace) -> Iterator[Given]:
    """Yield a sample of the problems whose domain is large, each with a plan."""
    found = [
        (pair.domain, pair.problem)
        for folder in options.folders
        for pair in pairs(folder)
        if pair.domain is not None and pair.domain.stat().st_size >= options.megabytes * 1e6
    ]
    for domain, problem in Random(options.seed).sample(found, min(options.only, len(found))):
        try:
            yield _planned(domain, problem)
        except PddlError as error:
            print(error, file=sys.stderr)


def _planned(domain: Path, problem: Path) -> Given:
    """Return the files with a plan of applicable steps without arguments."""
    task = read_task(domain, problem)
    state = task.initial_state()
    names = [each.name for each in task.vocabulary.actions.values() if not each.parameters]
    steps: list[Step] = []
    before = -1
    while before < len(steps) < STEPS:
        before = len(steps)
        for step in (Step(name, ()) for name in names):
            with suppress(StepFails):
                task.apply(step, state)
                steps.append(step)
    return Given(domain, problem, Plan(tuple(steps[:STEPS])), len(task.vocabulary.actions))


def _measured(given: Given, options: argparse.Namespace) -> tuple[list[str], float | None]:
    """Return the cells of a line, and our time in times of VAL's, if VAL ended in time."""
    ours: list[tuple[float, float]] = []
    theirs: list[float] = []
    limit = options.time_limit
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan"
        plan.write_text(str(given.plan), encoding="utf-8")
        files = [str(given.domain), str(given.problem), str(plan)]
        for _ in range(options.rounds):
            ours.append(_own_times(files))
            if options.val is not None and max(theirs, default=0) < limit:
                program = ["prlimit", f"--cpu={limit}", str(options.val)]
                theirs.append(cpu_of_process([*program, *files]))
    read, judged = min(ours, key=sum)
    ended = bool(theirs) and max(theirs) < limit
    ratio = (read + judged) / min(theirs) if ended else None
    return [
        "/".join(given.domain.parts[-3:]), f"{given.domain.stat().st_size / 1e6:.1f}",
        str(given.actions), str(len(given.plan)), f"{read * 1e3:.0f}", f"{judged * 1e3:.1f}",
        f"{min(theirs) * 1e3:.0f}" if ended else f"> {limit * 1000}" if theirs else "-",
        "-" if ratio is None else f"{ratio:.1f}",
    ], ratio  # fmt: skip


def _own_times(files: list[str]) -> tuple[float, float]:
    """Return the CPU times of reading and of the first judgement, in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, *files], capture_output=True, text=True, check=True
    )
    read, judged = json.loads(done.stdout)
    return read, judged


if __name__ == "__main__":
    main()
